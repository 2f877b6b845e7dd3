"""exams.py - proves the bank of exam questions, and what make exam draws of it.

- The bank can be read, the sums in its head are right, and each wrong choice is explained.
- With its first choices a drawn question is what stands on the page; its answer is what the simulator counts. With
  all choices the sums in the answers are right.
- Exams of three seeds are HTML whose tags close, and ask for nothing. The same seed draws the same.
- What Moodle reads in their file is what stands on the pages: each question, its choices with the right one, what
  each wrong one stands for, its number, its answer. So it reads all quizzes of the book.
"""
import re
import tempfile
from collections import Counter, namedtuple
from pathlib import Path

import course
import exam
import pages
import quizzes
from checks import lectures
from proof import Proof, lines_of

LEAST = 3, 10  # questions of a chapter; drawn ones of those that predict a counter
EXAMS = (("1-9", 60, "1"), ("20-47", 60, "2"), ("1-61", 100, "3"))
SUM = re.compile(r"([\d,]+) (x|/) ([\d,]+) = ([\d,]+)(?![\d.,]*\d)")
SECTION = re.compile(r"<section><h2>\d+\. ([^(]*) \(.*?</section>", re.DOTALL)
MARKED, ASIDE = re.compile(r"\\(.)"), 0xE000  # where a sign goes that Moodle has to leave alone
ENTRY = re.compile(r"::([^:]+)::\[html\]([^{}]+)\{([^{}]*)\}")

# A question as Moodle takes it: choices are (right or wrong, the choice, what it stands for).
Read = namedtuple("Read", "name asked number choices answer")


def lines(wrong, right):
    return lines_of(right, wrong, f"{exam.PAGE}: ")


def questions():
    return list(exam.questions(Path(exam.PAGE).read_text()))


def prove_bank():
    found, text = questions(), Path(exam.PAGE).read_text()
    of_chapters = Counter(one.chapter for one in found)
    points, minutes = (exam.total(found, what) for what in ("points", "minutes"))
    expected = [f"A bank of {len(found)} questions", f"of the {len(of_chapters)} chapters: {points} points, {minutes} "
            "minutes", f"{sum(bool(one.drawn) for one in found)} questions have one",
            *(f"| {words} | {number} |" for what in ("kind", "goal")
              for words, number in Counter(getattr(one, what) for one in found).items())]
    wrong = [f"does not say: {words}" for words in expected if words not in " ".join(text.split("\n"))]
    wrong += [f"has fewer than {LEAST[0]} questions of {stem}" for stem in course.stems("solutions")
              if of_chapters[course.number(stem)] < LEAST[0]]
    for one in found:
        feedback_by_letter, right = exam.choices(one) if one.kind == "multiple choice" else ({}, None)
        wrong += [f"{one.name} does not say what {letter} stands for" for letter in feedback_by_letter
                  if letter != right and not feedback_by_letter[letter][1]]
    return lines(wrong, f"{len(found)} questions, and the sums in its head")


def text_of(blocks):
    return " ".join(block.text for block in blocks)


def prove_drawn():
    """Of each drawn question one for each choice, under names of their own: 2.1/0, 2.1/1, ..."""
    asked = [one for one in questions() if one.drawn]
    every = [one._replace(name=f"{one.name}/{i}") for one in asked
             for i in range(1 + max(rule.count("|") for _, rule in exam.RULE.findall(one.drawn.group(1))))]
    drawn = exam.drawn(every, lambda one, choices: choices[int(one.name.partition("/")[2])])
    wrong = [f"{one.name}: it says {text_of(one.asked + one.answer)}, and drawn is {text_of(new.asked + new.answer)}"
             for one, new in zip(every, drawn) if one.name.endswith("/0")
             and (one.asked, one.answer) != (new.asked, new.answer)]
    for one in drawn:
        for left, sign, right, value in SUM.findall(text_of(one.answer)):
            left, right, value = (int(number.replace(",", "")) for number in (left, right, value))
            if value != (left * right if sign == "x" else left // right):
                wrong.append(f"{one.name}: {left} {sign} {right} is not {value}")
    counted = [one for one in asked if one.kind == "predict the counter"]
    wrong += [] if len(counted) >= LEAST[1] else [f"only {len(counted)} that predict a counter are drawn"]
    return lines(wrong, f"{len(asked)} questions are drawn in {len(drawn)} ways, as the simulator counts")


def read_gift(text):
    """The questions of a file, read in the steps of Moodle's own importer: it puts the marked signs aside, and splits
    at the others. Raises ValueError with an entry that it does not understand."""
    def back(words):
        return "".join(chr(ord(sign) - ASIDE) if ASIDE <= ord(sign) < ASIDE + 128 else sign
                       for sign in words.replace(chr(ASIDE + ord("n")), "\n")).strip()
    for entry in MARKED.sub(lambda found: chr(ASIDE + ord(found.group(1))), text).split("\n\n"):
        entry = "\n".join(line for line in entry.split("\n") if not line.startswith(("//", "$CATEGORY:"))).strip()
        found = ENTRY.fullmatch(entry)
        if entry and not found:
            raise ValueError(f"Moodle does not understand: {back(entry)[:60]}")
        if found:
            answer, _, feedback = found.group(3).strip().partition("####")
            listed = re.findall("([=~])([^=~]*)", answer)
            yield Read(back(found.group(1)), back(found.group(2)),
                       back(answer[1:]) if answer.startswith("#") else None,
                       [(sign == "=", *map(back, choice.partition("#")[::2])) for sign, choice in listed], back(feedback))


def wrong_choices(one, key):
    """What is wrong with the choices that Moodle shows, beside the key."""
    right = [choice for is_right, choice, _ in one.choices if is_right]
    letter = re.search(r"class='answer'><p><b>([a-z])\b", key)
    if len(right) != 1 or not letter or f"<b>{letter.group(1)}</b>" not in right[0]:
        yield f"of {len(one.choices)} choices {right} are right, and the key begins with {letter and letter.group(1)}"
    yield from (f"it does not say what this stands for: {choice}" for is_right, choice, expected in one.choices
                if not is_right and not expected)


def wrong_gift(made):
    """What Moodle would show otherwise than the pages of an exam do."""
    try:
        read = list(read_gift(made["exam.gift"]))
    except ValueError as reason:
        return [str(reason)]
    exam_of, key_of = ([found.group() for found in SECTION.finditer(made[name])] for name in ("exam.html", "key.html"))
    if not len(read) == len(exam_of) == len(key_of) > 0:
        return [f"Moodle reads {len(read)} questions, the exam has {len(exam_of)}, the key {len(key_of)}"]
    wrong, numbered = [], {one.name for one in questions() if one.drawn and "\nnumber = " in one.drawn.group()}
    for one, asked, key in zip(read, exam_of, key_of):
        expected = [f"{what} is not on the page: {words}" for what, page, every in (
            ("its name", key, [f"{one.name.split()[0]} in the bank"]), ("the question", asked, [one.asked]),
            ("a choice", asked, [choice for _, choice, _ in one.choices]), ("the answer", key, [one.answer]),
            ("the number", one.answer, [f"{int(one.number):,}"] if one.number else [])) for words in every
            if words not in page]
        kind = SECTION.match(asked).group(1).lower()
        if (kind == "multiple choice") != bool(one.choices) or kind not in one.name:
            expected.append(f"it is of the kind {kind}, and has {len(one.choices)} choices")
        if (one.name.split()[0] in numbered) != bool(one.number):
            expected.append(f"the number that it takes is {one.number}")
        expected += wrong_choices(one, key) if one.choices else []
        wrong += [f"Moodle, question {one.name}: {words}" for words in expected]
    return wrong


def prove_exams():
    wrong, exam.pdf.browser = [], lambda: None  # paper is the book's
    with tempfile.TemporaryDirectory() as work:
        for chapters, points, seed in (*EXAMS, EXAMS[0]):
            expected = exam.write(Path(work, "new"), chapters, points, seed)
            made = {path.name: path.read_text() for path in Path(work, "new").iterdir()}
            kept = Path(work, seed)
            if kept.exists() and made != {path.name: path.read_text() for path in kept.iterdir()}:
                wrong.append(f"seed {seed} draws another exam the second time")
            Path(work, "new").rename(kept) if not kept.exists() else None
            wrong += [f"{name}, seed {seed}: {words}" for name in ("exam.html", "key.html")
                      for words in lectures.wrong_file(made[name])]
            wrong += [f"seed {seed}: {words}" for words in wrong_gift(made)]
            wrong += [] if f"{points} points" in expected and f"{points} points" in made["exam.html"] else [expected]
    return lines(wrong, f"exams of {len(EXAMS)} seeds, as pages and for Moodle")


def prove_quizzes():
    """The questions of the lessons, which the book has for Moodle."""
    stems, wrong = course.stems("solutions"), []
    try:
        read = list(read_gift(quizzes.gift(stems)))
    except ValueError as reason:
        return [f"FAIL {quizzes.GIFT}: {reason}"]
    for stem in stems:
        title, sections = quizzes.parts_of(stem)
        asked = sum(len(pages.questions(pages.blocks(sections.get(name, [])))) for name in quizzes.SECTIONS)
        found = [one for one in read if one.name.startswith(f"{title}, ")]
        if len(found) != asked or not all(one.asked and one.answer and not one.choices for one in found):
            wrong.append(f"of {asked} questions of {stem} Moodle reads {len(found)}, or one without its answer")
    return lines_of(f"Moodle reads {len(read)} questions of {len(stems)} lessons", wrong, f"{quizzes.GIFT}: ")


def proofs():
    reads = tuple(course.files(exam.PAGE, *(f"common/{folder}/*.py" for folder in ("reports", "book", "handout"))))
    counts = course.files("common/sim/**/*", "common/run/*", "common/contracts/**/*", "solutions/**/*.cu")
    return [Proof("exam", "bank", prove_bank, reads=reads),
            Proof("exam", "quizzes of lessons", prove_quizzes, reads=(*reads, *course.files("docs/[0-9]*_*.md"))),
            Proof("exam", "drawn", lambda: [*prove_drawn(), *prove_exams()], reads=(*reads, *counts))]
