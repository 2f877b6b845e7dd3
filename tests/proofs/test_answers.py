"""test_answers.py - what `make chapterN solution predict` shows is the lesson's folded answer.

Under Predict of each lesson comments say what counts an answer (common/course/lesson.h). Here every question is answered
with 1; then each number that the program shows beside it stands in the folded answer of that question, in digits or as
a word. Those with a star are the lesson's own.
"""
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from kernels import CC, environment, number, stems

ROW = re.compile(r"^ *(\d+)\. .{30} +1 +([\d,.]*\d)(\*?) ", re.MULTILINE)
WORDS = ("none|no", "one|once", "two", "three", "four", "five", "six")  # 0 to 6
COUNTED = [stem for stem in stems() if "<!-- count: " in "".join(map(Path.read_text, Path("docs").glob(f"{stem}.md")))]


def folded_answers(page):
    """{question: its folded answer} of what is under Predict."""
    section = re.search(r"^## Predict\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)[1]
    inside = "\n".join(re.findall(r"<details.*?</details>", section, re.DOTALL))
    return dict(re.findall(r"^(?:\*\*)?(\d+)\.(?:\*\*)? (.*?)(?=^(?:\*\*)?\d+\. |\Z)", inside, re.MULTILINE | re.DOTALL))


def stands_in(value, answer):
    word = WORDS[int(value)] if value in "0123456" else value
    return re.search(rf"(?<![\d.,]){re.escape(value)}(?!\d|[.,]\d)|\b(?:{word})\b", answer, re.IGNORECASE)


@pytest.mark.parametrize("stem", COUNTED)
def test_answers(stem):
    home = Path("build/proofs/predict", stem)
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(Path("chapters", stem), home / stem)
    done = subprocess.run(["make", "-s", f"CC={CC}", f"CHAPTERS={home}", f"chapter{number(stem)}", "solution", "predict"],
                          input="1\n" * 60, text=True, capture_output=True, env=environment())
    answers, rows = folded_answers(Path(f"docs/{stem}.md").read_text()), ROW.findall(done.stdout)
    assert rows, f"shows no number: {done.stdout[-600:]}{done.stderr[-200:]}"
    for question, value, star in rows:
        assert star or stands_in(value, answers[question]), f"{question}: {value} is not in the answer: {answers[question]}"
