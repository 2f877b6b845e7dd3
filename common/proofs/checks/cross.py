"""cross.py - proves that the solution of one chapter fails the suite of another.

A chapter asks for a technique, so another one must not pass: unless tests/exceptions.txt has
a line "05 06 reason" (the suite's chapter, the solution's, why it may pass); then it must.
Each pair of chapters of one contract, of the GPU's, and with the C of chapter 1 as if a student
had put it there. Nothing is compiled for a pair: the solution's programs are linked into a folder of
its own, where the verdict leaves its files.
"""
from collections import defaultdict
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof, Target

EXCEPTIONS = "tests/exceptions.txt"


def exceptions(path=EXCEPTIONS):
    """{("05", "06"): reason}."""
    lines = (line.split(None, 2) for line in Path(path).read_text().splitlines() if line.strip())
    return {(line[0], line[1]): line[2] for line in lines}


def line_of(name, reason, outcome):
    """The line for a pair; with a reason it must pass, without it must fail."""
    if not reason:
        wrong = judge.failure(name, "another technique", outcome)
        return wrong or f"ok {name}: another technique; caught by: {outcome.message}"
    if outcome.passed:
        return f"ok {name}: passes, since {reason}"
    return f"FAIL {name}: should pass, since {reason}; but fails: {outcome.message}"


# What has failed one solution soon is likely to fail the next.
experiences = defaultdict(judge.Experience)


def prove(suite, solution, folder, made, reason):
    judge.linked(folder, made)
    name = f"solution of {solution} in the place of {suite}"
    if reason:
        outcome = judge.judged(folder, course.source("solutions", solution), suite)
    else:
        outcome = judge.any_failure(folder, experiences[suite], course.operations(suite))
    return [line_of(name, reason, outcome)]


def lacking(suite, solution):
    """The operations of a chapter that the solution of another one does not take."""
    return set(course.operations(suite)) - set(course.operations(solution))


def program_of(solution, bins):
    """The variant and the folder of a solution's programs; C is compiled as CUDA C."""
    source = Path(course.source("solutions", solution))
    if source.suffix == ".cu":
        return "solution", f"{course.BUILD}/solution-{bins}/{solution}"
    build.put(Path(build.CROSSES, solution, source.stem + ".cu"), source)
    return "cross", f"{course.BUILD}/cross-{bins}/{solution}"


def built(folder, variant, bins, made):
    """What a pair needs."""
    kernels = (Target(variant, bins, made + kernel.removeprefix(folder))
               for kernel in judge.kernels_in(folder))
    return *kernels, Target("solution", bins, judge.suite_of(folder))


def proofs():
    reasons = exceptions()
    stems = course.stems("solutions")
    proved = []
    for suite in stems:
        mine = Path(course.source("solutions", suite))
        for solution in stems:
            other = Path(course.source("solutions", solution))
            if suite == solution or mine.suffix != ".cu" or mine.stem != other.stem:
                continue
            if lacking(suite, solution) or course.is_of_mpi(suite) != course.is_of_mpi(solution):
                continue  # it would not compile there
            bins = course.variants(suite)[0]
            reason = reasons.get((suite[:2], solution[:2]), "")
            variant, made = program_of(solution, bins)
            folder = f"{course.BUILD}/cross-{bins}/{suite}/{solution}"
            proved.append(Proof("cross", f"{suite}/{solution}",
                                partial(prove, suite, solution, folder, made, reason),
                                reads=(judge.VERDICT,), builds=built(folder, variant, bins, made),
                                knows=f"{reason} {course.SEED}", guess=1.5))
    return proved
