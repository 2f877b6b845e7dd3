"""test_answers.py - what `make predict` counts in a solution is the lesson's answer.

Under Predict of a lesson comments say what counts an answer (common/course/lesson.h). Each number that is counted in the
kernel stands in the answer that is folded, rounded as it likes, or as a word.
"""
import re
import subprocess
from pathlib import Path

import pytest
from kernels import BUILD, LADDER, environment, make, stems

WORDS = {0: "none", 1: "one|once", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 10: "ten"}
ROW = re.compile(r"^ *(\d+)\. (.{28}) *[\d,.]+ *([\d,.]+)  ", re.MULTILINE)  # with * it is the lesson's own
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def answers(stem):
    """{number of a question: the answer that is folded}"""
    predict = re.search(r"^## Predict\n(.*?)(?=^## )", Path(f"docs/{stem}.md").read_text(), re.MULTILINE | re.DOTALL)[1]
    folded = re.sub(r"<!--.*?-->", "", predict.partition("<details")[2])
    return {int(item[0]): item[1] for item in re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", folded, re.MULTILINE | re.DOTALL)}


def is_said(counted, answer):
    numbers = [float(number.replace(",", "")) for number in NUMBER.findall(answer)]
    word = re.search(rf"\b(?:{WORDS.get(counted, 'no such word')})\b", answer, re.IGNORECASE)
    return bool(word) or any(abs(counted - number) <= max(0.005, 0.005 * counted) for number in numbers)


@pytest.mark.parametrize("stem", stems())
def test_answers(stem, tmp_path):
    make(LADDER)
    Path(tmp_path, stem).mkdir()
    done = subprocess.run([LADDER, "predict", BUILD, f"{tmp_path}/{stem}", "solution"], input="1\n" * 40, text=True,
                          capture_output=True, env=environment())
    assert done.returncode == 0 and "it is not done yet" not in done.stdout, done.stdout + done.stderr
    folded, rows = answers(stem), ROW.findall(done.stdout)
    assert len(rows) == len(re.findall(r"<!-- count: .* = .*[a-z]{2}.* -->", Path(f"docs/{stem}.md").read_text()))
    for number, label, counted in rows:
        value = float(counted.replace(",", ""))
        assert is_said(value, folded[int(number)]), f"{label.strip()}: {counted} is not in: {folded[int(number)]}"
