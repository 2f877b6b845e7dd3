"""stubs.py - proves that each stub is its solution with empty gaps, and fails by saying so.

Four lines each: it is what `make chapterN reset` makes of the solution, so that solving only adds
lines; each gap is empty; the untouched stub's verdict begins with its first gap; and in its folder
`make test` works, by a Makefile of one line.

And that the last hints of a lesson compile as they are printed (kind "hints"): each gap gets its hint "the line", and
nothing else, which is what a student has who types it in.
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
    sentence = first.partition(": ")[2]
    if first.startswith(f"{stub}:") and sentence.startswith(f"not done yet: TODO({number}."):
        return f"ok {stub}: fails with: {sentence}"
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


def last_hints(stem, lesson):
    """{"5.1": the lines of its last hint} of a lesson."""
    lines = Path(lesson).read_text().splitlines()
    return {hint["gap"]: [line for line in lines[hint["lines"][0] - 1:hint["lines"][1]] if "```" not in line]
            for hint in course.chapters("chapters")[stem]["hints"] if hint["step"] == "the line"}


def filled(stub, hints):
    """The stub's text with the hints in its gaps, and the gaps that have none."""
    lines, gaps = Path(stub).read_text().splitlines(), course.gaps(stub)
    for gap in reversed(gaps):
        lines[gap.end - 1 - len(gap.code):gap.end - 1] = hints.get(gap.name, [])
    return "\n".join(lines) + "\n", [gap.name for gap in gaps if gap.name not in hints]


def command(stem, source):
    """How the source is compiled, to an object beside it."""
    compiler = [course.CC] if source.endswith(".c") else ["common/sim/simcc"]
    flags = ["-c", "-o", f"{source}.o", "-Icommon/contract"]
    operations = course.operations(stem)
    flags.append(f"-DOPERATION={operations[0]}" if operations else f"-DBINS={course.variants(stem)[0]}")
    if course.is_of_mpi(stem):
        flags += subprocess.run(["mpicc", "-showme:compile"], text=True,
                                capture_output=True, check=True).stdout.split()
    return [*compiler, *flags, source]


def prove_hints(stem, stub, lesson):
    text, missing = filled(stub, last_hints(stem, lesson))
    if missing:
        return [f"FAIL hints {stem}: no last hint for {', '.join(missing)}"]
    copy = Path(course.BUILD, "hints", stem, Path(stub).name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text)
    made = subprocess.run(command(stem, str(copy)), text=True, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, env=course.environment())
    sentence = next((line for line in made.stderr.splitlines() if "error" in line), "")
    if made.returncode:
        return [f"FAIL hints {stem}: the stub with its last hints does not compile: {sentence}"]
    return [f"ok hints {stem}: the stub compiles with its {text.count('end of TODO')} last hints"]


def proofs():
    """Of all stubs; those are compared with solutions that are here, which may be handed out later."""
    stems, solved = course.stems("chapters"), course.stems("solutions")
    hinted = [(stem, course.source("chapters", stem), f"docs/{stem}.md") for stem in stems]
    return [*(proof_of(stem) for stem in stems if stem in solved),
            *(Proof("hints", stem, partial(prove_hints, stem, stub, lesson), reads=(stub, lesson, course.LADDER))
              for stem, stub, lesson in hinted)]
