#!/usr/bin/env python3
"""readme.py - the ladder in README.md is the one that the program prints, and is drawn.

Runs make TEXT=english SIZE=1M in a copy of the course. Prints "ok ..." and "FAIL ...", and their
sum at the end.

    tests/course/readme.py        from the root of the course"""
import os
import re
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch


def sample_of(page):
    """The lines of the block that shows the ladder."""
    with open(page, encoding="utf-8") as file:
        blocks = re.findall(r"^```\n(.*?)^```\n", file.read(), re.MULTILINE | re.DOTALL)
    return next(block for block in blocks if "on the simulated GPU" in block).splitlines()


def is_row(line):
    """Whether a line of the ladder is a chapter's."""
    return re.match(r" ?\d+  \w+ +(yes|NO) ", line) is not None


def same(shown, printed, timed):
    """Whether a line of the page is the printed one; a GPU's times make those longer."""
    return printed.startswith(shown) if timed else shown == printed


def tell_of_ladder(shown, printed):
    """Every line of the page is printed, and every row that is printed is on the page."""
    timed = any(line.endswith(" measured") for line in printed)
    foreign = [line for line in shown if not any(same(line, other, timed) for other in printed)]
    scratch.tell(f"README.md: the ladder's {len(shown)} lines are those that make prints",
                 "not printed:\n" + "\n".join(foreign) if foreign else None)
    rows = [line for line in printed if is_row(line)]
    missing = [row for row in rows if not any(same(line, row, timed) for line in shown)]
    scratch.tell(f"README.md: all {len(rows)} chapters are there",
                 "not there:\n" + "\n".join(missing) if missing or not rows else None)


def tell_of_picture(picture, printed):
    """The names of the chapters are written as they are, naive_atomic without a lowered a."""
    with open(picture, encoding="utf-8") as file:
        labels = re.findall(r"<text>(\d+ \w+)</text>", file.read())
    names = [" ".join(line.split()[:2]) for line in printed if is_row(line)]
    missing = [name for name in names if name not in labels]
    scratch.tell("build/ladder.svg: the chapters' names stand there in one piece",
                 "not: " + ", ".join(missing) if missing else None)


def main():
    os.environ["SIM_CHECKS"] = "none"  # the counters are the same, in less time
    target = scratch.copy(os.getcwd(), "readme", with_folders=("solution-5",))
    status, said = scratch.make(target, "TEXT=english SIZE=1M")
    scratch.tell("make TEXT=english SIZE=1M", None if status == 0 else said)
    printed = [line.rstrip() for line in said.splitlines()]
    tell_of_ladder(sample_of(os.path.join(target, "README.md")), printed)
    picture = os.path.join(target, "build", "ladder.svg")
    if os.path.exists(picture):  # without gnuplot there is none
        tell_of_picture(picture, printed)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
