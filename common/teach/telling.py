"""telling.py - the lines that fill the gaps of solutions, and where they are to be read.

A line counts without its comment and without blanks, and when it tells something: eight signs or more, no directive, and
no call without an argument, such as __syncthreads(), or flag that is set, done = true, or a
question whether something is 0, which any kernel may have.
"""
import re
from collections import namedtuple
from pathlib import Path

COMMENT = re.compile(r"//.*|/\*.*?\*/")
MARKDOWN = re.compile(r"^[\s>+\-]*")
LEAST = 8   # signs of a line that tells something
LONG = 20   # signs of a line that tells it within another line, too
PLAIN = re.compile(r"\w+\(\);|\w+=(?:true|false);|if\([\w.]+==0\)")

# Where a line of a gap stands: in which file, the number of the line there, of which gap, the line there, and the secret.
Place = namedtuple("Place", "file line gap text secret")


def bare(line):
    """A line of code without comment, blanks, and a mark of Markdown or of a patch."""
    return re.sub(r"\s", "", MARKDOWN.sub("", COMMENT.sub("", line)))


def lines_in_gaps(text):
    """[(gap, bare line)] of what fills the gaps of a source, and tells something."""
    found, gap = [], ""
    for line in text.splitlines():
        begins, ends = re.search(r"\bTODO\((\d+\.\d+)\):", line), "end of TODO(" in line
        gap = begins[1] if begins else "" if ends else gap
        shown = bare(line)
        if gap and not begins and len(shown) >= LEAST and not shown.startswith("#") and not PLAIN.fullmatch(shown):
            found.append((gap, shown))
    return found


def secrets(unsolved, known):
    """{bare line: gap} of what fills the gaps of solutions, but for lines that stand in `known` texts. `unsolved` are
    pairs of texts, a solution and its stub, in the order of their chapters; what stands in a stub is no secret of it,
    nor of a later chapter."""
    known, found = {bare(line) for text in known for line in text.splitlines()}, {}
    for solution, stub in unsolved:
        known |= {bare(line) for line in stub.splitlines()}
        for gap, line in lines_in_gaps(solution):
            if line not in known and not any(line in held for held in known if LONG <= len(line) < len(held)):
                found.setdefault(line, gap)
    return found


def places(file, text, secret):
    """The places of secret lines in a text: a line of its own, and a long one also within one."""
    lines = text.splitlines()
    whole = "\n".join(map(bare, lines))
    secret = {line: gap for line, gap in secret.items() if line in whole}
    long, found = [line for line in secret if len(line) >= LONG], []
    for number, line in enumerate(lines if secret else (), 1):
        shown = bare(line)
        held = shown if shown in secret else next((one for one in long if one in shown), None) if len(shown) > LONG else None
        if held:
            found.append(Place(file, number, secret[held], line.strip(), held))
    return found
