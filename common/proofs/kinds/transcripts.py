"""transcripts.py - proves that what a reader sees of the goals is what tests/transcripts holds.

One proof for each file of programs, and one for each folder of kernels, which has a copy of the course to itself:
tests/course/transcripts.py compares.
"""
import sys
from functools import partial
from pathlib import Path

import course
from kinds import programs
from proof import Proof

SCRIPT = "tests/course/transcripts.py"


def prove(words):
    status, said = programs.run([sys.executable, SCRIPT, words])
    return programs.lines_of(words, status, said)


def proofs():
    everything = course.files(*programs.COURSE)
    folders = sorted(path for path in Path("tests/transcripts").iterdir() if path.is_dir())
    words = [f"{folder.name}/" for folder in folders if folder.name != "programs"]
    words += [f"programs/{path.name}" for path in sorted(Path("tests/transcripts/programs").glob("*.txt"))]
    return [Proof("transcripts", word.removesuffix("/").removesuffix(".txt"), partial(prove, word),
                  reads=tuple(everything), knows=course.CC, guess=120) for word in words]
