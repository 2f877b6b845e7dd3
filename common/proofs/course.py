"""course.py - where things are: the chapters, their sources, the build folder.

All paths are relative to the root of the course, in which check.py runs. The environment
says what make says: BUILD, CC, CXX, SEED, MAKE.
"""
import os
import re
import shutil
import subprocess
from collections import namedtuple
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = os.environ.get("BUILD", "build/sim-gcc")
CC = os.environ.get("CC", "gcc")
CXX = os.environ.get("CXX", "g++")
SEED = os.environ.get("SEED") or "1"
MAKE = os.environ.get("MAKE", "make")
BINS = (5, 26, 256)
TEXT = f"{BUILD}/proofs/text"
LADDER = f"{BUILD}/tools/ladder"  # which reads stubs and lessons for all others

# A gap of a file: "5.1", its lines by number, whether there is code in it, and that code with its comments.
Gap = namedtuple("Gap", "name line end filled code")

# What a proof's own settings must not meet: those of the make that called, and of its user.
FOREIGN = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "VERDICT_LOG", "INPUT", "TEXT", "SIZE",
           "TEXT_SEED", "BINS", "SIM_CARD", "SIM_CHECKS", "SIM_DEVICES", "SIM_PROFILE", "SIM_SCHEDULE", "SIM_SEED", "PART",
           "OPERATION", "OPERATIONS", "KEYS", "KEY_BINS")


def environment(**settings):
    """The environment for a program: that of the shell, without what would change a result."""
    here = {name: os.environ.get(name) for name in list(os.environ)}  # pytest's own variable comes and goes
    kept = {name: value for name, value in here.items() if value is not None and name not in FOREIGN}
    kept.update(BUILD=BUILD, CC=CC, CXX=CXX, MAKE=MAKE, SIM_SEED=SEED, DRAW="1")
    kept.update(settings)
    return kept


def source(folder, stem):
    """The one C or CUDA C file of a chapter: solutions/06_name/histogram.cu, or None."""
    files = sorted(Path(folder, stem).glob("*.c")) + sorted(Path(folder, stem).glob("*.cu"))
    return str(files[0]) if files else None


def ladder(*words):
    """The lines that `ladder` prints, as lists of words. A ValueError says what is wrong."""
    if not (ROOT / LADDER).exists():
        subprocess.run([MAKE, "-s", LADDER], cwd=ROOT, check=True)
    run = subprocess.run([str(ROOT / LADDER), *words], text=True, capture_output=True)
    if run.returncode:
        raise ValueError(run.stderr.strip())
    return [line.split() for line in run.stdout.splitlines()]


def gaps(path):
    """The Gaps of a stub or a solution, in their order."""
    lines = Path(path).read_text(errors="replace").splitlines()
    return [Gap(name, int(line), int(end), state == "filled", lines[int(code) - 1:int(end) - 1])
            for name, line, code, end, state in ladder("gaps", "--all", str(path))]


def contract(stem):
    """histogram, of solutions/06_name/histogram.cu."""
    return Path(source("solutions", stem) or "histogram.cu").stem


def is_of_mpi(stem):
    """Whether a chapter is compiled with MPI, and started by mpirun."""
    return chapters().get(stem, {}).get("ranks", False)


def has_mpi():
    return shutil.which("mpicc") is not None and shutil.which("mpirun") is not None


def stems(folder):
    """The chapters that have a file in this folder (solutions, chapters), in their order. Those that
    need MPI are left out where that is missing."""
    found = (path.name for path in Path(folder).glob("[0-9]*_*"))
    return sorted(stem for stem in found if source(folder, stem)
                  and (has_mpi() or not is_of_mpi(stem)))


@lru_cache(maxsize=None)
def chapters(folder="solutions"):
    """{stem: what ladder knows of the chapter} of those in a folder."""
    names = [] if not Path(folder).is_dir() else ladder("chapters", folder)
    return {stem: {"part": int(part), "ranks": ranks == "ranks", "operations": named(of), "exercise_operations": named(further)}
            for stem, part, ranks, of, further in names}


def named(operations):
    return [] if operations == "-" else operations.split(",")


def operations(stem):
    """The operations that a chapter takes, as its suite's head names them; of texts there are none."""
    return chapters().get(stem, {}).get("operations", [])


def exercise_operations(stem):
    """Those of what goes further, where its suite names any."""
    return chapters().get(stem, {}).get("exercise_operations", [])


def text_stems(folder):
    """The chapters of this folder that count the characters of a text, on one device."""
    return [stem for stem in stems(folder) if contract(stem) == "histogram"]


def kind(stem):
    """The contract of a chapter, where one for ranks is another than that for devices: many, many-ranks."""
    return contract(stem) + ("-ranks" if is_of_mpi(stem) else "")


def first_of_each(stems, kind_of):
    """{kind: the first of these chapters that is of it}."""
    return {kind_of(stem): stem for stem in reversed(stems)}


def variants(stem):
    """With what its kernels are built: numbers of bins, or "keys" for a chapter with operations."""
    return ("keys",) if operations(stem) else BINS


def number(stem):
    """6 of 06_name."""
    return int(re.match(r"\d+", stem).group())


def refusal(source, bins):
    """The words of the #error with which a source refuses so many bins, or None."""
    if bins == "keys":
        return None
    errors = re.findall(r'^ *# *error *"(.*)"', Path(source).read_text(), re.MULTILINE)
    if not errors:
        return None
    command = [CXX, "-E", "-x", "c++", "-Icommon/contract", "-Icommon/sim/include",
               f"-DBINS={bins}", source]
    output = subprocess.run(command, text=True, capture_output=True).stderr
    return next((words for words in errors if words in output), None)


def files(*patterns):
    """All files of these patterns, sorted, as strings; of the build folder none."""
    found = (path for pattern in patterns for path in Path().glob(pattern) if path.is_file())
    return sorted({str(path) for path in found
                   if path.parts[0] != "build" and path.parent.name != "__pycache__"})
