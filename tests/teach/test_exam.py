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
OWN = """# Mine

## Chapter 2: Naive atomics

### 2.101 Calculate (G4, 3 points, 4 minutes)

A launch has 6 blocks of 64 threads. How many warps is that?

<details>
<summary>Answer</summary>

6 x 64 / 32 = 12.

</details>

<!-- drawn
blocks = 6 | 10
number = {blocks * 64 // 32}

A launch has {blocks} blocks of 64 threads. How many warps is that?

Answer: {blocks} x 64 / 32 = {number}.
-->

### 2.102 Multiple choice (G4, 1 point, 1 minute)

How many lanes has a warp?

- **a** 16
- **b** 32

<details>
<summary>Answer</summary>

**b.** **a** takes a half for the whole.

</details>
"""


def least(chapter):
    """The least number of questions of a chapter."""
    return 8 if 2 <= chapter <= 14 else 3


SUM = re.compile(r"([\d,]+) (x|/) ([\d,]+) = ([\d,]+)(?![\d.,]*\d)")


def text_of(blocks):
    return " ".join(block.text for block in blocks)


def test_bank():
    for chapter in {one.chapter for one in BANK}:
        assert sum(one.chapter == chapter for one in BANK) >= least(chapter), chapter
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


def test_a_private_question_is_drawn(tmp_path):
    """An exam of all points of a chapter has all questions, those of the lecturer's own file too, with drawn numbers."""
    own = tmp_path / "own.md"
    own.write_text(OWN)
    points = sum(one.points for one in BANK if one.chapter == 2) + 4
    said = exam.write(tmp_path / "exam", "2", points, "5", str(own))
    key = (tmp_path / "exam/key.html").read_text()
    assert f"{points} points" in said and "2.101 in the bank" not in key and "2.101 own.md" in key
    assert re.search(r"(6|10) x 64 / 32 = (12|20)\.", key) and "How many lanes has a warp?" in key
    with pytest.raises(exam.Wrong, match="POINTS"):
        exam.write(tmp_path / "exam", "2", points, "5")


@pytest.mark.parametrize("right, wrong, line, says", [
    ("(G4, 3 points, 4 minutes)", "(3 points)", 5, "a question begins like"),
    ("### 2.101", "### 3.101", 5, "stands below chapter 2"), ("### 2.101", "### 2.1", 5, "is question 2.1, too"),
    ("<summary>Answer", "<summary>Key", 5, "needs one answer"), ("Answer: {blocks}", "{blocks}", 5, "an empty line, and"),
    ("## Chapter 2: Naive atomics", "## Mine", 5, "not below a heading"), ("Chapter 2:", "Chapter 98:", 5, "stands below chapter 98"),
    ("{blocks * 64", "{block * 64", 5, "'block' is not defined"), ("- **b** 32", "- 32", 25, "a choice begins like")])
def test_a_mistake_in_a_private_question_is_told_with_its_line(tmp_path, right, wrong, line, says):
    own = tmp_path / "own.md"
    own.write_text(OWN.replace(right, wrong, 1))
    points = sum(one.points for one in BANK if one.chapter == 2) + 4
    with pytest.raises(exam.Wrong) as reason:
        exam.write(tmp_path / "exam", "2", points, "5", str(own))
    assert str(reason.value).startswith(f"{own}:{line}: ") and says in str(reason.value), reason.value


def test_make_reads_the_private_file(tmp_path):
    own = tmp_path / "own.md"
    own.write_text(OWN.replace("**b.** **a**", "**c.** **a**"))
    done = make("exam", "CHAPTERS=2", "POINTS=5", f"QUESTIONS={own}", check=False)
    assert done.returncode and f"{own}:25: " in done.stderr and done.stderr.count("\n") == 1, done.stderr
    done = make("exam", "CHAPTERS=2", f"QUESTIONS={tmp_path}/none.md", check=False)
    assert done.returncode and "No such file" in done.stderr and done.stderr.count("\n") == 1, done.stderr
