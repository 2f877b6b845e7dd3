"""excerpts.py - whether every excerpt of a page stands in the code, line for line.

An excerpt is a fenced block marked c or cuda. A line of nothing but dots (...) parts it into
pieces; all of them must stand in one file, in this order, each in consecutive lines. An
excerpt may be indented less or more, as a whole.
"""
import re
from functools import lru_cache
from pathlib import Path

BEGIN = re.compile(r" *``` *(c|cuda)$")
END = re.compile(r" *```$")
DOTS = re.compile(r"[ \t]*(// )?\.\.\.$")


def block(lines):
    """The lines without the indentation that they share; a #pragma has none, and is no measure."""
    indents = [len(line) - len(line.lstrip(" \t")) for line in lines
               if line.strip(" \t") and not line.startswith("#")]
    least = min(indents, default=0)
    return [line if line.startswith("#") else line[least:] if line.strip(" \t") else ""
            for line in lines]


class Code:
    """A file of code, with the places of each line."""

    def __init__(self, path):
        text = Path(path).read_text(errors="replace")
        self.lines = [line.rstrip(" \t\r") for line in text.split("\n")]
        self.places = {}
        for place, line in enumerate(self.lines):
            self.places.setdefault(line.lstrip(" \t"), []).append(place)

    def find(self, piece, start):
        """The line after the first place at or after `start` where a piece stands, or None."""
        first = next((i for i, line in enumerate(piece) if line), 0)
        for place in self.places.get(piece[first].lstrip(" \t"), ()):
            begin = place - first
            if begin >= start and block(self.lines[begin:begin + len(piece)]) == piece:
                return begin + len(piece)
        return None

    def holds(self, pieces):
        """Whether all pieces stand here, one after the other."""
        place = 0
        for piece in pieces:
            place = self.find(piece, place)
            if place is None:
                return False
        return True


@lru_cache(maxsize=None)
def code(path):
    return Code(path)


def pieces_of(lines):
    """The excerpt's pieces, each without its indentation."""
    pieces = [[]]
    for line in lines:
        if DOTS.match(line):
            pieces.append([])
        else:
            pieces[-1].append(line)
    return [block(piece) for piece in pieces if piece]


def excerpts_of(text):
    """The excerpts of a page: (number of the first line, lines, whether it ends)."""
    found, began = [], None
    lines = [line.rstrip(" \t\r") for line in text.split("\n")]
    for place, line in enumerate(lines):
        if began is None and BEGIN.match(line):
            began = place + 1
        elif began is not None and END.match(line):
            found.append((began + 1, lines[began:place], True))
            began = None
    if began is not None:
        found.append((began + 1, lines[began:], False))
    return found


def wrong(page, code_files):
    """A sentence for each excerpt of the page that stands in none of the files."""
    sentences = []
    for number, lines, ends in excerpts_of(Path(page).read_text()):
        if not ends:
            sentences.append(f"{page}:{number}: this excerpt has no end")
        elif not any(code(path).holds(pieces_of(lines)) for path in code_files):
            first = lines[0] if lines else "it is empty"
            sentences.append(f"{page}:{number}: this excerpt stands nowhere in the code: {first}")
    return sentences
