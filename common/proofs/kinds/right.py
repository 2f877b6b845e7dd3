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
import time
import zlib
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof

MOST_SECONDS = 900  # of one verdict, with one test at a time and others at work: no bound to reach


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


def verdict(name, reason, outcome, seconds):
    """The one line of a right kernel."""
    said = "\n".join(outcome.lines)
    if seconds > MOST_SECONDS:
        return f"FAIL right {name}: its verdict takes {seconds:.0f} s"
    if reason is None and outcome.passed:
        return f"ok right {name}: passes"
    if reason is None:
        return f"FAIL right {name}: is right, but refused: {outcome.said}"
    if outcome.passed:
        return f"FAIL right {name}: passes, but its head says that it is refused: {reason}"
    if outcome.caught or set(outcome.failed) - {"counter"}:
        return f"FAIL right {name}: refused, but not for its technique: {outcome.said}"
    if reason not in said:
        return f"FAIL right {name}: refused, but without the words: {reason}: {outcome.said}"
    return f"ok right {name}: refused for its technique: {reason}"


def prove(name, kernel, source):
    stem = name.split("/")[0]
    text = Path(kernel).read_text(encoding="utf-8")
    reason = reason_of(text)
    letter = {"SIM_CHECKS": "all,strict"} if "By the letter" in text else {}
    begun = time.monotonic()
    bins = course.variants(stem)[0]
    outcome = judge.judged(f"{course.BUILD}/right-{bins}/{name}", source, stem, bins,
                           operations_of(name, text), **letter)
    return [verdict(name, reason, outcome, time.monotonic() - begun)]


def proof_of(kernel):
    name = f"{Path(kernel).parent.name}/{Path(kernel).stem}"
    source = build.kernel_of(kernel, build.RIGHT)
    if not Path(source).exists():
        return Proof("right", name, partial(build.does_not_apply, kernel))
    bins = course.variants(Path(kernel).parent.name)[0]
    builds = build.judged("right", bins, f"{course.BUILD}/right-{bins}/{name}",
                          operations_of(name, Path(kernel).read_text(encoding="utf-8")))
    return Proof("right", name, partial(prove, name, kernel, source),
                 reads=(kernel, source, judge.VERDICT), builds=builds, knows=course.SEED, guess=6)


def proofs():
    return [proof_of(kernel) for kernel in course.files("tests/right/*/*")]
