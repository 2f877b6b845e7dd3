"""graded.py - one submission with its findings and points, as all reports show it."""
import re
from dataclasses import dataclass, field

from points import items_for, number, points_of

# What no report can hold: control characters, halves of characters, what XML forbids.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def printable(text):
    """A text in one line that every format can hold; bytes of a strange name become \\xff."""
    try:
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        pass
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


@dataclass
class Graded:
    name: str                 # of the folder
    place: str                # of its folder in the report
    findings: dict = field(default_factory=dict)  # {stem: finding}

    @property
    def shown(self):
        return printable(self.name)

    def points(self, items, chapters):
        return number(sum(points_of(self.findings[chapter.stem], items) for chapter in chapters))


def most(items, chapters):
    """The points of who has all of them."""
    return number(sum(item.weight for chapter in chapters for item in items_for(chapter, items)))


def says(finding):
    return printable(finding["sentence"])
