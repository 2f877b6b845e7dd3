"""test_cross.py - the solution of one chapter fails the suite of another.

A chapter asks for a technique, so another one must not pass: unless tests/exceptions.txt has a line "05 06 reason"
(the suite's chapter, the solution's, why it may pass); then it must. Each pair of chapters of one contract, of the
GPU's, and with the C of chapter 1 as if a student had put it there.
"""
from pathlib import Path

import pytest
from kernels import assert_refused, contract, in_place_of, is_of_mpi, judged, operations, source, stems


def exceptions():
    """{("05", "06"): reason}."""
    lines = (line.split(None, 2) for line in Path("tests/exceptions.txt").read_text().splitlines() if line.strip())
    return {(line[0], line[1]): line[2] for line in lines}


def pairs():
    """The pairs of which one compiles in the place of the other."""
    return [(stem, other) for stem in stems() for other in stems()
            if stem != other and source("solutions", stem).endswith(".cu") and contract(stem) == contract(other)
            and is_of_mpi(stem) == is_of_mpi(other) and set(operations(stem)) <= set(operations(other))]


@pytest.mark.parametrize("stem, other", pairs())
def test_cross(stem, other):
    kernel, reason = in_place_of(stem, other, "cross"), exceptions().get((stem[:2], other[:2]))
    if reason:
        outcome = judged(kernel)
        assert outcome.passed, f"should pass, since {reason}: {outcome.message}"
        return
    outcome = judged(kernel, operations(stem)[:1])
    if outcome.passed and operations(stem):  # a technique may be judged with another operation alone
        outcome = judged(kernel)
    assert_refused(outcome, "another technique")
