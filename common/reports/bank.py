"""bank.py - reads the questions of docs/exam.md, and draws the numbers of those that have a comment `drawn`.

The head of that page tells the form of a question and of such a comment. What is drawn may be what the simulated
GPU counts. A Counter is a column of the row that the solution of a chapter writes, with these settings; or of a warp that
executes a statement. The statement may use lane (0 to 31); text and out, bytes and words in global memory; s and
bytes, the words of shared memory and the same as bytes. The environment says BUILD, CC, CXX and MAKE.
"""
import csv
import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from functools import lru_cache
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import course  # noqa: E402 - found by the line above
import pages  # noqa: E402

PAGE = "docs/exam.md"
HEAD = re.compile(r"### (\d+\.\d+) (.+) \((G\d), (\d+) points?, (\d+) minutes?\)$")
DRAWN = re.compile(r"<!-- drawn\n(.*?)\n\n(.*?)\n\nAnswer: (.*?)\n-->", re.DOTALL)
RULE = re.compile(r"^(\w[\w; ]*) =\s+(.*(?:\n  .*)*)", re.MULTILINE)
COUNTED = re.compile(r"([\w.]+) (?:in chapter (\d+),|of) (.*)$")
LETTER = re.compile(r"\*\*([a-z])\b\.?\*\*")

# `chapter` is a number, `title` the chapter's; `asked` and `answer` are blocks; `drawn` is a match of DRAWN, or
# None; `value` is the one number that is asked for, where a comment says that there is one.
Question = namedtuple("Question", "name chapter title kind goal points minutes asked answer drawn value")

Counter = namedtuple("Counter", "column chapter words")  # settings or, where the chapter is None, a statement
GIVEN = "__device__ unsigned char text[1 << 18] __attribute__((aligned(32)));\n__device__ unsigned int out[32];\n"
KERNEL = """__global__ void warp_{}(void)
{{
    __shared__ unsigned int s[12288];
    unsigned char *bytes = (unsigned char *)s;
    const unsigned int lane = threadIdx.x;
    (void)bytes;
    {};
}}
"""


class Wrong(Exception):
    """What cannot be done, in a line for the lecturer."""


def questions(text):
    """All questions of the page, in their order, with the numbers that stand there."""
    for heading, lines in pages.sections(text):
        chapter = re.fullmatch(r"Chapter (\d+): (.*)", heading)
        for part in re.split(r"^(?=### )", "\n".join(lines), flags=re.MULTILINE)[1:] if chapter else ():
            yield question_of(part, int(chapter.group(1)), chapter.group(2))


def question_of(part, chapter, title):
    first, _, rest = part.partition("\n")
    head, found, drawn_by = HEAD.match(first), pages.blocks(rest.split("\n")), DRAWN.search(rest)
    answers = [block for block in found if block.kind == "fold"]
    if not head or [block.text for block in answers] != ["Answer"] or bool(drawn_by) != ("<!-- drawn" in rest):
        raise Wrong(f"{PAGE}: this has not the form of a question: {first}")
    name, kind, goal, points, minutes = head.groups()
    return Question(name, chapter, title, kind.lower(), goal, int(points), int(minutes),
                    [block for block in found if block.kind != "fold"], answers[0].inside, drawn_by, None)


def choices(question):
    """{letter: (the choice, what the answer says of it)} of a multiple choice, and the right letter."""
    listed = [item[0].text for block in question.asked if block.kind == "list" for item in block.inside]
    right, *sentences = re.split(r"(?<=\.\*\*) |(?<=\.) (?=\*\*|[A-Z])", " ".join(
        block.text for block in question.answer))
    of = letters = LETTER.findall(right)
    found = {LETTER.match(text).group(1): (text, []) for text in listed}
    for sentence in sentences:  # one without a letter goes on about those of the sentence before
        of = LETTER.findall(sentence) or of
        for letter in of:
            found[letter][1].append(sentence)
    return {letter: (text, " ".join(said)) for letter, (text, said) in found.items()}, letters[0]


def calculated(words, values):
    """What stands in braces, of these values."""
    return eval(" ".join(words.split()), {"__builtins__": {}, "round": round}, values)


def filled(text, values, form="{}"):
    """A text with what its braces say; `form` is how a whole number is written."""
    def shown(found):
        value = calculated(found.group(1), values)
        return form.format(value) if isinstance(value, int) else str(value)
    return re.sub(r"\{(.*?)\}", shown, text, flags=re.DOTALL)


def drawn(asked, choose):
    """The questions with numbers that choose(question, choices) has drawn, and the answers to these."""
    values, wanted = {question.name: {} for question in asked}, {}
    rules = [(one, *rule) for one in asked if one.drawn for rule in RULE.findall(one.drawn.group(1))]
    for one, names, rule in rules:
        counted = COUNTED.match(rule)
        if counted:
            wanted[one.name, names] = Counter(*counted.groups()[:2], filled(counted.group(3), values[one.name]))
        elif not rule.startswith("{"):
            fields = [field.strip() for field in choose(one, rule.split("|")).split(";")]
            values[one.name].update((name, int(field) if field.isdigit() else field)
                                    for name, field in zip(names.split("; "), fields, strict=True))
    for (name, names), value in zip(wanted, count(list(wanted.values()))):
        values[name][names] = value
    for one, names, rule in rules:
        if rule.startswith("{"):
            values[one.name][names] = calculated(rule[1:-1], values[one.name])
    return [with_values(one, values[one.name]) if one.drawn else one for one in asked]


def with_values(question, values):
    asked, answer = (pages.blocks(filled(text, values, "{:,}").split("\n"))
                     for text in question.drawn.groups()[1:])
    return question._replace(asked=asked, answer=answer, value=values.get("number"))


# What the simulated GPU counts.

def run(command, **settings):
    """Runs a program, without what the lecturer's own settings would change of it."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=course.environment(CHAPTERS="chapters", SIM_CHECKS="none", SIM_SEED="1", **settings))
    if done.returncode != 0:
        raise Wrong(f"{Path(command[0]).name}: {(done.stdout.strip() or 'nothing is said').splitlines()[-1]}")


def rows_in(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def count(wanted):
    """The values of these Counters, in their order."""
    with tempfile.TemporaryDirectory() as work:
        statements = list(dict.fromkeys(words for _, chapter, words in wanted if chapter is None))
        rows = dict(zip(((None, words) for words in statements), rows_of_warps(statements, Path(work))))
        for _, chapter, words in wanted:
            if (chapter, words) not in rows:
                rows[chapter, words] = row_of_chapter(int(chapter), words, Path(work))
    return [int(rows[chapter, words][column]) for column, chapter, words in wanted]


def rows_of_warps(statements, work):
    """A row of counters for each statement, which one warp executes."""
    if not statements:
        return []
    launches = " ".join(f"warp_{i}<<<1, 32>>>();" for i in range(len(statements)))
    (work / "warps.cu").write_text(GIVEN + "".join(map(KERNEL.format, range(len(statements)), statements))
                                   + f"int main() {{ {launches} return cudaDeviceSynchronize() != cudaSuccess; }}\n")
    run(["common/sim/simcc", work / "warps.cu", "-o", work / "warps"])
    run([work / "warps"], SIM_PROFILE=str(work / "warps.csv"))
    return rows_in(work / "warps.csv")


@lru_cache(maxsize=None)
def build(bins, *programs):
    run([course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk", f"CC={course.CC}",
         f"CXX={course.CXX}", "KIND=solution", f"BINS={bins}", *programs])


def row_of_chapter(chapter, words, work):
    """The row of a chapter's solution, as make chapterN solution run makes it with these settings; but INPUT is
    the text itself, and no file."""
    settings = dict(word.split("=") for word in words.split())
    stem = next(stem for stem in course.stems("solutions") if course.number(stem) == chapter)
    operation, bins = settings.get("OPERATION") or (course.operations(stem) or [""])[0], settings.pop("BINS", "5")
    folder = Path(course.BUILD, f"solution-{'keys' if operation else bins}", stem, operation)
    source, row = f"{course.BUILD}/common/program/{course.contract(stem)}/input", folder / "row"
    build("keys" if operation else bins, source, row)
    if "INPUT" in settings:
        (work / "typed").write_text(settings["INPUT"])
        settings["INPUT"] = str(work / "typed")
    settings.update(NUM_BINS=bins, KEY_BINS=bins, OPERATIONS=operation)
    run([source, work / "input", "README.md"], **settings)
    run([row, work / "input", stem[:2], stem[3:], work / "row.csv"], **settings)
    found, = rows_in(work / "row.csv")
    if found["correct"] != "yes":
        raise Wrong(f"the solution of chapter {chapter} is not right with {words}")
    return found
