"""lectures.py - proves what a lecturer has in docs: slides, plans, worksheets, what tutors ask.

- The slides of docs/lectures.md can be made: every line names something that is there, each slide fits, and a lecture
  has neither too few nor too many. The files are HTML whose tags close, and ask for nothing that is not in them.
- The minutes of each lecture's plan add up to those of a lecture.
- The steps of each worksheet of docs/labs.md take as many minutes as a worksheet has, and its points are those of a
  worksheet, with the sum that its table says. A command names only chapters that the worksheet says it needs. What its
  runs count is in tests/transcripts/copies/labs.txt.
- Tutors have three mistakes for each chapter, with words of a verdict and a question.
"""
import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import course
from html_pages import Elements
from proof import Proof, lines_of

PAGE, LABS, TUTORS = "docs/lectures.md", "docs/labs.md", "docs/tutors.md"
LECTURE = re.compile(r"^## (Lecture \d+): .*$", re.MULTILINE)
SHEET = re.compile(r"^## Worksheet (\d+): .*$", re.MULTILINE)
# Rows of tables whose last one is a sum, in bold.
PLAN = re.compile(r"^\| (\*\*)?(\d+)(?(1)\*\*) \|", re.MULTILINE)
POINTS_OF = re.compile(r"^\| [^|]+ \| (\*\*)?(\d+)(?(1)\*\*) \|", re.MULTILINE)
STEP = re.compile(r"^\d+\. \*\*(\d+) minutes\.\*\*", re.MULTILINE)
NEEDS = re.compile(r"^\*\*Chapters\.\*\* (.*)$", re.MULTILINE)
COMMAND = re.compile(r"^ +make (.*)$", re.MULTILINE)
MINUTES_OF_LECTURE, MINUTES_OF_SHEET, POINTS = 90, 120, 20
MISTAKES = 3  # of each chapter
MISTAKE = re.compile(r"^\| [^|\n]+ \| [^\n]*`[^`\n]+`[^\n]* \| [^|\n]*\?[^|\n]* \|$", re.MULTILINE)
ASKS = re.compile(r"""(?:src|href)=['"](?!#)|url\((?!['"]?#)|@import|<link|<iframe|fetch\(""")


def wrong_file(text):
    """What is wrong with the HTML of a lecture."""
    asks = ASKS.search(text)
    return Elements(text).wrong + ([f"it asks for another file: {asks.group()}"] if asks else [])


def prove_slides():
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([sys.executable, "-B", "common/reports/slides.py", folder],
                              text=True, capture_output=True)
        if made.returncode != 0:
            lines = made.stdout.splitlines() or made.stderr.splitlines()[-1:]
            return [f"FAIL {sentence}" for sentence in lines]
        files = sorted(Path(folder).glob("*.html"))
        wrong = [f"{file.name}: {sentence}" for file in files for sentence in wrong_file(file.read_text())]
        return lines_of(f"{len(files)} lectures, whose slides are there and fit", wrong, f"{PAGE}: ")


def parts(heading, text):
    """(what a heading names, what is below it) of each such heading of a page."""
    found = heading.split(text)[1:]
    return zip(found[::2], found[1::2])


def differs_from(wanted, row, text):
    """The sum of such rows; None where it is as wanted, and the table says so."""
    rows = row.findall(text)
    total = sum(int(value) for bold, value in rows if not bold)
    return None if total == wanted and [int(value) for bold, value in rows if bold] == [wanted] else total


def wrong_plans(text):
    """A sentence for each lecture of a page whose plan lacks a sum, or has another one than its rows."""
    return [f"the plan of {name} has {spent} minutes, and a sum of {MINUTES_OF_LECTURE} is asked for"
            for name, lecture in parts(LECTURE, text)
            if (spent := differs_from(MINUTES_OF_LECTURE, PLAN, lecture)) is not None]


def wrong_sheets(text):
    """What is wrong with the worksheets of a page."""
    for number, sheet in parts(SHEET, text):
        minutes, points = sum(map(int, STEP.findall(sheet))), differs_from(POINTS, POINTS_OF, sheet)
        if minutes != MINUTES_OF_SHEET:
            yield f"worksheet {number}: its steps take {minutes} minutes, not {MINUTES_OF_SHEET}"
        if points is not None:
            yield f"worksheet {number}: its points are {points}, and a sum of {POINTS} is asked for"
        needs = set(re.findall(r"\d+", "".join(NEEDS.findall(sheet)[:1])))
        used = {chapter for command in COMMAND.findall(sheet) for chapter in re.findall(r"\bchapter(\d+)", command)}
        yield from (f"worksheet {number}: chapter{chapter} is run, and not among its chapters"
                    for chapter in sorted(used - needs))


def wrong_tutors(numbers, text):
    """A sentence for each of these chapters with too few mistakes."""
    sections = dict(re.findall(r"^## Chapter (\d+): .*\n((?:(?!## ).*\n)*)", text, re.MULTILINE))
    found = {number: len(MISTAKE.findall(sections.get(str(number), ""))) for number in numbers}
    return [f"chapter {number} has {count} mistakes with words of a verdict and a question, not {MISTAKES}"
            for number, count in found.items() if count < MISTAKES]


def prove(page, find, right):
    return lines_of(right, find(Path(page).read_text()), f"{page}: ")


def proofs():
    reads = course.files(PAGE, "docs/[0-9]*.md", "docs/pictures/*.svg", "docs/results/h200/*.svg",
                         "solutions/*/*", "common/reports/*.py")
    numbers = [course.number(stem) for stem in course.stems("solutions")]
    pages = ((PAGE, "plans", wrong_plans, f"plans of {MINUTES_OF_LECTURE} minutes add up"),
             (LABS, LABS, wrong_sheets, f"worksheets of {MINUTES_OF_SHEET} minutes and {POINTS} points"),
             (TUTORS, TUTORS, partial(wrong_tutors, numbers), f"{MISTAKES} mistakes for each of {len(numbers)} chapters"))
    return [Proof("lectures", PAGE, prove_slides, reads=tuple(reads)),
            *(Proof("lectures", name, partial(prove, page, find, right), reads=(page,), knows=str(numbers))
              for page, name, find, right in pages)]
