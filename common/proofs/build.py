"""build.py - asks make for the programs of the proofs: one call for each variant."""
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import defaultdict, namedtuple
from pathlib import Path

import course
import judge
from proof import Target

CROSSES = f"{course.BUILD}/crosses"
PLAIN = f"{course.BUILD}/plain"  # a chapter's solution in the place of its exercise
GIVEN = Path("common/contract/given")  # code of earlier chapters, which a patch may change
CORES = len(os.sched_getaffinity(0))
# Where make finds the kernels of these variants.
FOLDERS = {"cross": CROSSES, "right": f"{course.BUILD}/right", "cheat": f"{course.BUILD}/cheats", "plain": PLAIN,
           "mutant": f"{course.BUILD}/mutants"}
INPUT = Target("solution", 5, f"{course.BUILD}/common/program/histogram/input")

# A kernel of tests/right, tests/cheats or tests/mutants: its name, its chapter, for how many bins it is built (or
# "keys"), where make looks for it, and the folder of its programs.
Kernel = namedtuple("Kernel", "name stem bins source folder")


def command(variant, bins, paths, jobs):
    """The call of make. Verdicts are its goal `verdicts`, which knows what refuses to be built.
 `bins` is a number, or "keys"; and with "-A100" behind it for that card."""
    bins, _, card = str(bins).partition("-")
    verdicts = [path for path in paths if path.endswith("/verdict")]
    stems = " ".join(Path(path).parent.name for path in verdicts)
    return [course.MAKE, "-s", "-k", f"-j{jobs}", "--no-print-directory",
            "-f", "common/make/variant.mk", f"CC={course.CC}", f"CXX={course.CXX}",
            f"KIND={variant}", f"BINS={bins}", *([f"SIM_CARD={card}"] if card else []),
            *([f"FROM={FOLDERS[variant]}"] if variant in FOLDERS else []),
            *([f"STEMS={stems}", "verdicts"] if verdicts else []),
            *(path for path in paths if path not in verdicts)]


def judged(variant, bins, folder, operations=None):
    """What is built to judge the kernel in a folder: its programs, and the suite."""
    paths = (*judge.kernels_in(folder, operations), judge.suite_of(folder))
    return tuple(Target(variant, bins, path) for path in paths)


def make_all(targets):
    """Builds the targets of the proofs, and what these read. Returns what could not be built: {path: what
    make said}."""
    remember_seed()
    broken = make(targets, CORES)
    if INPUT in targets and INPUT.path not in broken:
        make_text()
    return broken


def make(targets, jobs):
    """Builds targets, and says what; returns what could not be built."""
    variants, broken = defaultdict(set), {}
    for target in targets:
        variants[target.variant, target.bins].add(target.path)
    for (variant, bins), paths in sorted(variants.items(), key=str):
        print(f"building {len(paths)} programs: {variant}, {bins} bins", file=sys.stderr, flush=True)
        status, log = run(command(variant, bins, sorted(paths), jobs))
        if status != 0:
            broken.update(failures(log, paths))
    return broken


def run(words):
    """Runs make: (status, standard error)."""
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace", env=course.environment())
    return done.returncode, done.stderr


def remember_seed():
    """The file of the seed, on which make's verdicts depend."""
    path, text = Path(course.BUILD, "seed"), course.SEED + "\n"
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def put(copy, source):
    """Copies a kernel to where make looks for it, unless it is there; returns that file's name."""
    copy, source = Path(copy), Path(source)
    if not copy.exists() or copy.read_bytes() != source.read_bytes():
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())
    return str(copy)


def of_exercise(path):
    """The chapter of a kernel in NN_name/further/, which is one of its exercise; else None."""
    folder = Path(path).parent
    return folder.parent.name if folder.name == "further" else None


def patched(patch, made):
    """Makes the file that a patch makes of its chapter's solution, unless it is there. It stays away
    where the patch does not apply. A patch of given code leaves the solution as it is, and makes a folder
    `given` beside it, which is found before that of the contracts."""
    patch, made = Path(patch), Path(made)
    stem = of_exercise(patch)
    solution = Path(course.source("solutions", f"{stem}/further" if stem else patch.parent.name))
    given = re.search(rf"^--- {GIVEN}/(\S+)", patch.read_text(), re.MULTILINE)
    sources = [solution, *(sorted(GIVEN.iterdir()) if given else [])]
    changed = max(path.stat().st_mtime for path in [patch, *sources])
    if not made.exists() or made.stat().st_mtime <= changed:
        made.parent.mkdir(parents=True, exist_ok=True)
        made.unlink(missing_ok=True)
        new = Path(f"{made}.{threading.get_ident()}")  # two proofs may want it at once
        of, to = solution, new
        if given:
            shutil.copytree(GIVEN, made.parent / GIVEN.name, dirs_exist_ok=True)
            shutil.copyfile(solution, new)
            of, to = GIVEN / given.group(1), made.parent / GIVEN.name / given.group(1)
        done = subprocess.run(["patch", "--silent", "--fuzz=0", f"--output={to}", of, patch],
                              capture_output=True)
        if done.returncode == 0:
            new.replace(made)
        else:
            new.unlink(missing_ok=True)
    return str(made)


def kernel_of(path, folder):
    """Puts a kernel of tests/right or tests/cheats to where make looks for it, in a file that is
    called as its contract: a whole file, or what a patch makes of the solution. Returns that file's
    name; it is not there where a patch does not apply."""
    path, stem = Path(path), of_exercise(path)
    solution = Path(course.source("solutions", stem or path.parent.name))
    place = Path(folder, stem, path.stem, "further") if stem else Path(folder, path.parent.name, path.stem)
    if path.suffix == ".patch":
        return patched(path, place / solution.name)
    return put(place / (solution.stem + path.suffix), path)


def kernel(path, variant, bins=5):
    """The Kernel of a file, which is put to where make looks for it, for so many bins where its contract has these."""
    source = kernel_of(path, FOLDERS[variant])
    name = str(Path(source).parent.relative_to(FOLDERS[variant]))
    stem = name.split("/")[0]
    bins = "keys" if course.operations(stem) else bins
    return Kernel(name, stem, bins, source, f"{course.BUILD}/{variant}-{bins}/{name}")


def does_not_apply(patch):
    """What is proved of such a one."""
    return [f"FAIL {patch}: does not apply to the solution"]


def failures(log, paths):
    """{path: message} of the files that make complains of, or of all when it names none."""
    complaints = [line for line in log.splitlines() if re.match(r"make\S*: ", line)]
    named = [path for path in paths
             if any(str(Path(path).parent) + "/" in line for line in complaints)]
    return {path: first_error(log, Path(path).parent.name) for path in named or paths}


def first_error(log, name):
    """The compiler's line about a program of this name, or the first of all."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if "error:" in line]
    own = [line for line in errors if f"/{name}/" in line]
    return (own + errors + lines + ["nothing"])[0]


def make_text():
    """The text that seeds and mutants count; its length is a prime: no block divides it."""
    Path(course.TEXT).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([INPUT.path, course.TEXT, "README.md"], capture_output=True, check=True,
                   env=course.environment(TEXT="english", SIZE="40009"))
