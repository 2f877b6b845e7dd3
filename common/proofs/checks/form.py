"""form.py - proves that each lesson has the form of all lessons.

- `# N. Title`, a paragraph, and a table of three rows: Time (at most an hour), Needs, Afterwards.
- The headings, in their order, from an example by hand to the sources. What a program can see of their parts: the
  example is drawn in text, a table has every function that the gaps need, an outline has at most ten lines, three
  mistakes are shown with what the verdict says, and there are sources.
- Three folded hints for each gap of the stub: the idea, the shape, the line; the last has code of the
  solution. `make chapterN hint` reads them.
- Six questions in the quiz, each with a folded answer.
- Until bugs are looked for, no line that fills a gap is to be read without unfolding something, but
  for lines of earlier chapters. Nor is one in a hint before the third.
"""
import re
from functools import partial
from pathlib import Path

import course
from proof import Proof, lines_of
from quotes import excerpts

HEADINGS = ("An example by hand", "The idea", "What the gaps use", "The outline", "What to write",
            "Predict", "Do it", "Run it", "The kernel", "What the counters say", "What an H200 measured",
            "Find the bug", "When not to use it", "Go further", "Quiz", "Where this stands")
IN_SOME = ("What the counters say", "What an H200 measured")
IN_ALL = tuple(heading for heading in HEADINGS if heading not in IN_SOME)
STEPS = ("the idea", "the shape", "the line")
QUESTIONS, MOST_MINUTES = 6, 60
MOST_LINES, MISTAKES = 10, 3  # of an outline, and at least so many with what the verdict says
DRAWN = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
USES = re.compile(r"^\| (?:name|function) \| meaning \| in use \|\n\|---\|---\|---\|\n(?:\|[^|\n]+\|.+\|.+\|\n)+",
                  re.MULTILINE)
API = re.compile(r"\b(?:__\w+|cuda[A-Z]\w*|atomic\w+|nccl[A-Z]\w*|MPI_[A-Z]\w*(?=\())")
FENCED = re.compile(r"^ *```(\w*)\n.*?^ *```$", re.MULTILINE | re.DOTALL)
PRINTED = {"", "text", "console"}  # of a fence with what a program has said
SOURCE = re.compile(r"^- \S", re.MULTILINE)
CELL = r" (?:[^\n|\\]|\\.)*\w(?:[^\n|\\]|\\.)*\|\n"
TABLE = re.compile(r"\| *\| *\|\n\|---\|---\|\n\| Time \| (\d+) minutes\b[^\n|]*\|\n"
                   rf"\| Needs \|{CELL}\| Afterwards \|{CELL}\n")
TITLE = re.compile(r"# (\d+)\. [^\n]+\n\n\w[^#|]*?\n\n(?=\|)")
HINT = re.compile(r"<details>\s*<summary>Hint (\d+\.\d+), ([^<\n]*)</summary>\n\n(.*?)\n\n?</details>",
                  re.DOTALL)
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
ANSWER = re.compile(r"<details>\s*<summary>Answer</summary>\n\n.*?\w.*?</details>", re.DOTALL)
COMMENT = re.compile(r"\s*(//.*|/\*.*?\*/)\s*$")
TRIVIAL = 8  # letters, digits and signs of a line that may occur by chance


def headings(text):
    """The headings of a page, without what is code."""
    return re.findall(r"^## (.*)$", re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S), re.M)


def section(text, heading):
    """What lies below a heading."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found.group(1) if found else ""


def wrong_head(text, number):
    title = TITLE.match(text)
    if not title or int(title.group(1)) != number:
        return [f"does not begin with `# {number}. Title` and a paragraph above a table"]
    table = TABLE.match(text[title.end():])
    if not table:
        return ["has no table of three rows, Time (N minutes), Needs, Afterwards, below its first "
                "paragraph"]
    if int(table.group(1)) > MOST_MINUTES:
        return [f"takes {table.group(1)} minutes, more than {MOST_MINUTES}"]
    if number > 1 and not re.search(r"^\| Needs \|.*\]\(\d\d_\w+\.md\)", table.group(), re.MULTILINE):
        return ["has no link to an earlier lesson that it needs"]
    return []


def wrong_headings(text):
    found, sentences = headings(text), []
    missing = [heading for heading in IN_ALL if heading not in found]
    foreign = [heading for heading in found if heading not in HEADINGS]
    if missing:
        sentences.append("lacks the headings " + ", ".join(missing))
    if foreign:
        sentences.append("has headings of its own: " + ", ".join(foreign))
    known = [heading for heading in found if heading in HEADINGS]
    if known != sorted(set(known), key=HEADINGS.index):
        sentences.append("has headings in another order: " + ", ".join(known))
    return sentences


def shows(words):
    """Whether what a program has said is shown."""
    return not PRINTED.isdisjoint(FENCED.findall(words))


def wrong_parts(text, solution):
    """What parts lack that a program can see."""
    outline = DRAWN.findall(section(text, "The outline"))
    if not DRAWN.search(section(text, "An example by hand")):
        yield "has an example by hand that is not drawn in text"
    if len(outline) != 1 or outline[0].count("\n") > MOST_LINES:
        yield f"has no outline of at most {MOST_LINES} lines"
    uses = section(text, "What the gaps use")
    if not USES.search(uses):
        yield "has no table of what the gaps use: name, meaning, in use"
    needed = dict.fromkeys(API.findall("\n".join(fillings_of(solution))))
    yield from (f"does not say what the gaps use: {name}" for name in needed if name not in uses)
    mistakes = numbered(section(text, "Find the bug"))[1]
    if sum(bool(FOLDED.search(words)) and shows(words) for words in mistakes) < MISTAKES:
        yield f"has fewer than {MISTAKES} mistakes with what the verdict says of them"
    if not re.search(r"\w", section(text, "When not to use it")):
        yield "does not say when not to use it"
    if not shows(section(text, "Run it")):
        yield "does not show what a run prints"
    if not SOURCE.search(section(text, "Where this stands")):
        yield "has no list of sources"


def wrong_hints(text, gaps, solution):
    hints = HINT.findall(section(text, "Do it"))
    wanted = [(gap, step) for gap in gaps for step in STEPS]
    found = [(gap, step) for gap, step, _ in hints]
    sentences = [f"has no hint {gap}, {step}" for gap, step in wanted if (gap, step) not in found]
    sentences += [f"has a hint {gap}, {step}, for which there is no gap"
                  for gap, step in found if (gap, step) not in wanted]
    if not sentences and found != wanted:
        sentences.append("has its hints in another order, or twice")
    for gap, step, words in hints:
        code = [lines for _, lines, _ in excerpts.excerpts_of(words)]
        if step == STEPS[-1] and not any(holds(solution, lines) for lines in code):
            sentences.append(f"has no code of the solution in hint {gap}, {step}")
    return sentences


def holds(solution, lines):
    return excerpts.code(solution).holds(excerpts.pieces_of(lines))


def numbered(words):
    """(numbers, what belongs to each) of a section with **1.** and so on."""
    parts = re.split(r"^\*\*(\d+)\.\*\*", words, flags=re.M)
    return parts[1::2], parts[2::2]


def wrong_quiz(text):
    """Each question has its own answer."""
    numbers, questions = numbered(section(text, "Quiz"))
    if numbers != [str(number + 1) for number in range(QUESTIONS)]:
        return [f"has a quiz of {len(numbers)} questions, not {QUESTIONS}: **1.** to **6.**"]
    return [f"has no folded answer to question {number} of its quiz"
            for number, words in zip(numbers, questions) if len(ANSWER.findall(words)) != 1]


def bare(line):
    """A line of code without comment and indentation."""
    return COMMENT.sub("", line).strip()


def fillings_of(solution):
    """The lines of code that fill a gap of a solution, but for trivial ones."""
    return [bare(line) for gap in course.gaps(solution) for line in gap.code
            if not line.startswith("#") and len(bare(line).replace(" ", "")) >= TRIVIAL]


def given_away(text, known, solution):
    """Lines that are to be read too early; `known` are files whose lines are no secret."""
    held = {bare(line) for path in known for line in Path(path).read_text().splitlines()}
    secret = [line for line in dict.fromkeys(fillings_of(solution)) if line not in held]
    read = re.split(r"^## Find the bug", text, flags=re.M)[0]
    lines = FOLDED.sub("", read).splitlines()
    return [*(f"gives away a line that fills a gap: {line}" for line in secret
              if any(line in shown for shown in lines)),
            *(f"gives away a line that fills a gap in hint {gap}, {step}: {line}"
              for gap, step, words in HINT.findall(text) if step != STEPS[-1]
              for line in secret if line in words)]


def wrong(text, number, stub, earlier, solution):
    """What is wrong with the form of a lesson: sentences without a subject."""
    if "What to write" not in headings(text):
        return ["has not the form of a lesson: there is no `## What to write`"]
    return [*wrong_head(text, number), *wrong_headings(text), *wrong_parts(text, solution),
            *wrong_hints(text, [gap.name for gap in course.gaps(stub)], solution), *wrong_quiz(text),
            *given_away(text, [stub, *earlier], solution)]


def prove(page, number, stub, earlier, solution):
    excerpts.code.cache_clear()
    sentences = wrong(Path(page).read_text(), number, stub, earlier, solution)
    return lines_of("has the form of a lesson, hints for each gap, and gives nothing away", sentences, f"{page} ")


def proofs():
    proved, earlier = [], []
    for stem in course.stems("solutions"):
        page, stub = f"docs/{stem}.md", course.source("chapters", stem)
        solution = course.source("solutions", stem)
        if stub and Path(page).exists():
            proved.append(Proof("form", page, reads=(page, stub, *earlier, solution, course.LADDER),
                                prove=partial(prove, page, course.number(stem), stub, (*earlier,),
                                              solution)))
        earlier.append(solution)
    return proved
