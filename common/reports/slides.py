"""slides.py - the slides of the lectures, from the lessons themselves: make slides.

    slides.py [FOLDER]      writes FOLDER/lecture1.html ..., FOLDER is build/slides

docs/lectures.md has a section "Lecture N: TITLE" for each lecture. The list at its end names the
slides, one or more for each line; what is indented below a line is what the speaker sees:

    - 05: title                      the lesson's title and its first paragraph
    - 05: The idea                   a section: the first sentence of each paragraph, the rest as notes
    - 05: picture 05_private_copies  a picture of docs/pictures that the lesson shows
    - 05: table 1 of The idea        the first table of a section
    - 05: code TODO(5.1)             the lines that solve a gap
    - 05: Predict 2, Quiz 3, bug 1   a question, and on the next slide its answer; also Predict 1-3
    - plot bench-ladder              a plot of docs/results/h200
    - live: make chapter5 test       a command to show; - words: anything else

Each lecture becomes one file that asks no other host for anything. What a line names and is not
there, what does not fit on a slide, and a lecture of too few or too many slides, is said, and is
status 1.
"""
import re
import sys
from collections import namedtuple
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("packages", "proofs")]
import pinned  # noqa: E402

pinned.need("what reads the lessons")
import course  # noqa: E402
import deck  # noqa: E402 - of them is what it reads pages with
import pages  # noqa: E402
from pages import Block  # noqa: E402

PAGE = "docs/lectures.md"
FEWEST, MOST = 15, 40  # slides of a lecture

Reference = namedtuple("Reference", "line words notes")


class Missing(Exception):
    """What a reference names and is not there."""


class Lesson:
    """A lesson, found by the number of its chapter."""

    def __init__(self, number):
        found = sorted(path for path in Path("docs").glob(f"{number}_*.md"))
        if not found:
            raise Missing(f"there is no lesson {number}")
        self.path = found[0]
        parts = pages.sections(self.path.read_text())
        self.title, self.first = parts[0]
        self.parts = dict(parts[1:])

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
            lines = path.read_text().split("\n")
            for gap in course.gaps(path):
                if gap.name == name:
                    return Block("code", "\n".join(pages.dedented(lines[gap.line - 1:gap.end - 1])), [])
        raise Missing(f"the solution {self.path.stem} has no TODO({name})")


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
            found.append(Reference(number, line[2:].strip(), []))
        elif inside and found and line.startswith("  "):
            found[-1].notes.append(line.strip())
    return found


def bullets(blocks):
    """The first sentence of each paragraph and item; none that only announces a table or code."""
    listed = []
    for block in blocks:
        if block.kind == "text" and not block.text.startswith("#"):
            listed.append(pages.first_sentence(block.text))
        elif block.kind in ("list", "numbers"):
            listed += [pages.first_sentence(item[0].text) for item in block.inside
                     if item and item[0].kind == "text"]
    return [Block("list", "", [[Block("text", words, [])]]) for words in listed
            if not words.endswith(":")]


def words_of(blocks):
    """All text of some blocks: the notes."""
    listed = []
    for block in blocks:
        if block.kind == "text":
            listed.append(block.text)
        elif block.kind in ("list", "numbers"):
            listed += [words for item in block.inside for words in words_of(item)]
    return listed


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


def of_lesson(number, words):
    """(title, blocks, notes) of the slides that "05: WORDS" means."""
    lesson = Lesson(number)
    if words == "title":
        text = [block for block in pages.blocks(lesson.first) if block.kind == "text"][:1]
        return [(lesson.title, text, [])]
    if words.startswith("picture "):
        picture = lesson.picture(words.split()[1])
        return [(lesson.title, [picture], [picture.text])]
    table = re.fullmatch(r"table (\d+) of (.*)", words)
    if table:
        tables = [block for block in every(lesson.section(table.group(2)))
                  if block.kind == "table"]
        if len(tables) < int(table.group(1)):
            raise Missing(f"{lesson.path}: {table.group(2)} has {len(tables)} tables")
        return [(table.group(2), [tables[int(table.group(1)) - 1]], [])]
    gap = re.fullmatch(r"code TODO\(([\d.]+)\)", words)
    if gap:
        return [(f"{lesson.title}: gap {gap.group(1)}", [lesson.gap(gap.group(1))], [])]
    question = re.fullmatch(r"(Predict|Quiz|bug) (\d+(?:-\d+)?)", words)
    if question:
        section = {"bug": "Find the bug"}.get(question.group(1), question.group(1))
        return asked(lesson, section, numbers_in(question.group(2)))
    section = lesson.section(words)
    if not bullets(section):
        raise Missing(f"{lesson.path}: {words} has no text of its own")
    return [(f"{lesson.title}: {words}", bullets(section), words_of(section))]


def of_reference(words):
    of = re.fullmatch(r"(\d\d): (.+)", words)
    if of:
        return of_lesson(*of.groups())
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
            for name, blocks, notes in of_reference(reference.words):
                slides += made(name or title, blocks, [" ".join(reference.notes), *notes])
        except Missing as reason:
            wrong.append(f"{PAGE}:{reference.line}: {reason}")
    if not FEWEST <= len(slides) <= MOST:
        wrong.append(f"{PAGE}:{first - 1}: lecture {number} has {len(slides)} slides, "
                     f"not {FEWEST} to {MOST}")
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
