"""exam.py - draws an exam and its key from the questions of docs/exam.md: make exam CHAPTERS=1-9 SEED=7.

    CHAPTERS=1-9 SEED=7 POINTS=60 QUESTIONS=mine.md exam.py [FOLDER]    in the root of the course; FOLDER is build/exam

FOLDER gets exam.html and key.html, which a browser prints, and exam.gift for Moodle. The same SEED draws the same exam.
QUESTIONS is a file of the lecturer's own, of the same form, whose questions are drawn with those of the page. What is
wrong is said in one line, with status 2; of a question with its file and line.

The head of that page tells the form of a question, and of a comment `drawn`, by which its numbers are drawn. What is
drawn may be what the simulated GPU counts. A Counter is a column of the row that the solution of a chapter writes, with
these settings; or of a warp that executes a statement. The statement may use lane (0 to 31); text and out, bytes and
words in global memory; s and bytes, the words of shared memory and the same as bytes. The environment says BUILD.
"""
import csv
import html
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from contextlib import contextmanager
from pathlib import Path

sys.dont_write_bytecode = True

import deck  # noqa: E402
import handout  # noqa: E402
import pages  # noqa: E402
from pages import as_html  # noqa: E402

PAGE = "docs/exam.md"
HEAD = re.compile(r"### (\d+\.\d+) (.+) \((G\d), (\d+) points?, (\d+) minutes?\)$")
DRAWN = re.compile(r"<!-- drawn\n(.*?)\n\n(.*?)\n\nAnswer: (.*?)\n-->", re.DOTALL)
RULE = re.compile(r"^(\w[\w; ]*) =\s+(.*(?:\n  .*)*)", re.MULTILINE)
COUNTED = re.compile(r"([\w.]+) (?:in chapter (\d+),|of) (.*)$")
LETTER = re.compile(r"\*\*([a-z])\b\.?\*\*")

# `chapter` is a number, `title` the chapter's; `asked` and `answer` are blocks; `drawn` is a match of DRAWN, or
# None; `value` is the one number that is asked for, where a comment says that there is one; `place` is file and line.
Question = namedtuple("Question", "name chapter title kind goal points minutes asked answer drawn value place")

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


def questions(text, path=PAGE):
    """All questions of a page, in their order, with the numbers that stand there."""
    place = 0  # of the heading of the last question among the lines of the page
    for heading, lines in pages.sections(text):
        chapter = re.fullmatch(r"Chapter (\d+): (.*)", heading)
        for part in re.split(r"^(?=### )", "\n".join(lines), flags=re.MULTILINE)[1:]:
            first = part.partition("\n")[0]
            place = text.split("\n").index(first, place) + 1
            if chapter:
                yield question_of(part, int(chapter.group(1)), chapter.group(2), f"{path}:{place}")
            elif HEAD.match(first):
                raise Wrong(f"{path}:{place}: this question is not below a heading like ## Chapter 5: Title")


def question_of(part, chapter, title, place):
    first, _, rest = part.partition("\n")
    head, found, drawn_by = HEAD.match(first), pages.blocks(rest.split("\n")), DRAWN.search(rest)
    answers = [block for block in found if block.kind == "fold"]
    if not head:
        raise Wrong(f"{place}: a question begins like ### {chapter}.1 Calculate (G4, 3 points, 4 minutes), and not: "
                    f"{first}")
    name, kind, goal, points, minutes = head.groups()
    if not name.startswith(f"{chapter}."):
        raise Wrong(f"{place}: question {name} stands below chapter {chapter}")
    if [block.text for block in answers] != ["Answer"] or not answers[0].inside:
        raise Wrong(f"{place}: question {name} needs one answer, in a <details> with <summary>Answer</summary>")
    if bool(drawn_by) != ("<!-- drawn" in rest):
        raise Wrong(f"{place}: the comment drawn of question {name} needs rules, an empty line, the question, an empty "
                    "line, and Answer:")
    made = Question(name, chapter, title, kind.lower(), goal, int(points), int(minutes),
                    [block for block in found if block.kind != "fold"], answers[0].inside, drawn_by, None, place)
    if made.kind == "multiple choice":
        choices(made)
    return made


def choices(question):
    """{letter: (the choice, what the answer says of it)} of a multiple choice, and the right letter."""
    listed = [item[0].text for block in question.asked if block.kind == "list" for item in block.inside]
    right, *sentences = re.split(r"(?<=\.\*\*) |(?<=\.) (?=\*\*|[A-Z])", " ".join(
        block.text for block in question.answer))
    of = letters = LETTER.findall(right)
    found = {letter.group(1): (text, []) for text in listed if (letter := LETTER.match(text))}
    if not letters or not found.keys() >= set(LETTER.findall(" ".join([right, *sentences]))):
        raise Wrong(f"{question.place}: a choice begins like - **a**, and the answer of question {question.name} with "
                    "the right one of these letters")
    for sentence in sentences:  # one without a letter goes on about those of the sentence before
        of = LETTER.findall(sentence) or of
        for letter in of:
            found[letter][1].append(sentence)
    return {letter: (text, " ".join(written)) for letter, (text, written) in found.items()}, letters[0]


def calculated(words, values):
    """What stands in braces, of these values."""
    return eval(" ".join(words.split()), {"__builtins__": {}, "round": round}, values)


def filled(text, values, form="{}"):
    """A text with what its braces say; `form` is how a whole number is written."""
    def shown(found):
        value = calculated(found.group(1), values)
        return form.format(value) if isinstance(value, int) else str(value)
    return re.sub(r"\{(.*?)\}", shown, text, flags=re.DOTALL)


@contextmanager
def placed(question):
    """Says in a line, with its place, what the comment drawn of a question does not allow."""
    try:
        yield
    except (ArithmeticError, LookupError, NameError, SyntaxError, TypeError, ValueError) as reason:
        raise Wrong(f"{question.place}: the comment drawn of question {question.name}: "
                    f"{type(reason).__name__}: {reason}") from None
    except Wrong as reason:
        raise Wrong(f"{question.place}: the comment drawn of question {question.name}: {reason}") from None


def drawn(asked, choose):
    """The questions with numbers that choose(question, choices) has drawn, and the answers to these."""
    return [drawn_one(one, choose) if one.drawn else one for one in asked]


def drawn_one(one, choose):
    values, wanted = {}, {}
    with placed(one):
        rules = RULE.findall(one.drawn.group(1))
        for names, rule in rules:
            counted = COUNTED.match(rule)
            if counted:
                wanted[names] = Counter(*counted.groups()[:2], filled(counted.group(3), values))
            elif not rule.startswith("{"):
                fields = [field.strip() for field in choose(one, rule.split("|")).split(";")]
                values.update((name, int(field) if field.isdigit() else field)
                              for name, field in zip(names.split("; "), fields, strict=True))
        values.update(zip(wanted, count(list(wanted.values()))))
        for names, rule in rules:
            if rule.startswith("{"):
                values[names] = calculated(rule[1:-1], values)
        return with_values(one, values)


def with_values(question, values):
    asked, answer = (pages.blocks(filled(text, values, "{:,}").split("\n"))
                     for text in question.drawn.groups()[1:])
    return question._replace(asked=asked, answer=answer, value=values.get("number"))


# What the simulated GPU counts of what is drawn.

def run(command, **settings):
    """Runs a program, without what the lecturer's own settings would change of it."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LOCKED", "CC", "CXX") if name in os.environ}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**kept, "SIM_CHECKS": "none", **settings})
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


def row_of_chapter(chapter, words, work):
    """The row of a chapter's solution, as `make chapterN solution run` makes it with these settings; but INPUT is the
    text itself, and no file."""
    settings = dict(word.split("=") for word in words.split())
    if "INPUT" in settings:
        (work / "typed").write_text(settings["INPUT"])
        settings["INPUT"] = str(work / "typed")
    run(["make", "-s", f"chapter{chapter}", "solution", "run", *(f"{name}={value}" for name, value in settings.items())])
    built = Path(os.environ.get("BUILD", "build/sim-gcc"), "solutions")
    found, = rows_in(max(built.glob(f"{chapter:02}_*/*/row.csv"), key=lambda path: path.stat().st_mtime))
    if found["correct"] != "yes":
        raise Wrong(f"the solution of chapter {chapter} is not right with {words}")
    return found


# An exam, and its key.

READING = 10  # of the minutes of an exam one in so many is for reading
RULES = ("Bank = word % 32. A sector has 32 bytes. A warp has 32 lanes. In shared memory, atomic additions of the "
         "constant 1 to one address are merged when no result is used. Other additions are not merged.")
STYLE = """
body { max-width: 174mm; margin: 0 auto; padding: 5mm 0; font: 11pt/1.4 system-ui, sans-serif; color: #1f2328; }
h1 { font-size: 18pt; } h2 { font-size: 12pt; margin: 6mm 0 2mm; } p { margin: 0 0 2mm; } ul { list-style: none; }
section { break-inside: avoid; } pre { padding: 2mm; background: #f0f2f5; white-space: pre-wrap; }
pre, code { font: 11pt/1.3 ui-monospace, monospace; } .answer { border-left: 1mm solid #b3361b; padding-left: 3mm; }
.name { margin: 8mm 0; } .points { display: flex; flex-wrap: wrap; margin-bottom: 4mm; font-size: 9pt; }
.points span { border: 1px solid #59636e; margin: 0 -1px -1px 0; padding: 1mm 2mm; text-align: center; }
@page { size: A4; margin: 18mm; }
"""


def asked_for(words, points, own):
    """The questions of the chapters that CHAPTERS says, those of the lecturer's own file too; they have so many points,
    or more."""
    stems = sorted(path.name for path in Path("chapters").glob("[0-9][0-9]_*") if path.is_dir())
    bank = list(questions(Path(PAGE).read_text()))
    bank += private(own, bank, list(map(handout.number, stems))) if own else []
    numbers = [handout.number(stem) for stem in handout.chosen(words, stems, "CHAPTERS")]
    found = [one for one in bank if one.chapter in numbers]
    for number in set(numbers) - {one.chapter for one in found}:
        raise Wrong(f"CHAPTERS={words}: {PAGE} has no question of chapter {number}")
    if points > total(found, "points"):
        raise Wrong(f"POINTS={points}: CHAPTERS={words} has questions of {total(found, 'points')} points: name "
                    "more chapters, or fewer points")
    return found


def private(path, bank, chapters):
    """The questions of a lecturer's own file, which have other names than those of the bank."""
    try:
        found = list(questions(Path(path).read_text(), path))
    except (OSError, UnicodeDecodeError) as reason:
        raise Wrong(f"QUESTIONS={path}: {getattr(reason, 'strerror', None) or 'this is no text'}") from None
    places = {one.name: one.place for one in bank}
    for one in found:
        if one.chapter not in chapters:
            raise Wrong(f"{one.place}: there is no chapter {one.chapter}")
        if places.setdefault(one.name, one.place) != one.place:
            raise Wrong(f"{one.place}: {places[one.name]} is question {one.name}, too: take another number, such as "
                        f"{one.chapter}.101")
    if not found:
        raise Wrong(f"QUESTIONS={path}: there is no question in it; the head of {PAGE} says how one is written")
    return found


def total(questions, what):
    return sum(getattr(one, what) for one in questions)


def chosen(asked, points, seed):
    """Questions of so many points, or a little less: of each chapter about as many, and of each kind."""
    waiting, taken = list(asked), []
    random.Random(seed).shuffle(waiting)
    while True:
        left = points - total(taken, "points")
        fitting = [one for one in waiting if one.points <= left and left - one.points != 1]
        if not fitting:
            return [one for one in asked if one in taken]
        taken.append(min(fitting, key=lambda one: [sum(getattr(other, what) == getattr(one, what) for other in taken)
                                                   for what in ("chapter", "kind")]))
        waiting.remove(taken[-1])


def shown(blocks):
    """Some blocks as HTML, code as large as the page has it and not as a slide."""
    return re.sub(r" style='[^']*'", "", deck.html_of_blocks(blocks, ""))


def section(place, question, with_answer):
    """A question with room for an answer, so much for each minute, or with its answer."""
    written = f"{place}. {question.kind.capitalize()} ({question.points} points, {question.minutes} minutes)"
    below = "" if question.kind == "multiple choice" else f"<div style='height: {8 * question.minutes}mm'></div>"
    if with_answer:
        file = Path(question.place.rpartition(":")[0])
        where = "in the bank" if file == Path(PAGE) else file.name
        written += f", {question.name} {where}, {question.goal}: {html.escape(question.title)}"
        below = f"<div class='answer'>{shown(question.answer)}</div>"
    return f"<section><h2>{written}</h2>\n{shown(question.asked)}\n{below}</section>"


def page(questions, of_what, with_answers):
    """The exam, or its key, as a page that asks for nothing beside itself."""
    title, minutes, points = ("Exam, the key" if with_answers else "Exam"), *(
        total(questions, what) for what in ("minutes", "points"))
    reading = -(-minutes // (READING - 1))
    places = "".join(f"<span>{i}<br>/ {one.points}</span>" for i, one in enumerate(questions, 1))
    name = (f"<p class='name'>Name: {'_' * 36} &nbsp; Number: {'_' * 16}</p>\n"
            f"<div class='points'>{places}<span>all<br>/ {points}</span></div>\n")
    return (f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
            f"<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<p>{html.escape(of_what)}: {len(questions)} "
            f"questions, {points} points, {minutes + reading} minutes, {reading} of them to read.</p>\n"
            + ("" if with_answers else name) + f"<p>{RULES}</p>\n"
            + "\n".join(section(i, one, with_answers) for i, one in enumerate(questions, 1)) + "\n</body></html>\n")


def escaped(markup):
    """HTML as Moodle's GIFT has it: on one line for a paragraph, its own signs marked."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", markup).replace("\n", "\\n")


def gift(questions, of_what):
    """The exam in Moodle's format: choices with what each of them stands for, numbers, essays."""
    written = [f"$CATEGORY: Histogram Ladder/{of_what}\n"]
    for one in questions:
        asked, answer = one.asked, "" if one.value is None else f"#{one.value}"
        if one.kind == "multiple choice":
            asked = [block for block in asked if block.kind != "list"]
            found, right = choices(one)
            answer = "".join(f"\n{'=' if letter == right else '~'}{escaped(as_html(text))}#{escaped(as_html(feedback))}"
                             for letter, (text, feedback) in found.items()) + "\n"
        written.append(f"::{one.name} {one.kind}::[html]{escaped(shown(asked))} "
                    f"{{{answer}####{escaped(shown(one.answer))}}}\n")
    return "\n".join(written)


def write(folder, chapters, points, seed, own=""):
    """Makes the files, of the bank and of the lecturer's own file if there is one. Returns what to say."""
    taken = chosen(asked_for("" if chapters == "chapters" else chapters, points, own), points, seed)
    if not taken:
        raise Wrong(f"POINTS={points}: no question of CHAPTERS={chapters} has so few")
    if any(one.drawn for one in taken):
        print("counting for the answers, on the simulated GPU", file=sys.stderr, flush=True)
    taken = drawn(taken, lambda one, all_of: random.Random(f"{seed} {one.name}").choice(all_of))
    of_what = f"Chapters {chapters}, seed {seed}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "exam.gift").write_text(gift(taken, of_what))
    for name in ("exam", "key"):
        (folder / f"{name}.html").write_text(page(taken, of_what, name == "key"))
    return (f"{folder}: {len(taken)} questions, {total(taken, 'points')} points: exam.html and key.html, to print in a "
            "browser; exam.gift, for Moodle")


def main(folder="build/exam"):
    chapters, seed, points, own = (os.environ.get(name) or usual for name, usual in
                                   (("CHAPTERS", ""), ("SEED", "1"), ("POINTS", "60"), ("QUESTIONS", "")))
    try:
        if not points.isdigit() or int(points) == 0:
            raise Wrong(f"POINTS={points} is not a whole number from 1 on")
        print(write(Path(folder), chapters, int(points), seed, own))
    except (Wrong, handout.Refused, OSError) as reason:
        print(f"exam: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
