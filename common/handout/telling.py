"""telling.py - the lines that fill the gaps of solutions, and where they are to be read.

A line counts without its comment and without blanks, and when it tells something: eight signs or
more, no directive, and no call without an argument, such as __syncthreads(), or flag that is set, done
= true, which any kernel may have.
"""
import re
import sys
from collections import namedtuple
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import course  # noqa: E402

COMMENT = re.compile(r"//.*|/\*.*?\*/")
MARKDOWN = re.compile(r"^[\s>+\-]*")
LEAST = 8       # signs of a line that tells something
LONG = 20       # signs of a line that tells it within another line, too
PLAIN = re.compile(r"\w+\(\);|\w+=(?:true|false);")

# Where a line of a gap stands: in which file, the number of the line there, and of which gap.
Place = namedtuple("Place", "file line gap text")


def bare(line):
    """A line of code without comment, blanks, and a mark of Markdown or of a patch."""
    return re.sub(r"\s", "", MARKDOWN.sub("", COMMENT.sub("", line)))


def tells(line):
    """Whether a bare line says something of how a gap is filled."""
    return len(line) >= LEAST and not line.startswith("#") and not PLAIN.fullmatch(line)


def lines_in_gaps(path):
    """[(gap, bare line)] of a source: what fills its gaps."""
    return [(gap.name, bare(line)) for gap in course.gaps(path) for line in gap.code if tells(bare(line))]


def lines_around(text):
    """The bare lines of a source."""
    return {bare(line) for line in text.splitlines()}


def secrets(unsolved, answered):
    """{bare line: gap} of what fills the gaps of solutions, but for lines that are known anyway.

    `unsolved` are pairs of files, a solution and its stub or None, in the order of their chapters; what
    stands in a stub is no secret of a later chapter. `answered` are the texts of solutions that all may read."""
    known = set().union(*map(lines_around, answered)) if answered else set()
    found = {}
    for solution, stub in unsolved:
        known |= lines_around(Path(stub).read_text(errors="replace")) if stub else set()
        for gap, line in lines_in_gaps(solution):
            if line not in known and not any(
                    line in held for held in known if LONG <= len(line) < len(held)):
                found.setdefault(line, gap)
    return found


def places(file, text, secret):
    """The places of secret lines in a text: a line of its own, and a long one also within one."""
    long = [line for line in secret if len(line) >= LONG]
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        shown = bare(line)
        if shown in secret:
            found.append(Place(file, number, secret[shown], line.strip()))
        elif len(shown) > LONG:
            found += [Place(file, number, secret[held], line.strip())
                      for held in long if held in shown][:1]
    return found
