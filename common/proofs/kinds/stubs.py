"""stubs.py - proves that each stub is its solution with empty gaps, and fails by saying so.

Four lines each: it is what `make chapterN reset` makes of the solution, so that solving only adds
lines; each gap is empty; the untouched stub's verdict begins with its first gap; and in its folder
`make test` works, by a Makefile of one line.
"""
import subprocess
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof

GAPS = f"{course.BUILD}/tools/ladder"
ALL_EMPTY = 2
MAKEFILE = "include ../Makefile\n"


def is_derived(stub, solution):
    """The line about the stub that the solution gives, which `make chapterN reset` brings back."""
    made = subprocess.run([GAPS, "gaps", "--stub", solution], capture_output=True,
                          env=course.environment())
    if made.returncode:
        return f"FAIL {stub}: {solution} gives no stub: {made.stderr.decode().strip()}"
    if made.stdout == Path(stub).read_bytes():
        return f"ok {stub}: it is its solution with empty gaps"
    return f"FAIL {stub}: is not {solution} with empty gaps: {GAPS} gaps --stub {solution} >{stub}"


def gaps_empty(stub, status, printed):
    """The line about what the program `gaps` said."""
    if status == ALL_EMPTY:
        return f"ok {stub}: {len(printed.splitlines())} gaps, all empty"
    if status > ALL_EMPTY:
        return f"FAIL {stub}: {' '.join(printed.split())}"
    return f"FAIL {stub}: not all of its gaps are empty, or there are none"


def not_done_yet(stub, number, first):
    """The line about the first line of the verdict."""
    said = first.partition(": ")[2]
    if first.startswith(f"{stub}:") and said.startswith(f"not done yet: TODO({number}."):
        return f"ok {stub}: fails with: {said}"
    return f"FAIL {stub}: the suite should say that it is not done yet, but says: {first}"


def makefile_line(stub):
    """The line about the Makefile beside the stub."""
    makefile = Path(stub).with_name("Makefile")
    if makefile.is_file() and makefile.read_text() == MAKEFILE:
        return f"ok {makefile}: make test works there"
    return f"FAIL {makefile}: is not the line that all have: {MAKEFILE.strip()}"


def prove(stub, solution, folder, stem):
    gaps = subprocess.run([GAPS, "gaps", stub], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=course.environment())
    verdict = judge.judged(folder, stub, stem, course.variants(stem)[0])
    return [is_derived(stub, solution), gaps_empty(stub, gaps.returncode, gaps.stdout),
            not_done_yet(stub, course.number(stem), (verdict.lines or [""])[0]), makefile_line(stub)]


def proof_of(stem):
    stub, solution = course.source("chapters", stem), course.source("solutions", stem)
    bins = course.variants(stem)[0]
    folder = f"{course.BUILD}/chapter-{bins}/{stem}"
    return Proof("stubs", stem, partial(prove, stub, solution, folder, stem),
                 reads=(stub, solution, GAPS, judge.VERDICT, *course.files(f"chapters/{stem}/Makefile")),
                 builds=build.judged("chapter", bins, folder), knows=course.SEED)


def proofs():
    """Of all stubs whose solution is here: solutions may be handed out later."""
    solved = course.stems("solutions")
    return [proof_of(stem) for stem in course.stems("chapters") if stem in solved]
