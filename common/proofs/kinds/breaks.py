"""breaks.py - proves that each wrong kernel of `make chapterN break` can be exposed, and hides.

A planted mistake is an exercise when its head says so: see common/course/break.c.
The text that the student's file begins with does not expose it, the key in the patch does. Each
chapter has at least two, numbered from 1 on. One exercise is worked through as a student does it:
nothing is told before it is exposed.
"""
import re
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

import build
import course
from kinds import mutants
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
    done = subprocess.run([program, "the kernel", file, f"{file}.said"], text=True,
                          capture_output=True, env=course.environment())
    return done.returncode, (done.stdout + done.stderr).split("\n")[0]


def prove(name, program, hides, key):
    status, said = exposed(program, name, hides)
    if status != 1:
        return [f"FAIL break {name}: {hides} should not expose it: {said}"]
    status, said = exposed(program, name, key)
    if status != 0:
        return [f"FAIL break {name}: {key} should expose it: {said}"]
    return [f"ok break {name}: {key}: {said.split(': ')[-1]}"]


def prove_numbers(stem, numbers):
    if len(numbers) < FEWEST or sorted(numbers) != list(range(1, len(numbers) + 1)):
        return [f"FAIL break {stem}: exercises {sorted(numbers)}, not 1 to {FEWEST} or more"]
    return [f"ok break {stem}: {len(numbers)} wrong kernels"]


def typed(stem, folder):
    """What `make chapterN break` prints for a student with this folder of chapters."""
    done = subprocess.run([course.MAKE, "-s", "--no-print-directory", "-f",
                           "common/make/variant.mk", f"CC={course.CC}", f"CXX={course.CXX}",
                           "KIND=chapter", "BINS=5", f"CHAPTERS={folder}", f"STEMS={stem}",
                           "break"],
                          text=True, capture_output=True, env=course.environment())
    return done.returncode, done.stdout + done.stderr


def told_wrong(stem, patch, folder):
    """What is wrong with an exercise from its begin to its end, or None."""
    reason, key = mutants.head_of(Path(patch).read_text()).reason, exercise(patch)[2]
    file = folder / stem / "break" / "1.txt"
    status, said = typed(stem, folder)
    hidden = [Path(patch).stem, reason[:20], key]
    if status == 0 or "not exposed: " not in said or any(words in said for words in hidden):
        return f"with the file as it is made it says: {said}"
    # Another text each time: one that has exposed it is known.
    file.write_text(f"# {time.time_ns()}\n" + key.replace(" ; ", "\n") + "\n")
    status, said = typed(stem, folder)
    wanted = ["exposed: ", "why: " + reason, f"next: make chapter{course.number(stem)} break"]
    missing = [words for words in wanted if words not in said]
    if status != 0 or missing:
        return f"with {key} it does not say {missing}: {said}"
    status, said = typed(stem, folder)
    return None if "wrong kernel 2 of " in said else f"after the first comes no second: {said}"


def prove_story(stem, patch):
    """As a student does it, in a folder with a copy of the chapter. What is known stays known."""
    folder, memory = Path(HOME, "chapters"), Path("build/breaks", stem, "1", "exposed")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(f"chapters/{stem}", folder / stem,
                    ignore=shutil.ignore_patterns("break", "further"))
    known = memory.read_bytes() if memory.exists() else None
    wrong = told_wrong(stem, patch, folder)
    if known is not None:
        memory.write_bytes(known)
    if wrong:
        return [f"FAIL break {stem}: {wrong}"]
    return [f"ok break {stem}: the first is exposed as a student does it, and the next comes"]


def proof_of(patch):
    one, (_, hides, key) = build.kernel(patch, "mutant"), exercise(patch)
    program = f"{one.folder}/expose"
    return Proof("breaks", one.name, partial(prove, one.name, program, hides, key),
                 reads=(patch, one.source), builds=(Target("mutant", 5, program),))


def proofs_of(stem):
    patches = [patch for patch in course.files(f"tests/mutants/{stem}/*.patch")
               if exercise(patch)[0]]
    numbers = [exercise(patch)[0] for patch in patches]
    return [*map(proof_of, patches),
            Proof("breaks", stem, partial(prove_numbers, stem, numbers), reads=tuple(patches))]


def proof_of_story(stem):
    first = next(patch for patch in course.files(f"tests/mutants/{stem}/*.patch")
                 if exercise(patch)[0] == 1)
    sources = course.files("common/course/*", "common/contracts/histogram/expose.c",
                           "common/make/variant.mk")
    return Proof("breaks", f"{stem}-typed", partial(prove_story, stem, first),
                 reads=(first, course.source("solutions", stem), *sources))


def proofs():
    stems = [stem for stem in course.of_texts("solutions") if course.number(stem) < 20]  # Part I
    told = stems[1:2]  # the first with a kernel
    return [one for stem in stems for one in proofs_of(stem)] + [
        proof_of_story(stem) for stem in told]
