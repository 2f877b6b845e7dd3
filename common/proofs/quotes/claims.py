"""claims.py - whether what a page claims names its source: sentences of a lesson that compare speeds or sizes, or tell a
time or a rate, and rows of a table of claims.

A sentence with "times as", "faster", "twice as fast", "percent", "3 ms" or "GB/s" has to stand in a section with a
mark `<!-- from docs/results/FILE.csv -->` (figures.py), whose files have its numbers, or the section says how they are
calculated (folded.py); or it asks. What follows from other chapters, or quotes a title, has no such file: these
sentences are listed in docs/results/without_source.txt, each by its page, how it begins, and in brackets its numbers
that are in no such file. A line of that list whose sentence is gone, has other numbers, or has a source now, is wrong,
too.

A table with the columns "H200", "Verdict" and "Figures" is one of claims. Its last column names files below
docs/results, each in backquotes: `h200/latencies.csv`. Every number under "H200" must be one of these files, as in
figures.py, or the result of a calculation that the cell writes down: 14.01446 / 0.11831 = 118. A row without a file
says "not measured", no number, and "open". The verdict is one word of VERDICTS.
"""
import re
from functools import lru_cache
from pathlib import Path

from quotes import figures, folded

LIST = "docs/results/without_source.txt"
COMPARES = re.compile(r"\b(?:faster|slower|percent)\b|\d%|"
                      r"\b(?:times|twice|thrice|half|third|quarter) (?:as (?:fast|slow|long)|the time|the speed)\b|"
                      r"\btimes (?:as|the|faster|slower|longer|more|less|fewer|CUB|its|that|those|what|chapter)\b|"
                      r"\d (?:[mun\u00b5]s|(?:milli|micro|nano)?seconds?|[GT]B(?:/s| a second))(?!\w)", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.?!:])[*_)\"]*\s+(?=[A-Z0-9*`\[\"])")
NO_PROSE = re.compile(r"<[^>]*>|^\s*(?:[-*]|\d+\.)\s")
SHOWN = 60  # characters that the list has of a sentence
COLUMNS = ("H200", "Verdict", "Figures")
VERDICTS = ("confirmed", "refuted", "partly")
OPEN = ("not measured", "open", "-")
FILE = re.compile(r"`([^`]+)`")
FOLDER = "docs/results"


# -- sentences --

@lru_cache(maxsize=None)
def listed(path=LIST):
    """The lines of the list: "05_privatized_global: How the sentence begins"."""
    return frozenset(line.strip() for line in Path(path).read_text().splitlines()
                     if line.strip() and not line.startswith("#"))


def sections(lines):
    """What lies between headings, without code and tables: lists of lines."""
    found, fenced = [[]], False
    for line in lines:
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and re.match(r"#{1,4} ", line):
            found.append([])
        elif not fenced and not line.startswith("|"):
            found[-1].append(line)
    return found


def paragraphs(lines):
    """Paragraphs and items of lists, each as one line."""
    found = [""]
    for line in lines:
        text = NO_PROSE.sub(" ", line)
        if not line.strip() or text.strip() != line.strip():
            found.append("")
        found[-1] += " " + text.strip()
    return [text.strip() for text in found if text.strip()]


def unknown(text, section, paths):
    """The numbers of a sentence that are in no file of its section, and that nothing there calculates."""
    values = folded.results("\n".join(section))
    return [number for number, unit in folded.numbers(text)
            if not (unit or figures.is_known(number, paths) or folded.is_result(number, values))]


def without_source(page):
    """The sentences of a lesson that compare, and have a number or a section without a source, as the list has them."""
    stem, found = Path(page).stem, []
    for section in sections(Path(page).read_text().split("\n")):
        marks = [mark for line in section for mark in figures.MARK.finditer(line)]
        paths = [path for mark in marks for path in figures.files_of(mark) if figures.is_file(path)]
        for text in (text for paragraph in paragraphs(section) for text in SENTENCE.split(paragraph)):
            if not COMPARES.search(text) or text.endswith("?"):
                continue
            numbers = unknown(text, section, paths)
            if numbers or not marks:
                found.append(f"{stem}: {text[:SHOWN].strip()}" + (f" [{' '.join(numbers)}]" if numbers else ""))
    return found


def wrong_sentences(page):
    """A sentence for each one that is in no list, and for each line of the list that stands nowhere."""
    stem, found = Path(page).stem, without_source(page)
    own = {line for line in listed() if line.startswith(stem + ": ")}
    return [f"{page}: this compares, and no file that its section names has it: {line}"
            for line in found if line not in own] + [
                f"{LIST}: no such sentence without a source: {line}" for line in own - set(found)]


# -- rows --

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


def wrong_rows(page):
    """A sentence for each number that its row's files do not have, and for each row without a proper verdict."""
    return [f"{page}:{number}: {sentence}" for number, *row in rows(Path(page).read_text())
            for sentence in wrong_row(*row)]
