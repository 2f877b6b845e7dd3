"""belongs.py - which files of the course a copy for students has.

What students need not, and what tells them more than it should, stays at home: the solutions and
planted mistakes of chapters without answers, the tests of the course itself, the proofs, the
lecturer's tools and pages.
"""
import re
import subprocess
from fnmatch import fnmatch
from pathlib import Path

# A `*` also stands for slashes.
LEFT_OUT = (".ci/*", ".github/*", ".course", "CONTRIBUTING.md", "build/*", "compile_commands.json",
            "chapters/*/further/*", "chapters/*/break/*", "chapters/*/predictions.txt", "chapters/*/verdicts.txt",
            "common/proofs/*", "common/reports/*", "common/handout/*", "common/grading/*",
            "common/book/*", "common/packages/*", "common/bench/sim/*", "common/bench/gpu/layouts.cu",
            "common/bench/gpu/latencies.*", "common/bench/gpu/contention.cu",
            "common/bench/gpu/keys*", "common/bench/gpu/arrays*", "common/bench/gpu/inputs.*",
            "common/bench/gpu/plain*.cu", "common/bench/gpu/placements.cu", "common/bench/gpu/calls.c",
            "docs/exam*", "docs/labs*", "docs/lectures*", "docs/quiz*", "docs/style.md", "docs/tutors*",
            "docs/results/*", "docs/pictures/*", "tests/advice", "tests/arm64/*", "tests/bare/*", "tests/cheats/*",
            "tests/course/*", "tests/fidelity/*", "tests/given/*", "tests/grading/*", "tests/litmus/*",
            "tests/right/*", "tests/sim/*", "tests/exceptions.txt")
GIVEN = "common/contract/given/"
# With which make chapterN score compares, and what a chapter gives, which make progress says.
READ_IN_COPIES = ("docs/results/sim/english-*.csv", "common/teach/points.txt")
STEM = re.compile(r"(?:^|/)(\d\d_[a-z0-9_]+)(?=[./]|$)")
WITH_ANSWERS = ("solutions", "tests/mutants")
# What a lecturer may have made and not added yet is no part of the course.
LISTED = ("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached")


def course_files():
    """All files of the course, as git knows them; where it does not, those that lie here."""
    try:
        listed = subprocess.run(LISTED, capture_output=True, check=True).stdout
        names = [name.decode() for name in listed.split(b"\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = []
    if "Makefile" not in names:  # no clone, or it lies in somebody else's
        names = [str(path) for path in Path().rglob("*")
                 if path.parts[0] not in ("build", ".git") and path.parent.name != "__pycache__"]
    return sorted(name for name in names if Path(name).is_file())


def stem_of(name):
    """05_privatized_global of a file that is of this chapter, or None."""
    found = STEM.search(name)
    return found.group(1) if found else None


def is_included(name, released):
    """Whether a kernel of these chapters includes a header of given code, or one of these that it
    includes does: it may hold what fills the gaps of an earlier chapter."""
    header = Path(name)
    return (any(f'"{header.relative_to("common/contract")}"' in source.read_text()
                for stem in released for source in Path("chapters", stem).glob("*.cu"))
            or any(f'"{header.name}"' in other.read_text() and is_included(other, released)
                   for other in Path(GIVEN).glob("*.h") if other != header))


def given(released):
    """The headers of contracts, and those of given code that these chapters include."""
    return [name for name in course_files() if name.startswith("common/contract/")
            and (not name.startswith(GIVEN) or is_included(name, released))]


def is_handed_out(name, released, answered):
    """Whether a copy with these chapters has the file; of the pictures none, for those come with
    the pages that show them."""
    if any(fnmatch(name, pattern) for pattern in READ_IN_COPIES):
        return True
    if any(fnmatch(name, pattern) for pattern in LEFT_OUT):
        return False
    if name.startswith(GIVEN):
        return is_included(name, released)
    stem, with_answers = stem_of(name), name.startswith(WITH_ANSWERS)
    if stem:
        return stem in (answered if with_answers else released)
    return not with_answers
