"""transcripts.py - proves that what a reader sees of the goals is what tests/transcripts holds.

One proof for each file of programs and of copies, and one for each chapter's; each but those of programs has a copy
of the course to itself: tests/course/transcripts.py compares.
"""
import sys
from functools import partial
from pathlib import Path

import course
from kinds import programs
from proof import Proof

SCRIPT = "tests/course/transcripts.py"
SINGLE = ("copies", "programs")  # folders of files that have nothing in common


def prove(words):
    status, said = programs.run([sys.executable, SCRIPT, words])
    return programs.lines_of(words, status, said)


def proofs():
    everything = course.files(*programs.COURSE)
    files = sorted(Path("tests/transcripts").glob("*/*.txt"))
    words = sorted({f"{path.parent.name}/" + (path.name if path.parent.name in SINGLE else "") for path in files})
    return [Proof("transcripts", word.removesuffix("/").removesuffix(".txt"), partial(prove, word),
                  reads=tuple(everything), knows=course.CC, guess=60) for word in words]
