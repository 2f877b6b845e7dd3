"""test_exam.py - the bank of questions can be read, its sums are right, and an exam is drawn of it, the same each time.

What the simulated GPU counts for a drawn question is what the page says of the numbers that stand there.
"""
import re
from pathlib import Path

import exam
import pytest
from kernels import make

BANK = list(exam.questions(Path(exam.PAGE).read_text()))
DRAWN = [one for one in BANK if one.drawn]
LEAST = 3  # questions of a chapter
SUM = re.compile(r"([\d,]+) (x|/) ([\d,]+) = ([\d,]+)(?![\d.,]*\d)")


def text_of(blocks):
    return " ".join(block.text for block in blocks)


def test_bank():
    for chapter in {one.chapter for one in BANK}:
        assert sum(one.chapter == chapter for one in BANK) >= LEAST, chapter
    assert len({one.name for one in BANK}) == len(BANK)
    for one in BANK:
        found, right = exam.choices(one) if one.kind == "multiple choice" else ({}, None)
        assert all(feedback for letter, (_, feedback) in found.items() if letter != right), one.name


def test_sums():
    for one in DRAWN:
        for left, sign, right, value in SUM.findall(text_of(one.answer)):
            left, right, value = (int(number.replace(",", "")) for number in (left, right, value))
            assert value == (left * right if sign == "x" else left // right), one.name


def test_drawn_questions_have_the_numbers_that_stand_there():
    """With the first choice of each, which the page has."""
    for one, new in zip(DRAWN, exam.drawn(DRAWN, lambda _, choices: choices[0])):
        assert (one.asked, one.answer) == (new.asked, new.answer), one.name


def test_an_exam(tmp_path):
    make("exam", "CHAPTERS=2-4,21", "SEED=3", "POINTS=20")
    first = {path.name: path.read_text() for path in Path("build/exam").iterdir()}
    said = exam.write(tmp_path, "2-4,21", 20, "3")
    assert first == {path.name: path.read_text() for path in tmp_path.iterdir()}, "the second time it is another exam"
    asked = re.findall(r"<section><h2>\d+\. .*? \((\d+) points", first["exam.html"])
    assert sum(map(int, asked)) == 20 and "20 points" in said and "class='answer'" not in first["exam.html"]
    assert first["key.html"].count("class='answer'") == len(asked) == first["exam.gift"].count("[html]")


@pytest.mark.parametrize("settings, says", [
    (("CHAPTERS=2", "POINTS=900"), "has questions of"), (("CHAPTERS=2", "POINTS=x"), "not a whole number"),
    (("CHAPTERS=9-3",), "runs backwards")])
def test_refused_in_a_line(settings, says):
    done = make("exam", *settings, check=False)
    assert done.returncode and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
