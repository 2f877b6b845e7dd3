"""kernels.py - what the proofs know of chapters and kernels, and how they have make build and judge one.

A kernel that a proof judges is put into a folder of its own below build/proofs, laid out as the course's chapters are:
FROM/05_name/histogram.cu, or FROM/05_name/further/histogram.cu for an exercise. `make FROM=... chapter5 test` then
judges it as it judges a student's. All paths are relative to the root of the course, in which pytest runs.
"""
import functools
import os
import re
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path

CC = os.environ.get("CC", "gcc")
BUILD = f"build/sim-{Path(CC).name}"
LADDER = f"{BUILD}/tools/ladder"
GIVEN = Path("common/contract/given")  # code of earlier chapters, which a patch may change
LIMIT = 900                            # seconds for a verdict, even on a machine that has much to do
# Settings of the make or of the shell that called: none of them may change what is proved.
FOREIGN = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "BINS", "KEY_BINS", "OPERATION", "OPERATIONS", "PART", "KEYS", "INPUT",
           "TEXT", "SIZE", "TEXT_SEED", "SEED", "DRAW", "CHAPTERS", "FROM", "SIM_SEED", "SIM_CARD",
           "SIM_CHECKS", "SIM_DEVICES", "SIM_PROFILE", "SIM_SCHEDULE")

# A kernel in place: its name, its chapter, whether it is of the exercise, the folder FROM, its file.
Kernel = namedtuple("Kernel", "name stem further folder source")

# What came of a suite. `caught` has what checks of the simulator reported: (check, [(file, line or None)]), in order;
# `failed` the kinds of assertions that failed, `message` the line for a message.
Outcome = namedtuple("Outcome", "passed lines errors caught failed message")


# Chapters.

def stems(folder="solutions"):
    """The chapters that have a kernel in this folder; without MPI none that needs it."""
    found = sorted(path.name for path in Path(folder).glob("[0-9]*_*") if source(folder, path.name))
    return [stem for stem in found if not is_of_mpi(stem) or shutil.which("mpirun")]


def source(folder, stem):
    """The kernel's file: solutions/06_name/histogram.cu; None where there is none."""
    files = sorted(Path(folder, stem).glob("*.c")) + sorted(Path(folder, stem).glob("*.cu"))
    return str(files[0]) if files else None


def number(stem):
    return int(re.match(r"\d+", stem).group())


@functools.cache
def contract(stem):
    """The name of the function that a chapter's kernel implements, which its file has: histogram."""
    return Path(source("solutions", stem) or "histogram.cu").stem


@functools.cache
def is_of_mpi(stem):
    """Whether a chapter's kernel is for the ranks of MPI."""
    path = source("solutions", stem)
    return bool(path) and "<mpi.h>" in Path(path).read_text()


@functools.cache
def taken(stem, further=False):
    """What a chapter is judged with: numbers of bins, as text, or names of operations. The first head says it of
    those of its exercise's suite, its own, and its contract's."""
    heads = [f"tests/further/{stem}.c"] * further + [f"tests/{stem}.c", f"tests/{contract(stem)}.c"]
    for head in filter(os.path.exists, heads):
        found = re.search(r"^ \* (?:Operations|Bins): ([a-z0-9_ ]*)", Path(head).read_text(), re.MULTILINE)
        if found:
            return tuple(found.group(1).split())
    return ()


def operations(stem, further=False):
    """The operations that a chapter is judged with; none where it counts a text."""
    return () if taken(stem)[:1] == ("5",) else taken(stem, further)


# Where kernels are put.

def files(*patterns):
    return sorted({str(path) for pattern in patterns for path in Path().glob(pattern) if path.is_file()})


def write_new(path, content):
    """Writes bytes, unless they stand there: what make has made of a file stays new."""
    path = Path(path)
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def placed(path, kind):
    """The Kernel of a file of tests/KIND/05_name: a whole file, or a patch of the solution. A patch of given code
    leaves the solution as it is, and changes a copy of the folder `given` beside it, which is found first."""
    path = Path(path)
    further = path.parent.name == "further"
    stem = path.parent.parent.name if further else path.parent.name
    name = f"{stem}/{path.stem}" + "/further" * further
    folder = Path("build/proofs", kind, stem, path.stem)
    place = folder / stem / ("further" if further else "")
    solution = Path(source("solutions", f"{stem}/further" if further else stem))
    kernel = place / solution.name
    if path.suffix != ".patch":
        kernel = kernel.with_suffix(path.suffix)
        write_new(kernel, path.read_bytes())
    elif given := re.search(rf"^--- {GIVEN}/(\S+)", path.read_text(), re.MULTILINE):
        write_new(kernel, solution.read_bytes())
        for header in GIVEN.iterdir():
            write_new(place / "given" / header.name,
                      patched(header, path) if header.name == given.group(1) else header.read_bytes())
    else:
        write_new(kernel, patched(solution, path))
    return Kernel(name, stem, further, str(folder), str(kernel))


def patched(file, patch):
    done = subprocess.run(["patch", "--silent", "--fuzz=0", "--output=-", file, patch], capture_output=True)
    assert done.returncode == 0, f"{patch}: does not apply to {file}: {done.stdout.decode()}"
    return done.stdout


def in_place_of(stem, other, kind, further=False):
    """The Kernel of chapter `other`'s solution in the place of chapter `stem`; C is compiled as CUDA C there."""
    folder, own = Path("build/proofs", kind, f"{stem}-{other}"), Path(source("solutions", other))
    kernel = folder / stem / ("further" if further else "") / (own.name if other == stem else f"{contract(stem)}.cu")
    write_new(kernel, own.read_bytes())
    return Kernel(f"{stem}/{other}", stem, further, str(folder), str(kernel))


def solution(stem, folder="solutions", further=False):
    """The Kernel of a chapter in its own place."""
    return Kernel(stem, stem, further, folder, source(folder, f"{stem}/further" if further else stem))


# Make, and what comes of a verdict.

def environment(**settings):
    """Of all that proofs run. LOCKED: several makes at a time, each about a kernel of its own (Makefile)."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {"LOCKED": "by pytest", **kept, "DRAW": "1", "SIM_SEED": os.environ.get("SEED") or "1", "LANGUAGE": "en", **settings}


def make(*words, check=True, **settings):
    """Runs make, with settings of the environment. Its words are goals, files and settings: BINS=26."""
    done = subprocess.run(["make", "-s", f"CC={CC}", *words], text=True, errors="replace", capture_output=True,
                          timeout=LIMIT, env=environment(**settings))
    assert done.returncode == 0 or not check, f"make {' '.join(words)}: {done.stderr[-800:]}{done.stdout[-400:]}"
    return done


def words_of(kernel, variants=()):
    """The words of make that choose a kernel, for numbers of bins or operations."""
    setting = "OPERATION" if operations(kernel.stem) else "BINS"
    return [f"FROM={kernel.folder}", f"chapter{number(kernel.stem)}", *["further"] * kernel.further,
            *([f"{setting}={' '.join(map(str, variants))}"] if variants else [])]


def built_in(kernel, card=""):
    """The folder of what make builds of a kernel, which has one for each number of bins or operation."""
    return f"{BUILD}/{kernel.folder.replace('/', '-')}{card and '-' + card}/{kernel.stem}" + "/further" * kernel.further


def program(kernel, name, variant, **settings):
    """Builds a program of a kernel, such as `row`, for a number of bins or an operation; returns its path."""
    path = f"{built_in(kernel)}/{variant}/{name}"
    make(*words_of(kernel), path, **settings)
    return path


def judged(kernel, variants=(), **settings):
    """The Outcome of `make chapterN test` for a kernel: for one number of bins, or for operations, all without any."""
    folder = built_in(kernel, settings.get("SIM_CARD", ""))
    if not operations(kernel.stem):
        variants = variants or taken(kernel.stem)[:1]
        folder += f"/{variants[0]}"
    log = Path(folder, "test.log")
    log.unlink(missing_ok=True)
    done = make(*words_of(kernel, variants), "test", check=False, **settings)
    lines = done.stdout.splitlines()
    errors = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    caught, failed = entries_of(log.read_text(errors="replace") if log.exists() else "")
    message = [line for line in lines if re.match(r"  \S|=+ \S", line)]
    return Outcome(done.returncode == 0, lines, errors, caught, failed,
                   message[0].strip("= ") if message else (lines or errors or ["it prints nothing"])[-1].strip())


def sentence(outcome):
    """The verdict's sentence, which comes last; only what is next follows it."""
    lines = [line for line in outcome.lines if not line.startswith("next: ")]
    return (lines or [""])[-1]


def entries_of(log):
    """The lists `caught` and `failed` of what a suite has noted."""
    caught, failed = [], []
    for line in log.splitlines():
        word, _, rest = line.partition(" ")
        if word == "caught":
            check, *places = rest.split()
            caught.append((check, [place_of(place) for place in places]))
        elif word == "failed":
            failed.append(rest.replace("-", " "))
    return caught, failed


def place_of(text):
    """("histogram.cu", 25) of "path/histogram.cu:25"; a place that is not known has no line."""
    path, _, line = text.rpartition(":")
    return (Path(path).name, int(line)) if line.isdigit() else (text, None)


def assert_refused(outcome, reason):
    """A suite must fail by a report or an assertion, not by an end of the program."""
    assert not outcome.passed, f"passes the suite, but must not: {reason}"
    assert outcome.caught or set(outcome.failed) - {"stopped"}, f"ends without a judgement: {outcome.message}"


# Texts to run kernels on.

def text():
    """Makes a text for `row` and its like to count; returns its path. 40,009 characters, which no block divides."""
    path = f"build/proofs/text-{os.getpid()}"
    make(f"{BUILD}/programs/histogram/input")
    subprocess.run([f"{BUILD}/programs/histogram/input", path, "README.md"], check=True, capture_output=True,
                   env=environment(TEXT="english", SIZE="40009"))
    return path


def counts_right(row, bins=5, **settings):
    """Runs a kernel's program `row` on a text: (status, whether it counts right, what it says)."""
    table = Path(f"{row}.proof.csv")
    table.unlink(missing_ok=True)
    run = subprocess.run([row, text(), "0", "proof", str(table)], text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=environment(NUM_BINS=str(bins), **settings))
    return run.returncode, table.exists() and ",yes," in table.read_text(), run.stdout
