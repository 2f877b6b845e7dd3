"""slides.py - the slides of the lectures, from the lessons themselves: make slides.

    slides.py [FOLDER]      writes FOLDER/lecture1.html ..., FOLDER is build/slides

docs/lectures.md has a section "Lecture N: TITLE" for each lecture. The list at its end names the
slides, one or more for each line; what is indented below a line are points, which begin with a
hyphen, and else what the speaker sees:

    - 05: title                      the lesson's title, and what one can do afterwards, by its first table
    - 05: The idea                   a slide of that name, with the points below it
    - 05: picture 05_private_copies  a picture of docs/pictures that the lesson shows
    - 05: table 1 of The idea        the first table of a section
    - 05: cost table 2               the second table of what the kernel costs
    - 05: code TODO(5.1)             the lines that solve a gap
    - 05: Predict 2, Quiz 3, bug 1   a question, and on the next slide its answer; also Predict 1-3
    - plot bench-ladder              a plot of docs/results/h200
    - live: make chapter5 test       a command to show; - words: anything else

Each lecture becomes one file that asks no other host for anything. What a line names and is not
there, and what does not fit on a slide, is said, and is status 1.
"""
import re
import sys
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True

import deck  # noqa: E402
import pages  # noqa: E402
from pages import Block  # noqa: E402

PAGE = "docs/lectures.md"
COST = "What it costs"  # the section of a lesson that has its tables
GOES_ON = "for |with |waits |can |says |copy and |to the "  # what stands behind a comma within one point

Reference = namedtuple("Reference", "line words points notes")


class Missing(Exception):
    """What a reference names and is not there."""


class Lesson:
    """A lesson, found by the number of its chapter."""

    def __init__(self, number):
        found = sorted(path for path in Path("docs").glob(f"{number}_*.md"))
        if not found:
            raise Missing(f"there is no lesson {number}")
        self.path = found[0]
        text = self.path.read_text()
        (self.title, self.first), *parts = pages.sections(text)
        self.parts = {**dict(pages.sections(text, 3)[1:]), **dict(parts)}  # those inside of others, too

    def section(self, name):
        if name not in self.parts:
            raise Missing(f"{self.path} has no section {name}")
        return pages.blocks(self.parts[name])

    def picture(self, name):
        for found in [self.first, *self.parts.values()]:
            for block in every(pages.blocks(found)):
                if block.kind == "picture" and Path(block.inside[0]).stem == name:
                    if Path("docs", block.inside[0]).is_file():
                        return block
        raise Missing(f"{self.path} does not show {name}")

    def gap(self, name):
        """The lines of the solution that fill a gap, with what the gap asks for."""
        for path in sorted(Path("solutions", self.path.stem).glob("*.c*")):
            found = re.search(rf"^[^\n]*TODO\({re.escape(name)}\):.*?(?=^[^\n]*end of TODO\({re.escape(name)}\))",
                              path.read_text(), re.MULTILINE | re.DOTALL)
            if found:
                return Block("code", "\n".join(pages.dedented(found.group().rstrip("\n").split("\n"))), [])
        raise Missing(f"the solution {self.path.stem} has no TODO({name})")

    def afterwards(self):
        """What one can do after the lesson, as points."""
        words = next((row[1] for block in pages.blocks(self.first) if block.kind == "table"
                      for row in block.inside if row[0] == "Afterwards"), None)
        if not words:
            raise Missing(f"{self.path}: its table does not say what one can do afterwards")
        points = re.split(rf"[,;] (?!(?:and )?(?:{GOES_ON}))(?:and )?(?:you can )?(?=[a-z])", words.removeprefix("you can "))
        return [Block("text", "Afterwards you can", []), *listed(points)]


def listed(points):
    """Words as blocks, an item of a list each."""
    return [Block("list", "", [[Block("text", words, [])]]) for words in points]


def every(blocks):
    """All blocks, those that are folded included."""
    for block in blocks:
        yield block
        if block.kind == "fold":
            yield from every(block.inside)


def lectures(text):
    """[(number, title, its lines' first number, lines)] of docs/lectures.md."""
    found, place = [], 0
    for place, line in enumerate(text.split("\n"), 1):
        begins = re.match(r"## Lecture (\d+): (.*)", line)
        if begins:
            found.append((begins.group(1), begins.group(2), place + 1, []))
        elif line.startswith("## "):
            found.append(("", "", place, []))
        elif found:
            found[-1][3].append(line)
    return [lecture for lecture in found if lecture[0]]


def references(first, lines):
    """The references of a lecture: the list below its heading "Slides"."""
    found, inside = [], False
    for number, line in enumerate(lines, first):
        inside |= line == "### Slides"
        if inside and line.startswith("- "):
            found.append(Reference(number, line[2:].strip(), [], []))
        elif inside and found and line.startswith("  - "):
            found[-1].points.append(line[4:].strip())
        elif inside and found and line.startswith("    ") and found[-1].points:
            found[-1].points[-1] += " " + line.strip()
        elif inside and found and line.startswith("  "):
            found[-1].notes.append(line.strip())
    return found


def numbers_in(words):
    """[1, 2, 3] of 1-3."""
    first, last = re.fullmatch(r"(\d+)(?:-(\d+))?", words).groups()
    return range(int(first), int(last or first) + 1)


def asked(lesson, section, numbers):
    """Two slides for each question: without its answer, and with it, or with the answer alone."""
    questions = pages.questions(lesson.section(section))
    for number in numbers:
        if number not in questions:
            raise Missing(f"{lesson.path}: {section} has no question {number} with an answer")
        question, answer = questions[number]
        title = f"{lesson.title}: {section} {number}"
        both = question + [Block("answer", "", answer)]
        yield title, question, []
        fits = deck.height(both) <= deck.ROOM
        yield (title, both, []) if fits else (f"{title}, the answer", answer, [])


def of_lesson(number, words, points):
    """(title, blocks, notes) of the slides that "05: WORDS" means, with these points below it."""
    lesson = Lesson(number)
    if words == "title":
        return [(lesson.title, lesson.afterwards(), [])]
    if words.startswith("picture "):
        picture = lesson.picture(words.split()[1])
        return [(lesson.title, [picture], [picture.text])]
    table = re.fullmatch(r"table (\d+) of (.*)|cost table (\d+)", words)
    if table:
        place, named = int(table.group(1) or table.group(3)), table.group(2) or COST
        blocks = every(lesson.section(named)) if named in lesson.parts else []
        tables = [block for block in blocks if block.kind == "table"]
        if len(tables) < place:
            raise Missing(f"{lesson.path}: “{named}” has {len(tables)} tables")
        return [(f"{lesson.title}: {table.group(2) or 'what it costs'}", [tables[place - 1]], [])]
    gap = re.fullmatch(r"code TODO\(([\d.]+)\)", words)
    if gap:
        return [(f"{lesson.title}: gap {gap.group(1)}", [lesson.gap(gap.group(1))], [])]
    question = re.fullmatch(r"(Predict|Quiz|bug) (\d+(?:-\d+)?)", words)
    if question:
        section = {"bug": "Find the bug"}.get(question.group(1), question.group(1))
        return asked(lesson, section, numbers_in(question.group(2)))
    if not points:
        raise Missing(f"the slide {words} of chapter {number} has no points below it")
    return [(f"{lesson.title}: {words}", listed(points), [])]


def of_reference(words, points):
    of = re.fullmatch(r"(\d\d): (.+)", words)
    if of:
        return of_lesson(*of.groups(), points)
    if words.startswith("plot "):
        path = Path("docs/results/h200", words.split()[1] + ".svg")
        if not path.is_file():
            raise Missing(f"there is no {path}")
        return [("Measured", [Block("picture", "", [f"results/h200/{path.name}"])], [])]
    if words.startswith("live: "):
        return [("Live", [Block("code", "$ " + words[len("live: "):], [])], [])]
    if words.startswith("words: "):
        return [("", [Block("text", words[len("words: "):], [])], [])]
    raise Missing(f"what is meant by {words}?")


def made(title, blocks, notes):
    """The slides of (title, blocks): as many as it takes."""
    slides, rest = [], list(blocks)
    while rest:
        fit = 1
        while fit < len(rest) and deck.height(rest[:fit + 1]) <= deck.ROOM:
            fit += 1
        if deck.height(rest[:fit]) > deck.ROOM or deck.too_wide(rest[:fit]):
            raise Missing(f"it does not fit on a slide: {title}")
        slides.append(deck.Slide(title, rest[:fit], notes if not slides else []))
        rest = rest[fit:]
    return slides


def slides_of(lecture, wrong):
    """The slides of a lecture. What is wrong goes to the list."""
    number, title, first, lines = lecture
    before = lines[:lines.index("### Slides")] if "### Slides" in lines else []
    goals = [block for block in pages.blocks(before) if block.kind == "list"][:1]
    slides = [deck.Slide(f"Lecture {number}: {title}", goals, [])]
    for reference in references(first, lines):
        try:
            for name, blocks, notes in of_reference(reference.words, reference.points):
                slides += made(name or title, blocks, [" ".join(reference.notes), *notes])
        except Missing as reason:
            wrong.append(f"{PAGE}:{reference.line}: {reason}")
    return slides


def main(folder="build/slides"):
    wrong, written = [], []
    Path(folder).mkdir(parents=True, exist_ok=True)
    for lecture in lectures(Path(PAGE).read_text()):
        slides = slides_of(lecture, wrong)
        path = Path(folder, f"lecture{lecture[0]}.html")
        path.write_text(deck.html_of(f"Lecture {lecture[0]}: {lecture[1]}", slides))
        written.append(f"{path}: {len(slides)} slides")
    print("\n".join(wrong or written))
    return 1 if wrong or not written else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
