"""console.py - whether commands print what a page shows of them, where "..." stands for anything.

    console.py PAGE      in a folder with what the commands need

A page has lines "$ COMMAND" between ```console and ```, and what is printed below each. The page of
`count` is tried by tests/transcripts/programs/count_files.txt."""
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def main(page):
    tried = 0
    for block in BLOCK.findall(Path(page).read_text(encoding="utf-8")):
        for command, shown in COMMAND.findall(block):
            output = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", check=False).stdout
            if not re.fullmatch(".*".join(map(re.escape, shown.split("..."))), output, re.DOTALL):
                print(f"shown for {command}:\n{shown}and printed:\n{output}")
            tried += 1
    print(f"{tried} commands")


if __name__ == "__main__":
    main(*sys.argv[1:])
