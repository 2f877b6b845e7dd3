"""verdicts.py - whether the words that a page quotes of a verdict are said by anybody.

Quoted is what stands behind "likeliest cause: " in a block of a page, and the second column of the tables of
docs/tutors.md. Each word has to lie in a piece of a string of the C sources, between two of its conversions. What
a conversion prints may be anything: a number, the name of an array, a place. So numbers are not compared, and
neither is whether this mistake is told in these words: tests/mutants and tests/advice say that of each.
"""
import re
from functools import lru_cache
from pathlib import Path

import course

SOURCES = ("common/**/*.[ch]", "tests/*.c", "tests/further/*.c")
TABLES = "docs/tutors.md"
HEAD = "likeliest cause: "
CAUSE = re.compile(HEAD + r"(.+)")
COLUMN = re.compile(r"^\|[^|`]*(?:`[^`]*`[^|`]*)*\| `([^`]+)` \|", re.MULTILINE)
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
BETWEEN = re.compile(r'"\s*"')
CONVERSION = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j)?[a-zA-Z]|\\n")
FEWEST = 2  # words of a piece: a single one is in many sentences
MISSING = 4  # words in a row that nobody says; fewer are names, or pieces that are shorter
IN_A_WORD = re.compile(r"[A-Za-z]{2}")
A_NAME = re.compile(r"[\d\[\]_./<>()=+*&-]")  # of code, or a number


def pieces_of(text):
    """The pieces of the strings of a C file."""
    for match in STRINGS.finditer(text):
        whole = BETWEEN.sub("", match.group()[1:]).rstrip('"').replace('\\"', '"')
        for piece in CONVERSION.split(whole):
            yield piece.replace("%%", "%").split(HEAD.strip())[-1].removesuffix("0x").strip()


@lru_cache(None)
def pieces():
    """All pieces of all sources that have some words."""
    found = {piece for path in course.files(*SOURCES) for piece in pieces_of(Path(path).read_text())}
    return sorted(piece for piece in found if len(piece.split()) >= FEWEST)


def unsaid(quote):
    """The first words of a quote, several in a row, that nobody says; or None."""
    known = [False] * len(quote)
    for piece in pieces():
        at = quote.find(piece)
        while at >= 0:
            end = at + len(piece)
            if not IN_A_WORD.match(quote[max(at - 1, 0):at + 1]) and not IN_A_WORD.match(quote[end - 1:end + 1]):
                known[at:end] = [True] * len(piece)
            at = quote.find(piece, at + 1)
    missing = []
    for word in re.finditer(r"\S+", quote):
        is_printed = any(known[word.start():word.end()]) or A_NAME.search(word.group())
        missing = [] if is_printed else [*missing, word.group()]
        if len(missing) >= MISSING:
            return " ".join(missing)
    return None


def quotes_of(page, text):
    column = COLUMN.findall(text) if page == TABLES else []
    return [quote.replace("\\|", "|") for quote in CAUSE.findall(text) + column]


def sources(page):
    """What the words of a page are compared with; nothing where it quotes none."""
    return course.files(*SOURCES) if quotes_of(page, Path(page).read_text()) else []


def wrong(page):
    """A sentence for each quote of a page that no source says."""
    found = [(quote, unsaid(quote)) for quote in quotes_of(page, Path(page).read_text())]
    return [f'{page}: no verdict says "{words}": {quote}' for quote, words in found if words]
