"""exam.py - proves the bank of exam questions, and what make exam draws of it.

- The bank can be read, the sums in its head are right, and each wrong choice is explained.
- With its first choices a drawn question is what stands on the page; its answer is what the simulator counts. With
  all choices the sums in the answers are right.
- Exams of three seeds are HTML whose tags close, and ask for nothing; Moodle's file has all their questions. The
  same seed draws the same.
"""
import re
import sys
import tempfile
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import course
from kinds import lectures
from proof import Proof

sys.path.append(str(course.ROOT / "common/reports"))
import bank  # noqa: E402

program = spec_from_file_location("program", "common/reports/exam.py")  # it has the name of this file
exam = module_from_spec(program)
program.loader.exec_module(exam)

LEAST = 3, 10  # questions of a chapter; drawn ones of those that predict a counter
EXAMS = (("1-9", 60, "1"), ("20-47", 60, "2"), ("1-61", 100, "3"))
SUM = re.compile(r"([\d,]+) (x|/) ([\d,]+) = ([\d,]+)(?![\d.,]*\d)")
TOKENS = re.compile(r"\\.|[~=#{}]|[^\\~=#{}]+", re.DOTALL)


def lines(wrong, right):
    return [f"FAIL {bank.PAGE}: {words}" for words in wrong] or [f"ok {bank.PAGE}: {right}"]


def questions():
    return list(bank.questions(Path(bank.PAGE).read_text()))


def prove_bank():
    found, text = questions(), Path(bank.PAGE).read_text()
    of_chapters = Counter(one.chapter for one in found)
    points, minutes = (exam.total(found, what) for what in ("points", "minutes"))
    said = [f"A bank of {len(found)} questions", f"of the {len(of_chapters)} chapters: {points} points, {minutes} "
            "minutes", f"{sum(bool(one.drawn) for one in found)} questions have one",
            *(f"| {words} | {number} |" for what in ("kind", "goal")
              for words, number in Counter(getattr(one, what) for one in found).items())]
    wrong = [f"does not say: {words}" for words in said if words not in " ".join(text.split("\n"))]
    wrong += [f"has fewer than {LEAST[0]} questions of {stem}" for stem in course.stems("solutions")
              if of_chapters[course.number(stem)] < LEAST[0]]
    for one in found:
        said_of, right = bank.choices(one) if one.kind == "multiple choice" else ({}, None)
        wrong += [f"{one.name} does not say what {letter} stands for" for letter in said_of
                  if letter != right and not said_of[letter][1]]
    return lines(wrong, f"{len(found)} questions, and the sums in its head")


def text_of(blocks):
    return " ".join(block.text for block in blocks)


def prove_drawn():
    """Of each drawn question one for each choice, under names of their own: 2.1/0, 2.1/1, ..."""
    asked = [one for one in questions() if one.drawn]
    every = [one._replace(name=f"{one.name}/{i}") for one in asked
             for i in range(1 + max(rule.count("|") for _, rule in bank.RULE.findall(one.drawn.group(1))))]
    drawn = bank.drawn(every, lambda one, choices: choices[int(one.name.partition("/")[2])])
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


def wrong_gift(text, number):
    """What a reader that knows only the signs of the format does not understand."""
    entries = [entry for entry in text.split("\n\n") if entry.strip()][1:]
    for entry in entries:
        signs = "".join(token for token in TOKENS.findall(entry) if token in "~=#{}")
        if not entry.startswith("::") or not re.fullmatch(r"\{(#?|[~=]#([~=]#)+)####\}", signs) \
                or signs.count("=") != ("~" in signs):
            yield f"Moodle does not understand: {entry[:60]}: {signs}"
    if len(entries) != number:
        yield f"Moodle's file has {len(entries)} questions, not {number}"


def prove_exams():
    wrong, exam.pdf.browser = [], lambda: None  # paper is the book's
    with tempfile.TemporaryDirectory() as work:
        for chapters, points, seed in (*EXAMS, EXAMS[0]):
            said = exam.write(Path(work, "new"), chapters, points, seed)
            made = {path.name: path.read_text() for path in Path(work, "new").iterdir()}
            kept = Path(work, seed)
            if kept.exists() and made != {path.name: path.read_text() for path in kept.iterdir()}:
                wrong.append(f"seed {seed} draws another exam the second time")
            Path(work, "new").rename(kept) if not kept.exists() else None
            wrong += [f"{name}, seed {seed}: {words}" for name in ("exam.html", "key.html")
                      for words in lectures.wrong_file(made[name])]
            wrong += wrong_gift(made["exam.gift"], made["exam.html"].count("<section>"))
            wrong += [] if f"{points} points" in said and f"{points} points" in made["exam.html"] else [said]
    return lines(wrong, f"exams of {len(EXAMS)} seeds, as pages and for Moodle")


def proofs():
    reads = tuple(course.files(bank.PAGE, *(f"common/{folder}/*.py" for folder in ("reports", "book", "handout"))))
    counts = course.files("common/sim/**/*", "common/run/*", "common/contracts/**/*", "solutions/**/*.cu")
    return [Proof("exam", "bank", prove_bank, reads=reads),
            Proof("exam", "drawn", lambda: [*prove_drawn(), *prove_exams()], reads=(*reads, *counts))]
