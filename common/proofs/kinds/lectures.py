"""lectures.py - proves that the slides of docs/lectures.md can be made: every line names something
that is there, each slide fits, and a lecture has neither too few nor too many. The files are HTML
whose tags close, and ask for nothing that is not in them. The minutes of each lecture's plan add up
to those of a lecture. That the pages which list the lessons give each the minutes that it gives
itself. And that tutors have three mistakes for each, with words of a verdict and a question.
"""
import re
import subprocess
import sys
import tempfile
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import course
from proof import Proof

PAGE = "docs/lectures.md"
LISTS = ("README.md", "docs/README.md")
LECTURE = re.compile(r"^## (Lecture \d+): .*$", re.MULTILINE)
PLAN = re.compile(r"^\| (\*\*)?(\d+)(?(1)\*\*) \|", re.MULTILINE)
MINUTES = 90  # of a lecture
TUTORS, MISTAKES = "docs/tutors.md", 3  # of each chapter
MISTAKE = re.compile(r"^\| [^|\n]+ \| [^\n]*`[^`\n]+`[^\n]* \| [^|\n]*\?[^|\n]* \|$", re.MULTILINE)
WITHOUT_END = ("meta", "br")
ASKS = re.compile(r"""(?:src|href)=['"](?!#)|url\((?!['"]?#)|@import|<link|<iframe|fetch\(""")


class Tags(HTMLParser):
    """Collects the tags that do not close where they should."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, _attributes):
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open[-1:] != [tag]:
            self.wrong.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")
        else:
            self.open.pop()


def wrong_file(text):
    """What is wrong with the HTML of a lecture."""
    tags = Tags()
    tags.feed(text)
    tags.close()
    asks = ASKS.search(text)
    return (tags.wrong + [f"<{tag}> is never closed" for tag in tags.open]
            + ([f"it asks for another file: {asks.group()}"] if asks else []))


def wrong_plans(text):
    """A sentence for each lecture of a page whose plan lacks a sum, or has another one than its rows."""
    wrong, parts = [], LECTURE.split(text)[1:]
    for name, lecture in zip(parts[::2], parts[1::2]):
        rows = PLAN.findall(lecture)
        spent = sum(int(minutes) for bold, minutes in rows if not bold)
        if spent != MINUTES or [int(minutes) for bold, minutes in rows if bold] != [MINUTES]:
            wrong.append(f"{PAGE}: the plan of {name} has {spent} minutes, and a sum of {MINUTES} is asked for")
    return wrong


def prove_plans():
    text = Path(PAGE).read_text()
    return [f"FAIL {sentence}" for sentence in wrong_plans(text)] or [
        f"ok {PAGE}: {len(LECTURE.findall(text))} plans of {MINUTES} minutes add up"]


def prove():
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([sys.executable, "-B", "common/reports/slides.py", folder],
                              text=True, capture_output=True)
        if made.returncode != 0:
            said = made.stdout.splitlines() or made.stderr.splitlines()[-1:]
            return [f"FAIL {sentence}" for sentence in said]
        files = sorted(Path(folder).glob("*.html"))
        wrong = [f"FAIL {PAGE}: {file.name}: {sentence}" for file in files
                 for sentence in wrong_file(file.read_text())]
        return wrong or [f"ok {PAGE}: {len(files)} lectures, whose slides are there and fit"]


def wrong_minutes(path, lessons):
    """A sentence for each lesson that a list leaves out, or whose minutes are others."""
    wrong = []
    for lesson in lessons:
        own = re.search(r"^\| Time \| (\d+) minutes", Path(lesson).read_text(), re.MULTILINE)
        row = re.search(rf"^\|.*\((?:docs/)?{Path(lesson).name}\).*$", Path(path).read_text(),
                        re.MULTILINE)
        if not own or not row:
            wrong.append(f"{path}: {lesson} is not in the list, or says no time")
        elif f"| {own.group(1)} |" not in row.group():
            wrong.append(f"{path}: {lesson} takes {own.group(1)} minutes")
    return wrong


def prove_lists(lessons):
    wrong = [sentence for path in LISTS for sentence in wrong_minutes(path, lessons)]
    return [f"FAIL {sentence}" for sentence in wrong] or [
        f"ok {' and '.join(LISTS)}: {len(lessons)} lessons, with their minutes"]


def wrong_tutors(text, numbers):
    """A sentence for each of these chapters with too few mistakes."""
    sections = dict(re.findall(r"^## Chapter (\d+): .*\n((?:(?!## ).*\n)*)", text, re.MULTILINE))
    found = {number: len(MISTAKE.findall(sections.get(str(number), ""))) for number in numbers}
    return [f"{TUTORS}: chapter {number} has {count} mistakes with words of a verdict and a question, not {MISTAKES}"
            for number, count in found.items() if count < MISTAKES]


def prove_tutors():
    numbers = [course.number(stem) for stem in course.stems("solutions")]
    return [f"FAIL {sentence}" for sentence in wrong_tutors(Path(TUTORS).read_text(), numbers)] or [
        f"ok {TUTORS}: {MISTAKES} mistakes for each of {len(numbers)} chapters"]


def proofs():
    lessons = tuple(course.files("docs/[0-9]*_*.md"))
    reads = course.files(PAGE, "docs/[0-9]*.md", "docs/pictures/*.svg", "docs/results/h200/*.svg",
                         "solutions/*/*", "common/reports/*.py")
    return [Proof("lectures", PAGE, partial(prove), reads=tuple(reads)),
            Proof("lectures", "plans", partial(prove_plans), reads=(PAGE,)),
            Proof("lectures", TUTORS, prove_tutors, reads=(TUTORS, *course.files("solutions/*/*"))),
            Proof("lectures", "lists", partial(prove_lists, lessons), reads=(*LISTS, *lessons))]
