"""right.py - proves that right kernels pass, in whatever style they are written.

tests/right/NN_name/what.cu, or .c in a chapter of plain C, is a histogram() as other people write
one; what.patch makes one of the solution, where that is shorter. It must pass the suite of chapter
NN, unless its head says

    Refused: words

and then the suite must refuse it for its technique, with these words in what the student reads.
One whose head says "By the letter" is judged under SIM_CHECKS=strict. Of a chapter with operations it is judged
with the first and with one more, which its name draws, or with those of a line "Operations: argmax minmax".
"""
import re
import zlib
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof


def reason_of(text):
    """The words with which a kernel is refused, or None."""
    found = re.search(r"Refused: (.*?)(?:\s*\*/)?\s*$", text, re.MULTILINE)
    return found.group(1) if found else None


def operations_of(name, text):
    """The operations with which a right kernel is judged; none where it counts a text."""
    named = re.search(r"Operations: ([a-z_ ]+)", text)
    first, *others = course.operations(name.split("/")[0]) or [None]
    if first is None or named:
        return named.group(1).split() if named else None
    return [first, others[zlib.crc32(name.encode()) % len(others)]] if others else [first]


def verdict(name, reason, outcome):
    """The one line of a right kernel."""
    if reason is None and outcome.passed:
        return f"ok right {name}: passes"
    if reason is None:
        return f"FAIL right {name}: is right, but refused: {outcome.message}"
    if outcome.passed:
        return f"FAIL right {name}: passes, but its head says that it is refused: {reason}"
    if outcome.caught or set(outcome.failed) - {"counter"}:
        return f"FAIL right {name}: refused, but not for its technique: {outcome.message}"
    if reason not in "\n".join(outcome.lines):
        return f"FAIL right {name}: refused, but without the words: {reason}: {outcome.message}"
    return f"ok right {name}: refused for its technique: {reason}"


def prove(one, text):
    letter = {"SIM_CHECKS": "all,strict"} if "By the letter" in text else {}
    outcome = judge.judged(one.folder, one.source, one.stem, one.bins, operations_of(one.name, text), **letter)
    return [verdict(one.name, reason_of(text), outcome)]


def proof_of(path):
    one, text = build.kernel(path, "right"), Path(path).read_text(encoding="utf-8")
    if not Path(one.source).exists():
        return Proof("right", one.name, partial(build.does_not_apply, path))
    return Proof("right", one.name, partial(prove, one, text), reads=(path, one.source, judge.VERDICT),
                 builds=build.judged("right", one.bins, one.folder, operations_of(one.name, text)),
                 knows=course.SEED, guess=6)


def proofs():
    return [proof_of(path) for path in course.files("tests/right/*/*")]
