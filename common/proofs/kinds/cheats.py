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
import subprocess
import time
from collections import namedtuple
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof

PATIENCE = "3"  # seconds that a call may take, or wait, where that is the point: JUDGE_SECONDS
LIMIT = 900     # seconds for a verdict, even on a machine that has much to do

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


def verdict_on(folder, source, stem, head, sandbox=None):
    """The status of a verdict and its lines."""
    command = [judge.VERDICT, "verdict", "--jobs", "1", "--kernel", folder, judge.suite_of(folder), source,
               str(course.number(stem)), str(head.bins)]
    settings = judge.asked(stem, operations_of(stem, head))
    if head.refused.startswith("did "):
        settings["JUDGE_SECONDS"] = PATIENCE
    if sandbox:
        settings["JUDGE_SANDBOX"] = sandbox
    run = subprocess.run(command, text=True, errors="replace", capture_output=True, timeout=LIMIT,
                         env=course.environment(**settings))
    return run.returncode, run.stdout.splitlines()


def prove_compiled(name, head, bins, kernel):
    """The one line of a cheat that must not become a program."""
    status, said = build.run(build.command("cheat", bins, [kernel], 1))
    lines = [line for line in said.splitlines() if not line.startswith("make")]
    if status == 0:
        return [f"FAIL cheat {name}: compiles"]
    if len(lines) != 1 or head.refused not in lines[0]:
        return [f"FAIL cheat {name}: does not compile, but not by one line with \"{head.refused}\": {lines}"]
    return [f"ok cheat {name}: refused: {lines[0]}"]


def prove(name, head, folder, source):
    """The lines of a cheat."""
    if not head:
        return [f"FAIL cheat {name}: its head does not say what it tries, and how it is refused"]
    return [prove_in(sandbox, name, head, folder, source)[0]
            for sandbox in ((None, "filter") if FILTERED in head.refused else (None,))]


def prove_in(sandbox, name, head, folder, source):
    """The one line of a cheat, in a sandbox or in that which this machine has."""
    began = time.monotonic()
    try:
        status, lines = verdict_on(folder, source, name.split("/")[0], head, sandbox)
    except subprocess.TimeoutExpired:
        return [f"FAIL cheat {name}: there is no verdict after {LIMIT} s"]
    first = lines[0] if lines else "nothing"
    if status == 0:
        return [f"FAIL cheat {name}: passes: {first}"]
    if head.refused not in first:
        return [f"FAIL cheat {name}: refused, but not by \"{head.refused}\": {first}"]
    return [f"ok cheat {name}: refused in {time.monotonic() - began:.1f} s: {first}"]


def proof_of(cheat):
    head, source = head_of(Path(cheat).read_text()), build.kernel_of(cheat, build.CHEATS)
    name = f"{Path(cheat).parent.name}/{Path(cheat).stem}"
    if not Path(source).exists():
        return Proof("cheats", name, partial(build.does_not_apply, cheat))
    bins = head.bins if head else 5
    bins = "keys" if course.operations(name.split("/")[0]) else bins
    folder = f"{course.BUILD}/cheat-{bins}/{name}"
    if head and not head.compiles:
        kernel = f"{folder}/kernel.o"
        return Proof("cheats", name, partial(prove_compiled, name, head, bins, kernel),
                     reads=(cheat, source, "common/sim/simcc", "common/sim/closed.sh"))
    operations = operations_of(name.split("/")[0], head)
    return Proof("cheats", name, partial(prove, name, head, folder, source),
                 reads=(cheat, source, judge.VERDICT), builds=build.judged("cheat", bins, folder, operations),
                 knows=course.SEED, guess=2)


def proofs():
    return [proof_of(cheat) for cheat in course.files("tests/cheats/*/*")]
