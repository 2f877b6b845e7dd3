#!/usr/bin/env python3
"""transcripts.py - what a reader sees of the goals is what tests/transcripts holds.

    transcripts.py [--write] [WORD...]       only those whose path has all of these words

tests/transcripts/05_name/KERNEL.txt tells what make prints for a kernel in the place of a student's file:
the `stub`, the `solution`, or a planted mistake of tests/mutants/05_name. A line "$ make chapter5 test"
is typed, what follows it was said, and "(status 2)" when that is not 0. Whoever wants more adds such
lines, or files, and runs this with --write, which writes down what is said now. Times, dates, paths
and how far a build is are left out.

Each transcript begins with untouched chapters and no record of verdicts, in a copy of the course.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import scratch

FOLDER = Path("tests/transcripts")
LEFT_OUT = re.compile(r"\[ *\d+/\d+\] .*|building the simulated GPU.*|"
                      r"make(\[\d+\])?: (\*\*\* (\[|Waiting )|Target |Entering|Leaving).*")
MASKS = ((re.compile(r"\b\d+(\.\d+)? (s|ms|seconds?)\b"), r"N \2"),
         (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b"), "DATE TIME"),
         (re.compile(r"/tmp/[\w./-]+"), "PATH"))


def kernel_of(stem, name):
    """The text of a transcript's kernel."""
    solution = next(Path("solutions", stem).glob("*.c*"))
    if name in ("solution", "stub"):
        return (solution if name == "solution" else Path("chapters", stem, solution.name)).read_bytes()
    return subprocess.run(["patch", "--silent", "--fuzz=0", "--output=-", solution,
                           f"tests/mutants/{stem}/{name}.patch"], stdout=subprocess.PIPE,
                          check=True).stdout


def prepare(target, stem, name):
    """Puts the kernel into the copy, and nothing else that a student leaves there."""
    for folder in ("build/progress", "build/hints", "chapters"):
        shutil.rmtree(Path(target, folder), ignore_errors=True)
    shutil.copytree("chapters", Path(target, "chapters"))
    place = next(Path(target, "chapters", stem).glob("*.c*"))
    place.write_bytes(kernel_of(stem, name))


def said_by(target, command):
    """What is kept of what a command says."""
    status, said = scratch.make(target, command.removeprefix("make "))
    lines = [line.rstrip() for line in said.replace(os.path.abspath(target), ".").splitlines()]
    for pattern, mask in MASKS:
        lines = [pattern.sub(mask, line) for line in lines]
    kept = [line for line in lines if not LEFT_OUT.fullmatch(line)]
    return "".join(f"{line}\n" for line in kept + [f"(status {status})"] * (status != 0))


def transcript(target, path):
    """A file of tests/transcripts as it would be now."""
    prepare(target, path.parent.name, path.stem)
    commands = re.findall(r"^\$ (make .*)$", path.read_text(), re.MULTILINE)
    return "".join(f"$ {command}\n{said_by(target, command)}" for command in commands)


def compare(path, now):
    """Tells whether a transcript is as it was."""
    changes = difflib.unified_diff(path.read_text().splitlines(), now.splitlines(), str(path), "now",
                                   n=1, lineterm="")
    scratch.tell(f"{path}: what is said is as it was", "; ".join(changes))


def main(words):
    write, words = "--write" in words, [word for word in words if word != "--write"]
    if "gcc" not in os.environ.get("CC", "gcc"):  # whose code meets in other steps
        scratch.tell("transcripts are of kernels that gcc compiled, and not compared here", None)
        return scratch.end()
    chosen = [path for path in sorted(FOLDER.glob("*/*.txt"))
              if all(word in str(path) for word in words)]
    target = scratch.copy(os.getcwd(), "transcripts")
    for path in chosen:
        now = transcript(target, path)
        if write:
            path.write_text(now)
        else:
            compare(path, now)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
