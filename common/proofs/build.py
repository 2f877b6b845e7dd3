"""build.py - asks make for the programs of the proofs: one call for each variant."""
import os
import subprocess
from collections import defaultdict
from pathlib import Path

import course
from proof import Target

CROSSES = f"{course.BUILD}/crosses"
INPUT = Target("solution", 5, f"{course.BUILD}/common-5/histogram/input")


def command(variant, bins, files, *options):
    return [course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk",
            f"CC={course.CC}", f"CXX={course.CXX}", f"KIND={variant}", f"BINS={bins}",
            *([f"FROM={CROSSES}"] if variant == "cross" else []), *options, *files]


def is_made(variant, bins, path):
    """Whether make has nothing left to do for a file."""
    asked = subprocess.run(command(variant, bins, [path], "-q"), capture_output=True,
                           env=course.environment())
    return asked.returncode == 0 and os.path.exists(path)


def make(targets, jobs):
    """Builds all targets. Returns what could not be built: {path: what make said}."""
    variants, broken = defaultdict(set), {}
    for target in targets:
        variants[target.variant, target.bins].add(target.path)
    for (variant, bins), paths in sorted(variants.items()):
        called = command(variant, bins, sorted(paths), "-k", f"-j{jobs}")
        done = subprocess.run(called, text=True, capture_output=True, env=course.environment())
        if done.returncode != 0:
            said = first_error(done.stderr or done.stdout)
            broken.update((path, said) for path in paths if not is_made(variant, bins, path))
    return broken


def make_text():
    """The text that seeds and mutants count; its length is a prime: no block divides it."""
    Path(course.TEXT).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([INPUT.path, course.TEXT, "README.md"], capture_output=True, check=True,
                   env=course.environment(TEXT="english", SIZE="40009"))


def first_error(said):
    """The line that matters most of what make and the compiler printed."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), (lines or ["nothing"])[0])
