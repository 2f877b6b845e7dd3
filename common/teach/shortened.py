"""shortened.py - a page of the course for those who have not solved it yet.

In a lesson whose answers are held back, what is folded goes, and its fold stays, but for the first
two hints of each gap: answers, the lines of the hints, what a student should find. So does all that
lies under Find the bug, for a kernel that is nearly right is nearly the solution.
On every page goes quoted code that fills a gap, and what is linked and not there becomes plain
words. A line stays in the place of all that goes. The README of the copy
is a page of its own, and its help speaks of what it has.
"""
import os
import re
from pathlib import Path

import telling

LATER = "*(Given after the deadline.)*"
HELD_BACK = "Find the bug"
KEPT_HINT = re.compile(r"<summary>Hint \d+\.\d+, the (?:idea|shape)</summary>")
FOLDED = re.compile(r"^(<details>\s*<summary>[^\n]*</summary>\n).*?^</details>$",
                    re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^( *)```[^\n]*\n.*?^\1```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^(###? ([^\n]*)\n)(.*?)(?=^###? |\Z)", re.MULTILINE | re.DOTALL)
IMAGE = re.compile(r"!\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
FOR_LECTURERS = "For lecturers"

README = """# Histogram Ladder

A course on GPU programming that climbs one ladder: the parallel histogram, from a sequential loop
to the speed of the memory, in small chapters of C and CUDA C. It runs on the laptop in front of
you, without a GPU: every `.cu` file runs unchanged on a simulated GPU that is part of the course.

## Install

On Debian 12, Debian 13 or Ubuntu 24.04:

    sudo apt-get install -y build-essential libcriterion-dev gnuplot-nox

{needs}Windows, a Mac, a machine without root: [docs/machines.md](docs/machines.md).

## The chapters that you have

| | chapter | lesson | |
|---|---|---|---|
{rows}

Later ones come as a new folder. Copy your files in `chapters` into it.

## How to work through it

1. Read the lesson as far as "Predict", and write down your predictions.
2. Fill in the gaps between `TODO({first}.1)` and `end of TODO({first}.1)` in
   `{stub}`. When you are stuck, `make chapter{first} hint`.
3. Type `make chapter{first} test`. An untouched stub is told what is missing and where. A wrong kernel is
   told which input, which bins and the likeliest cause.

Plain `make` says how far you are and what is next, and `make help` lists all commands.

License: [MIT](LICENSE).
"""


def without_answers(text):
    """A lesson without what is given after the deadline."""
    def section(found):
        head, heading, body = found.groups()
        return f"{head}\n{LATER}\n\n" if heading == HELD_BACK else head + body

    def fold(found):
        return found.group() if KEPT_HINT.search(found.group(1)) else \
            f"{found.group(1)}\n{LATER}\n\n</details>"
    return FOLDED.sub(fold, SECTION.sub(section, text))


def without_code(text, secret):
    """A page without the quoted code that has a secret line in it."""
    return CODE.sub(lambda found: found.group(1) + LATER
                    if telling.places("", found.group(), secret) else found.group(), text)


def without_lecturers(text):
    """A page without its section for lecturers."""
    return SECTION.sub(lambda found: "" if found.group(2) == FOR_LECTURERS else found.group(), text)


def target(page, link):
    """The path, from the root of the course, that a link on a page leads to; None when it leads
    elsewhere."""
    path = link.partition("#")[0]
    if not path or "://" in link or link.startswith("mailto:"):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(page), path))


def images(page, text):
    """The pictures that a page shows, as paths from the root of the course."""
    return {target(page, link) for link in IMAGE.findall(text)} - {None}


def without_links(page, text, there):
    """A page whose links lead to something; `there(path)` says what is there. A row of a table
    goes whose first cell with a link leads to nothing."""
    def leads(link):
        return target(page, link) is None or there(target(page, link))

    def row(found):
        link = LINK.search(found.group().split("|")[1]) or LINK.search(found.group())
        return found.group() if not link or leads(link.group(2)) else "\0"
    text = re.sub("\0\n?", "", ROW.sub(row, text))
    return LINK.sub(lambda found: found.group() if leads(found.group(2)) else found.group(1), text)


def listed(stems):
    """1 to 5, or 1, 2 and 5: the numbers of chapters."""
    numbers = [int(stem[:2]) for stem in stems]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    words = [str(number) for number in numbers]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def readme(released, answered, titles, stub):
    """The page; `titles` are those of the lessons, `stub` is the file to begin with."""
    rows = [f"| {int(stem[:2])} | {stem[3:]} | [{titles.get(stem, 'lesson')}](docs/{stem}.md) | "
            f"{'with its answers' if stem in answered else ''} |" for stem in released]
    mpi = [stem for stem in released if any("#include <mpi.h>" in source.read_text()
                                            for source in Path("chapters", stem).glob("*.cu"))]
    needs = (f"Chapter {listed(mpi)} needs Open MPI as well: `sudo apt-get install -y libopenmpi-dev "
             "openmpi-bin`.\n\n" if mpi else "")
    return README.format(needs=needs, rows="\n".join(rows), stub=stub, first=int(stub.split("/")[1][:2]))


def help_of(text, answered):
    """The page of make help: plain make says how far one is, and without answers no line is about solutions."""
    lines = [line for line in text.splitlines() if answered or not re.match(r"  make \S+ solution\b", line)]
    text = "\n".join(lines) + "\n"
    text = re.sub(r"^  make  +all reference.*$", f"  {'make':27}  says how far you are, and what is next", text, flags=re.MULTILINE)
    return re.sub(r" *More: make help-teach.*", "", text)
