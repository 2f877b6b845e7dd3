"""test_right.py - right kernels pass, in whatever style they are written.

tests/right/NN_name/what.cu, or .c in a chapter of plain C, is a kernel as other people write one; what.patch makes
one of the solution, where that is shorter. It must pass the suite of chapter NN, unless its head says

    Refused: words

and then the suite must refuse it for its technique, with these words in what the student reads. One whose head says
"By the letter" is judged under SIM_CHECKS=strict. Of a chapter with operations it is judged with the first and with
one more, which its name draws, or with those of a line "Operations: argmax minmax".
"""
import re
import zlib
from pathlib import Path

import pytest
from kernels import files, judged, operations, placed

RIGHT = files("tests/right/*/*.c", "tests/right/*/*.cu", "tests/right/*/*.patch")


def operations_of(kernel, head):
    """The operations with which it is judged; none where it counts a text."""
    named = re.search(r"Operations: ([a-z_ ]+)", head)
    if named or not operations(kernel.stem):
        return named.group(1).split() if named else ()
    first, *others = operations(kernel.stem)
    return [first, *([others[zlib.crc32(kernel.name.encode()) % len(others)]] if others else [])]


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path[len("tests/right/"):])
def test_right(path):
    kernel, head = placed(path, "right"), Path(path).read_text(encoding="utf-8")
    outcome = judged(kernel, operations_of(kernel, head), **({"SIM_CHECKS": "all,strict"} if "By the letter" in head else {}))
    refused = re.search(r"Refused: (.*?)(?:\s*\*/)?\s*$", head, re.MULTILINE)
    if not refused:
        assert outcome.passed, f"is right, but refused: {outcome.message}"
        return
    assert not outcome.passed, f"passes, but its head says that it is refused: {refused[1]}"
    assert not outcome.caught and set(outcome.failed) <= {"counter"}, f"not refused for its technique: {outcome.message}"
    assert refused[1] in "\n".join(outcome.lines), f"refused without these words: {outcome.message}"
