"""labs.py - proves that the worksheets of docs/labs.md add up, and stay within their chapters.

The steps of each take as many minutes as a worksheet has, and its points are those of a worksheet, with the
sum that its table says. A command names only chapters that the worksheet says it needs. What its runs count
is in tests/transcripts/copies/labs.txt.
"""
import re
from functools import partial
from pathlib import Path

from proof import Proof

PAGE = "docs/labs.md"
MINUTES, POINTS = 120, 20  # of a worksheet
SHEET = re.compile(r"^## Worksheet (\d+): .*$", re.MULTILINE)
STEP = re.compile(r"^\d+\. \*\*(\d+) minutes\.\*\*", re.MULTILINE)
NEEDS = re.compile(r"^\*\*Chapters\.\*\* (.*)$", re.MULTILINE)
COMMAND = re.compile(r"^ +make (.*)$", re.MULTILINE)
POINTS_OF = re.compile(r"^\| [^|]+ \| (\*\*)?(\d+)(?(1)\*\*) \|", re.MULTILINE)


def wrong_sheet(number, text):
    """What is wrong with one worksheet."""
    wrong, minutes = [], sum(map(int, STEP.findall(text)))
    rows = POINTS_OF.findall(text)
    points = sum(int(value) for bold, value in rows if not bold)
    if minutes != MINUTES:
        wrong.append(f"its steps take {minutes} minutes, not {MINUTES}")
    if points != POINTS or [int(value) for bold, value in rows if bold] != [POINTS]:
        wrong.append(f"its points are {points}, and a sum of {POINTS} is asked for")
    needs = set(re.findall(r"\d+", "".join(NEEDS.findall(text)[:1])))
    used = {number for command in COMMAND.findall(text) for number in re.findall(r"\bchapter(\d+)", command)}
    wrong += [f"chapter{number} is run, and not among its chapters" for number in sorted(used - needs)]
    return [f"{PAGE}: worksheet {number}: {sentence}" for sentence in wrong]


def wrong_sheets(text):
    parts = SHEET.split(text)[1:]
    return [sentence for number, sheet in zip(parts[::2], parts[1::2]) for sentence in wrong_sheet(number, sheet)]


def prove():
    text = Path(PAGE).read_text()
    return [f"FAIL {sentence}" for sentence in wrong_sheets(text)] or [
        f"ok {PAGE}: {len(SHEET.findall(text))} worksheets of {MINUTES} minutes and {POINTS} points"]


def proofs():
    return [Proof("labs", PAGE, partial(prove), reads=(PAGE,))]
