"""solutions.py - proves that each solution passes, with every number of bins, or refuses.

The verdicts are those of make test: make judges anew only what has changed since. A solution
refuses a number of bins with an #error, whose words its verdict repeats. And no check of the
simulator has a word to say of a solution, on the schedules of 20 seeds (kind "seeds"), also by the
letter of PTX; of a solution with operations and fences its suite judges the last of these so.
"""
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof, Target

SEEDS, FEW = range(1, 21), 4


def judged(name, verdict, refused):
    """The line about a verdict, whose first line says how it went."""
    first = (verdict.splitlines() or ["it is empty"])[0]
    wanted = f": refuses, and says: {refused}" if refused else ": right on "
    if wanted in first:
        return f"ok {first}"
    return f"FAIL solution {name}: {first}"


def prove(source, bins, verdict):
    name = f"{Path(source).parent.name} with {bins}" + (" bins" if bins != "keys" else "")
    message = Path(verdict).with_name("log").read_text()  # what failed has said, but has no verdict
    return [judged(name, message, course.refusal(source, bins))]


def prove_seeds(stem, row):
    """A run of the program `row` for each seed, until one says something or counts wrong. What a
    kernel for several devices makes once, it keeps; to start ranks takes a second."""
    checks = "all,strict" + ("" if course.contract(stem) == "many" else ",leakcheck")
    seeds = SEEDS[:FEW] if course.is_of_mpi(stem) else SEEDS
    for seed in seeds:
        status, right, message = judge.counts_right(row, SIM_CHECKS=checks, SIM_SEED=str(seed))
        if status != 0 or message or not right:
            return [f"FAIL {stem} with seed {seed}: status {status}, {'right' if right else 'wrong bins'}: "
                    f"{(message.splitlines() or ['it says nothing'])[0]}"]
    return [f"ok {stem}: right with {len(seeds)} seeds, and no check says a word"]


def prove_letter(stem, source, folder):
    outcome = judge.judged(folder, source, stem, "keys", course.operations(stem)[-1:],
                           SIM_CHECKS="all,strict")
    failed = judge.failure(f"seeds {stem}", "by the letter of PTX", outcome)
    return [f"FAIL {stem} by the letter of PTX: {outcome.message}" if failed is None
            else f"ok {stem}: right by the letter of PTX, too"]


def proofs():
    proved = []
    for stem in course.stems("solutions"):
        source = course.source("solutions", stem)
        for bins in course.variants(stem):
            verdict = f"{course.BUILD}/solution-{bins}/{stem}/verdict"
            proved.append(Proof("solutions", f"{stem}-{bins}",
                                partial(prove, source, bins, verdict), reads=(source,),
                                builds=(Target("solution", bins, verdict),)))
        if course.operations(stem):
            folder = f"{course.BUILD}/solution-keys/{stem}"
            if "__threadfence" in Path(source).read_text():
                proved.append(Proof("seeds", stem, partial(prove_letter, stem, source, folder),
                                    reads=(source, judge.VERDICT),
                                    builds=build.judged("solution", "keys", folder), guess=3))
            continue
        row = f"{course.BUILD}/solution-5/{stem}/row"
        proved.append(Proof("seeds", stem, partial(prove_seeds, stem, row), reads=(course.TEXT,),
                            builds=(Target("solution", 5, row), build.INPUT), guess=3))
    return proved
