"""compared.py - whether a lesson that compares speeds or sizes names a source near by.

A sentence with "times as", "faster", "slower" or "percent" has to stand in a section with a mark
`<!-- from docs/results/FILE.csv -->` (figures.py), or ask. What follows from a calculation, or quotes a
title, has no such file: these sentences are listed in docs/results/without_source.txt, each by its
page and how it begins. A line of that list whose sentence is gone, or has a source now, is wrong, too.
"""
import re
from functools import lru_cache
from pathlib import Path

from quotes import figures

LIST = "docs/results/without_source.txt"
COMPARES = re.compile(r"\btimes (?:as|the|faster|slower|longer|more|less|fewer)\b|"
                      r"\b(?:faster|slower|percent)\b|\d%", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.?!:])[*_)\"]*\s+(?=[A-Z0-9*`\[\"])")
NO_PROSE = re.compile(r"<[^>]*>|^\s*(?:[-*]|\d+\.)\s")
SHOWN = 60  # characters that the list has of a sentence


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


def without_source(page):
    """The sentences of a lesson that compare, in sections without a source, as the list has them."""
    stem, found = Path(page).stem, []
    for section in sections(Path(page).read_text().split("\n")):
        if any(figures.MARK.search(line) for line in section):
            continue
        for text in paragraphs(section):
            found += [f"{stem}: {sentence[:SHOWN].strip()}" for sentence in SENTENCE.split(text)
                      if COMPARES.search(sentence) and not sentence.endswith("?")]
    return found


def wrong(page):
    """A sentence for each one that is in no list, and for each line of the list that stands nowhere."""
    stem, found = Path(page).stem, without_source(page)
    own = {line for line in listed() if line.startswith(stem + ": ")}
    return [f"{page}: this compares, and no source is named in its section: {line}"
            for line in found if line not in own] + [
                f"{LIST}: no such sentence without a source: {line}" for line in own - set(found)]
