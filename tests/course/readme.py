#!/usr/bin/env python3
"""readme.py - the ladder in README.md is the one that the program prints.

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


def main():
    target = scratch.copy(os.getcwd(), "readme", with_folders=("solution-5",))
    status, said = scratch.make(target, "TEXT=english SIZE=1M")
    scratch.tell("make TEXT=english SIZE=1M", None if status == 0 else said)
    printed = [line.rstrip() for line in said.splitlines()]
    shown = sample_of(os.path.join(target, "README.md"))
    timed = any(line.endswith(" measured") for line in printed)

    for line in shown:
        found = any(same(line, other, timed) for other in printed)
        scratch.tell(f"README.md: {line or 'an empty line'}",
                     None if found else "make TEXT=english SIZE=1M prints no such line")
    rows = [line for line in printed if is_row(line)]
    missing = [row for row in rows if not any(same(line, row, timed) for line in shown)]
    scratch.tell(f"README.md shows all {len(rows)} rows",
                 "\n".join(missing) if missing or not rows else None)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
