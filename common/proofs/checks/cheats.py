"""cheats.py - proves that each attempt to fool the judge is refused, and by the right sentence.

tests/cheats/NN_name/what.c or what.cu takes the place of the chapter's file, or what what.patch
makes of the solution, where that is shorter. Its head says

    Tries: what, in words
    Refused: a part of the sentence with which its verdict begins
    BINS=26                              with how many bins it is built, otherwise 5
    Operations: argmax                   with which it is judged, otherwise the chapter's first

With "Refused to compile:" in place of "Refused:" there is no program of it, and these are words of the
one line that the compiler says. What the filter of system calls refuses is tried without bubblewrap, too.
"""
import re
import time
from collections import namedtuple
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof

PATIENCE = "3"  # seconds that a call may take, or wait, where that is the point: JUDGE_SECONDS

Head = namedtuple("Head", "tries refused bins operations compiles")
FILTERED = "it asked the system"


def head_of(text):
    """What the comment at the beginning says."""
    comment = re.split(r"\*/|\n--- ", text)[0]
    words = " ".join(line.strip(" /*\t") for line in comment.splitlines())
    fields = re.match(r"Tries: (.*?) Refused( to compile)?: (.*?)(?: BINS=(\d+))?"
                      r"(?: Operations: ([a-z_ ]+))?\s*$", words)
    return Head(fields[1], fields[3].strip(), int(fields[4] or 5), (fields[5] or "").split(),
                not fields[2]) if fields else None


def operations_of(stem, head):
    """The operations with which a cheat is judged: none where its kernel counts a text."""
    return head.operations or course.operations(stem)[:1] if head else None


def prove_compiled(name, head, bins, program):
    """The one line of a cheat that must not become a program."""
    status, log = build.run(build.command("cheat", bins, [program], 1))
    lines = [line for line in log.splitlines() if not line.startswith("make")]
    if status == 0:
        return [f"FAIL cheat {name}: compiles"]
    if len(lines) != 1 or head.refused not in lines[0]:
        return [f"FAIL cheat {name}: does not compile, but not by one line with \"{head.refused}\": {lines}"]
    return [f"ok cheat {name}: refused: {lines[0]}"]


def prove(one, head):
    """The lines of a cheat."""
    if not head:
        return [f"FAIL cheat {one.name}: its head does not say what it tries, and how it is refused"]
    return [line_of(one, head, sandbox) for sandbox in ((None, "filter") if FILTERED in head.refused else (None,))]


def line_of(one, head, sandbox):
    """The one line of a cheat, in a sandbox or in that which this machine has."""
    began, name = time.monotonic(), one.name
    settings = {"JUDGE_SECONDS": PATIENCE} if head.refused.startswith("did ") else {}
    outcome = judge.judged(one.folder, one.source, one.stem, head.bins, operations_of(one.stem, head), **settings,
                           **({"JUDGE_SANDBOX": sandbox} if sandbox else {}))
    first = (outcome.lines or ["nothing"])[0]
    if outcome.passed:
        return f"FAIL cheat {name}: passes: {first}"
    if head.refused not in first:
        return f"FAIL cheat {name}: refused, but not by \"{head.refused}\": {first}"
    return f"ok cheat {name}: refused in {time.monotonic() - began:.1f} s: {first}"


def proof_of(path):
    head = head_of(Path(path).read_text())
    one = build.kernel(path, "cheat", head.bins if head else 5)
    if not Path(one.source).exists():
        return Proof("cheats", one.name, partial(build.does_not_apply, path))
    if head and not head.compiles:
        return Proof("cheats", one.name, partial(prove_compiled, one.name, head, one.bins, f"{one.folder}/kernel.o"),
                     reads=(path, one.source, "common/sim/simcc", "common/sim/closed.sh"))
    return Proof("cheats", one.name, partial(prove, one, head), reads=(path, one.source, judge.VERDICT),
                 builds=build.judged("cheat", one.bins, one.folder, operations_of(one.stem, head)),
                 knows=course.SEED, guess=2)


def proofs():
    return [proof_of(path) for path in course.files("tests/cheats/*/*")]
