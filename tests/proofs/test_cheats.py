"""test_cheats.py - each attempt to fool the judge is refused, and by the right sentence.

tests/cheats/NN_name/what.c or what.cu takes the place of the chapter's file, or what what.patch makes of the
solution, where that is shorter. Its head says

    Tries: what, in words
    Refused: a part of the sentence with which its verdict begins
    BINS=26                              with how many bins it is built, otherwise 5
    Operations: argmax                   with which it is judged, otherwise the chapter's first

With "Refused to compile:" in place of "Refused:" there is no program of it, and these are words of the one line that
the compiler says. What the filter of system calls refuses is tried without bubblewrap, too.
"""
import re
from pathlib import Path

import pytest
from kernels import files, judged, operations, placed, sentence

CHEATS = files("tests/cheats/*/*.c", "tests/cheats/*/*.cu", "tests/cheats/*/*.patch")
FILTERED = "it asked the system"


def head_of(text):
    """(what refuses it, whether it compiles, bins, operations)."""
    comment = re.split(r"\*/|\n--- ", text)[0]
    words = " ".join(line.strip(" /*\t") for line in comment.splitlines())
    fields = re.match(r"Tries: .*? Refused( to compile)?: (.*?)(?: BINS=(\d+))?(?: Operations: ([a-z_ ]+))?\s*$", words)
    assert fields, "its head does not say what it tries, and how it is refused"
    return fields[2].strip(), not fields[1], fields[3] or "5", (fields[4] or "").split()


@pytest.mark.parametrize("path", CHEATS, ids=lambda path: path[len("tests/cheats/"):])
def test_cheat(path):
    refused, compiles, bins, named = head_of(Path(path).read_text())
    kernel = placed(path, "cheats")
    variants = named or operations(kernel.stem)[:1] or [bins]
    settings = {"JUDGE_SECONDS": "3"} if refused.startswith("did ") else {}  # where waiting is the point
    for sandbox in ({}, {"JUDGE_SANDBOX": "filter"})[:1 + (FILTERED in refused)]:
        outcome = judged(kernel, variants, **settings, **sandbox)
        said = [sentence(outcome)] if compiles else outcome.errors
        assert not outcome.passed, f"passes: {said}"
        assert len(said) == 1 and refused in said[0], f'not refused by "{refused}", but: {said}'
