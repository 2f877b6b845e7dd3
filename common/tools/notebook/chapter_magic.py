"""chapter_magic.py - chapters in a notebook: %load_ext chapter_magic, with this folder in sys.path.

    %chapter 5              puts the file of chapter 5 into the next cell
    %%chapter 5 BINS=26     writes the cell into that file, and shows the verdict: make chapter5 BINS=26 test
    %%chapter 5 gpu         the same on a card
    %verdict 5              the verdict of the file as it is

When the file has another text, that one is kept first: in histogram.cu.1, or the next number that is free. What
makes no sense is told in one line.
"""
import json
import os
import subprocess
from pathlib import Path

from IPython.core.error import UsageError

ROOT = Path(__file__).resolve().parents[3]
GREEN, YELLOW, RED = 32, 33, 31
COLORS = {"solved": GREEN, "another": YELLOW}  # of an outcome; all others are red


def asked_for(line):
    """(The number of a chapter, more words for make, the student's file) of what stands behind %chapter."""
    word, *words = line.split() or [""]
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 0
    found = [path for path in ROOT.glob(f"chapters/{number:02}_*/*") if path.suffix in (".c", ".cu")]
    if len(found) != 1:
        raise UsageError(f"chapter: '{word}' is no number of a chapter: behind %%chapter stands one")
    return number, words, found[0]


def keep(file):
    """Copies a file to the first free name of histogram.cu.1, .2, ...; returns that."""
    number = 1
    while True:
        copy = Path(f"{file}.{number}")
        try:
            with open(copy, "xb") as kept:
                kept.write(file.read_bytes())
            return copy
        except FileExistsError:
            number += 1


def write(file, text):
    """Puts a cell into a file. Says so when that had another text."""
    text = text if text.endswith("\n") else text + "\n"
    if file.read_text() == text:
        return
    print(f"{file.relative_to(ROOT)}: what was there is in {keep(file).name}")
    file.write_text(text)


def colored(line, color):
    return line if os.environ.get("NO_COLOR") else f"\x1b[{color}m{line}\x1b[0m"


def show_verdict(number, words):
    """Runs make test for a chapter, and prints what it says, the verdict's first sentence in color."""
    command = ["make", "--no-print-directory", f"chapter{number}", *words, "test"]
    if "gpu" in words:  # on a card there is no JSON
        done = subprocess.run(command, cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        sentence, color, output = None, None, done.stdout
    else:
        done = subprocess.run([*command, "FORMAT=json"], cwd=ROOT, text=True, errors="replace", capture_output=True)
        results = json.loads(done.stdout)["results"] if done.stdout else []
        sentence = results[0]["sentence"] if results else None
        color, output = COLORS.get(results[0]["outcome"], RED) if results else None, done.stderr
    for line in output.splitlines():
        if not line.startswith("make"):
            print(colored(line, color) if line == sentence else line)


def load_ipython_extension(shell):
    """Gives a notebook %chapter, %%chapter and %verdict."""

    def chapter(line, cell=None):
        number, words, file = asked_for(line)
        if cell is None:
            shell.set_next_input(f"%%chapter {line.strip()}\n{file.read_text()}")
        else:
            write(file, cell)
            show_verdict(number, words)

    shell.register_magic_function(chapter, magic_kind="line_cell")
    shell.register_magic_function(lambda line: show_verdict(*asked_for(line)[:2]), magic_name="verdict")
