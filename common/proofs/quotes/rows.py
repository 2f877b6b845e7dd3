"""rows.py - whether each row of a table of claims has its figures from the files that it names itself.

A table with the columns "H200", "Verdict" and "Figures" is one of claims. Its last column names files below
docs/results, each in backquotes: `h200/latencies.csv`. Every number under "H200" must be one of these files, as in
figures.py, or the result of a calculation that the cell writes down: 14.01446 / 0.11831 = 118. A row without a file
says "not measured", no number, and "open". The verdict is one word of VERDICTS.
"""
import re
from pathlib import Path

from quotes import figures, folded

COLUMNS = ("H200", "Verdict", "Figures")
VERDICTS = ("confirmed", "refuted", "partly")
OPEN = ("not measured", "open", "-")
FILE = re.compile(r"`([^`]+)`")
FOLDER = "docs/results"


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows(text):
    """The rows of all tables of claims: (number of the line, H200, verdict, files)."""
    found, places = [], None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("|"):
            places = None
        elif places is None:
            heads = cells(line)
            places = [heads.index(name) for name in COLUMNS if name in heads]
        elif len(places) == len(COLUMNS) and not re.fullmatch(r"[|:\- ]+", line):
            row = cells(line)
            found.append((number, *(row[place] if place < len(row) else "" for place in places)))
    return found


def files(cell):
    return [f"{FOLDER}/{name}" for name in FILE.findall(cell)]


def sources(page):
    """The files that a page's rows name."""
    return sorted({path for *_, cell in rows(Path(page).read_text()) for path in files(cell)})


def wrong_row(measured, verdict, named):
    """What is wrong with one row, or nothing: sentences."""
    paths = files(named)
    if not paths:
        return [] if (measured, verdict, named) == OPEN else [
            f'without a file it has to say "{OPEN[0]}", "{OPEN[1]}" and "{OPEN[2]}"']
    lost = [path for path in paths if not figures.is_file(path)]
    if lost or verdict not in VERDICTS:
        return [f"{path} cannot be read" for path in lost] + (
            [] if verdict in VERDICTS else [f'"{verdict}" is no verdict: {", ".join(VERDICTS)}'])
    values, numbers = folded.results(measured), figures.numbers(measured)
    if not numbers:
        return ["it names a file, and has no figure of it"]
    return [f"{number} is not a number of the files that its row names, and is not calculated there"
            for number in figures.unknown(measured, paths) if not folded.is_result(number, values)]


def wrong(page):
    """A sentence for each number that its row's files do not have, and for each row without a proper verdict."""
    return [f"{page}:{number}: {sentence}" for number, *row in rows(Path(page).read_text())
            for sentence in wrong_row(*row)]
