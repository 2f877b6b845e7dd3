"""break_exercises.py - proves that each wrong kernel of `make chapterN break` can be exposed, and hides.

A planted mistake is an exercise when its head says so: see common/course/break.c.
The text that the student's file begins with does not expose it, the key in the patch does. Each
chapter has at least two, numbered from 1 on. One exercise is worked through as a student does it, who is told nothing
before it is exposed, in tests/transcripts/05_privatized_global/solution.txt.
"""
import re
import subprocess
from functools import partial
from pathlib import Path

import build
import course
from proof import Proof, Target

FEWEST = 2  # in a chapter
HIDES = 'text = "abc"'
HOME = f"{course.BUILD}/proofs/breaks"


def exercise(patch):
    """(number, what hides it, what exposes it) of a patch; the number is 0 for one that is none."""
    head = Path(patch).read_text().split("\n--- ")[0]
    fields = dict(re.findall(r"^(Break|Hides|Exposed by): (.*)$", head, re.MULTILINE))
    return (int(fields.get("Break", 0)), fields.get("Hides", HIDES), fields.get("Exposed by", ""))


def exposed(program, name, lines):
    """The status of `expose` and what it says, of an experiment with these lines."""
    file = Path(HOME, name.replace("/", "+") + ".txt")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(lines.replace(" ; ", "\n") + "\n")
    done = subprocess.run([program, "the kernel", file, f"{file}.log"], text=True,
                          capture_output=True, env=course.environment())
    return done.returncode, (done.stdout + done.stderr).split("\n")[0]


def prove(name, program, hides, key):
    status, sentence = exposed(program, name, hides)
    if status != 1:
        return [f"FAIL break {name}: {hides} should not expose it: {sentence}"]
    status, sentence = exposed(program, name, key)
    if status != 0:
        return [f"FAIL break {name}: {key} should expose it: {sentence}"]
    return [f"ok break {name}: {key}: {sentence.split(': ')[-1]}"]


def prove_numbers(stem, numbers):
    if len(numbers) < FEWEST or sorted(numbers) != list(range(1, len(numbers) + 1)):
        return [f"FAIL break {stem}: exercises {sorted(numbers)}, not 1 to {FEWEST} or more"]
    return [f"ok break {stem}: {len(numbers)} wrong kernels"]


def proof_of(patch):
    one, (_, hides, key) = build.kernel(patch, "mutant"), exercise(patch)
    program = f"{one.folder}/expose"
    return Proof("break_exercises", one.name, partial(prove, one.name, program, hides, key),
                 reads=(patch, one.source), builds=(Target("mutant", 5, program),))


def proofs_of(stem):
    patches = [patch for patch in course.files(f"tests/mutants/{stem}/*.patch")
               if exercise(patch)[0]]
    numbers = [exercise(patch)[0] for patch in patches]
    return [*map(proof_of, patches),
            Proof("break_exercises", stem, partial(prove_numbers, stem, numbers), reads=tuple(patches))]


def proofs():
    stems = [stem for stem in course.text_stems("solutions") if course.number(stem) < 20]  # Part I
    return [one for stem in stems for one in proofs_of(stem)]
