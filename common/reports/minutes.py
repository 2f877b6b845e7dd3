"""minutes.py - how many minutes a lesson takes, counted from what there is to read and to write.

    minutes.py           a row for each chapter: words, new lines, known lines, minutes
    minutes.py --write   writes the minutes into the lessons, the lists of lessons, and the sums of the syllabus

In the root of the course. A student reads 200 words a minute. A line in a gap takes 3 minutes if it is the first of its
kind, and 1 minute if a gap of an earlier chapter has one of that kind. Two lines are of one kind if they differ in names,
numbers and comments only. Not counted are code, tables of measurements, which one looks things up in, and what stands in
folds. Predictions, runs, and all from "Find the bug" on have other minutes in docs/syllabus.md. The sum is rounded to 5
minutes.
"""
import re
import sys
from collections import namedtuple
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import course  # noqa: E402

WORDS_A_MINUTE, NEW_LINE, KNOWN_LINE = 200, 3, 1
STEP, ROUND = 5, 100  # minutes and words are rounded to
LISTS = ("README.md", "docs/README.md")
SYLLABUS = "docs/syllabus.md"
FURTHER = 30  # minutes of a chapter
LATER = re.compile(r"^## Find the bug$", re.MULTILINE)
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
CODE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
MEASURED = re.compile(r"^<!-- from [^\n]*-->\n(?:\|.*\n)+", re.MULTILINE)
WORD = re.compile(r"\w[\w'’.,-]*")
COMMENT = re.compile(r"//.*|/\*.*?(?:\*/|$)")
TIME = re.compile(r"^\| Time \| [^;|\n]*(;[^|\n]*| )\|\n", re.MULTILINE)
LISTED = re.compile(r"^(\|.*?\((?:docs/)?(\d\d_\w+)\.md\).*?\| )\d+( \|.*)$", re.MULTILINE)
# Names that are what a line is about; all others may be others in a line of the same kind.
KEPT = re.compile(r"__\w+|cuda\w*|atomic\w*|(?:block|thread|grid)(?:Idx|Dim)|nccl\w*|MPI_\w*|if|for|while|return|else|"
                  r"const|unsigned|int|sizeof|do|break|continue|static|struct|enum")
NAME = re.compile(r"\b[A-Za-z_]\w*\b")

Lesson = namedtuple("Lesson", "stem words new known exact minutes")


def words_of(text):
    """How many words a lesson has to read, up to what comes after the run."""
    text = LATER.split(TIME.sub("", text))[0]
    for part in FOLD, CODE, MEASURED:
        text = part.sub("", text)
    return len(WORD.findall(text))


def lines_of(source):
    """The lines of the gaps in a solution that a student writes, without those that are only a brace or a comment."""
    for line in (line for gap in course.gaps(source) for line in gap.code):
        if COMMENT.sub("", line).strip(" {};\t"):
            yield COMMENT.sub("", line).strip()


def kind_of(line):
    """What two lines have in common that differ in names and numbers only."""
    plain = NAME.sub(lambda found: found.group() if KEPT.fullmatch(found.group()) else "x", line)
    return re.sub(r"\b\d[\w.]*", "0", re.sub(r"\s+", "", plain))


def lessons():
    """The Lessons of all chapters, in their order."""
    known, found = set(), []
    for page in sorted(Path("docs").glob("[0-9]*_*.md")):
        of_lines = [kind_of(line) for source in sorted(Path("solutions", page.stem).glob("*.c*"))
                 for line in lines_of(source)]
        new = 0
        for kind in of_lines:
            new += kind not in known
            known.add(kind)
        words, old = words_of(page.read_text()), len(of_lines) - new
        exact = words / WORDS_A_MINUTE + NEW_LINE * new + KNOWN_LINE * old
        found.append(Lesson(page.stem, words, new, old, exact, STEP * round(exact / STEP)))
    return found


def time_of(lesson, more=" "):
    """The row of a lesson that says its time, and more behind a semicolon."""
    words = ROUND * round(lesson.words / ROUND)
    return f"| Time | {lesson.minutes} minutes: {words:,} words to read, {lesson.new + lesson.known} lines to write{more}|\n"


def listed(text, minutes):
    """A page with the minutes of the lessons in its lists: `minutes` is {stem: minutes}."""
    return LISTED.sub(lambda row: f"{row[1]}{minutes[row[2]]}{row[3]}", text)


# The plans of the syllabus: tables with a column "lessons", whose sums follow from the chapters of each row.

def hours(minutes):
    return f"{minutes // 60} h {minutes % 60:02} min"


def planned(heads, row, of_number):
    """The cells of a row with its sums: {head: cell}."""
    cell = dict(zip(heads, row))
    numbers = [int(number) for number in re.findall(r"\d+", cell["chapters"])]
    lessons = sum(of_number[number] for number in numbers)
    cell.update(lessons=lessons, further=FURTHER * len(numbers))
    all_of = int(cell["lecture, min"]) + lessons + cell["further"]
    if "lab" in cell:
        cell["home"] = max(0, lessons + cell["further"] - int(cell["lab"]))
        all_of = int(cell["lecture, min"]) + int(cell["lab"]) + cell["home"]
    cell["sum"] = all_of + int(cell.get("review", 0))
    return cell


def plan(table, of_number):
    """A table of a plan, with all its sums."""
    head, rule, *rows = table.splitlines()
    heads = [cell.strip() for cell in head.strip("|").split("|")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    found = [planned(heads, row, of_number) for row in cells[:-1]]
    added = {name: sum(int(cell[name]) for cell in found) for name in heads
             if name in ("lecture, min", "lessons", "further", "review", "lab", "home", "sum")}
    last = ["**sum**", *(f"**{added[name]:,}**" if name in added else "" for name in heads[1:])]
    lines = [[str(cell[name]) for name in heads] for cell in found] + [last]
    text = "\n".join([head, rule, *("| " + " | ".join(line) + " |" for line in lines)]) + "\n"
    return text.replace("|  |", "| |").replace("|  |", "| |")  # cells without a sum, of which two may be neighbors


PLAN = re.compile(r"^\|[^\n]*\| lessons \|[^\n]*\n(?:\|.*\n)+", re.MULTILINE)


def syllabus(text, found):
    """The syllabus with the sums of its plans, and of all lessons."""
    of_number = {int(one.stem[:2]): one.minutes for one in found}
    total = sum(of_number.values())
    text = PLAN.sub(lambda table: plan(table.group(), of_number), text)
    return re.sub(r"take [\d,]+ minutes \([^)]*\) in all", f"take {total:,} minutes ({hours(total)}) in all", text)


def pages():
    """{path: its text as it should be} of all pages that say minutes."""
    found = lessons()
    minutes = {one.stem: one.minutes for one in found}
    right = {f"docs/{one.stem}.md": TIME.sub(lambda row, of=one: time_of(of, row[1]),
                                           Path(f"docs/{one.stem}.md").read_text(), count=1) for one in found}
    right |= {path: listed(Path(path).read_text(), minutes) for path in LISTS}
    return right | {SYLLABUS: syllabus(Path(SYLLABUS).read_text(), found)}


def main(arguments):
    for one in lessons():
        print(f"{one.stem:24}{one.words:6,} words, {one.new:2} new lines, {one.known:2} known: {one.minutes} minutes")
    for path, text in pages().items() if arguments == ["--write"] else ():
        Path(path).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
