"""further.py - proves that each exercise of a "Go further" has a verdict that can be passed, and not
by what the student has already.

tests/further/NN_name.c judges the exercise of chapter NN. solutions/NN_name/further/ passes it with
every number of bins that it accepts, by the letter of PTX, too; the chapter's plain solution, which
counts right, is refused for its technique: by a counter, and by nothing else.
"""
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof


def passes(name, bins, outcome):
    """The line of a reference."""
    first = (outcome.lines or ["it says nothing"])[0]
    if not outcome.passed:
        return f"FAIL further {name} with {bins} bins: the reference is refused: {outcome.message}"
    if " technique: " not in first:
        return f"FAIL further {name} with {bins} bins: no technique is judged: {first}"
    return f"ok {first}"


def is_refused(name, outcome):
    """The line of the chapter's plain solution in the place of the exercise."""
    if outcome.passed:
        return f"FAIL further {name}: the chapter's own solution passes, unchanged"
    if outcome.caught or not outcome.failed or set(outcome.failed) - {"counter"}:
        return (f"FAIL further {name}: the chapter's own solution is refused, but not for its "
                f"technique: {outcome.message}")
    return f"ok further {name}: the chapter's own solution is refused: {outcome.message}"


def prove(stem, bins, folder, source, judged):
    operations = course.exercise_operations(stem)
    return [judged(judge.judged(folder, source, stem, bins, operations, SIM_CHECKS="all,strict"))]


def no_reference(name):
    return [f"FAIL further {name}: there is no kernel in solutions/{name}/further"]


def proof_of(stem, variant, bins, source, judged):
    """One verdict of the exercise's suite; `judged` makes a line of what comes of it."""
    folder = f"{course.BUILD}/{variant}-{bins}/{stem}/further"
    return Proof("further", f"{stem}-{variant}-{bins}",
                 partial(prove, stem, bins, folder, source, judged),
                 reads=(source, judge.VERDICT), knows=course.SEED,
                 builds=build.judged(variant, bins, folder), guess=4)


def proofs_of(stem):
    """Those of the reference, and that of the plain solution with the fewest bins they share."""
    reference = course.source("solutions", f"{stem}/further")
    if not reference:
        return [Proof("further", stem, partial(no_reference, stem), reads=(f"solutions/{stem}",))]
    solution = Path(course.source("solutions", stem))
    plain = build.put(Path(build.PLAIN, stem, "further", solution.name), solution)  # in the place of an exercise
    accepted = [bins for bins in course.variants(stem) if not course.refusal(reference, bins)]
    shared = [bins for bins in accepted if not course.refusal(plain, bins)]
    return [*(proof_of(stem, "solution", bins, reference, partial(passes, stem, bins))
              for bins in accepted),
            *(proof_of(stem, "plain", bins, plain, partial(is_refused, stem))
              for bins in shared[:1])]


def proofs():
    return [one for suite in course.files("tests/further/*.c") for one in proofs_of(Path(suite).stem)]
