"""figures.py - whether the numbers that a page quotes stand in the file that it names.

After a line `<!-- from docs/results/FILE.csv -->` every number up to the next blank line must
be one of that file, rounded as the page likes: 5.6 for 5.5939. Several files may be named. Not
numbers of that kind: what is glued to letters (H200, 32-byte), what stands in backquotes, and
the numbers of chapters ("chapter 5"). "64 MiB" may stand there as 67108864. What is folded need
have no such line just above it: folded.py.
"""
import re
from functools import lru_cache
from pathlib import Path

MARK = re.compile(r"<!-- from ([^ ]+.*?) -->")
NUMBER = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
NO_NUMBERS = (re.compile(r"`[^`]*`"), re.compile(r"(?<=\])\([^)]*\)"),
              re.compile(r"[Cc]hapters? [0-9]+((, | and | to )[0-9]+)*"))


@lru_cache(maxsize=None)
def numbers_of(path):
    """The numbers of a file, as they are written there."""
    fields = re.split(r"[^0-9.]+", Path(path).read_text())
    return frozenset(field for field in fields if re.fullmatch(r"[0-9]+(\.[0-9]+)?", field))


@lru_cache(maxsize=None)
def rounded(path, digits):
    """The numbers of a file with so many digits after the point."""
    return frozenset(f"{float(number):.{digits}f}" for number in numbers_of(path))


def is_known(number, paths):
    """Whether one of the files has a number that reads so when it is rounded."""
    digits = len(number.partition(".")[2])
    return any(number in numbers_of(path) or number in rounded(path, digits) for path in paths)


def numbers(line):
    """The numbers of a line, without names: (number, its unit, "M" of 64 MiB, or None)."""
    for pattern in NO_NUMBERS:
        line = pattern.sub(" ", line)
    found, last = [], 0
    for match in NUMBER.finditer(line):
        before = line[match.start() - 1] if match.start() > last else " "
        rest, last = line[match.end():], match.end()
        if re.match(r"[A-Za-z_.]", before) or re.match(r"[A-Za-z_]|-[A-Za-z]", rest):
            continue
        unit = re.match(r" ([KMG])iB", rest)
        found.append((match.group().replace(",", ""), unit and unit.group(1)))
    return found


def unknown(line, paths):
    """The numbers of a line that none of the files has."""
    return [number for number, unit in numbers(line)
            if not (unit and is_known(bytes_of(number, unit), paths))
            and not is_known(number, paths)]


def bytes_of(number, unit):
    """67108864 for 64 and M."""
    return str(int(float(number) * 1024 ** ("KMG".index(unit) + 1)))


def files_of(mark):
    """The files that a mark names, as re.Match."""
    return re.split(r"[ ,]+", mark.group(1))


def is_file(path):
    return Path(path).is_file()


def sources(page):
    """The files that a page names as sources of its numbers."""
    return sorted({path for mark in MARK.finditer(Path(page).read_text())
                   for path in files_of(mark)})


def wrong(page):
    """A sentence for each number that is not in its file, and each file that cannot be read."""
    sentences, paths, begun, depth = [], None, False, 0
    for place, line in enumerate(Path(page).read_text().split("\n"), 1):
        depth = max(0, depth + line.count("<details") - line.count("</details"))
        mark = MARK.search(line)
        if mark:
            named, begun = files_of(mark), False
            paths = [path for path in named if is_file(path)]
            sentences += [f"{page}:{place}: {path} cannot be read"
                          for path in named if path not in paths]
            paths = None if depth else paths
        elif paths is not None and line.strip(" \t"):
            begun = True
            sentences += [f"{page}:{place}: {number} is not a number of the file that is named "
                          "above it" for number in unknown(line, paths)]
        elif begun:
            paths, begun = None, False
    return sentences
