"""points.py - the file of weights, what a finding earns, and one submission with its findings, as all reports show it.

A line is "ITEM WEIGHT [VISIBILITY]", and # begins a comment. The items are right, no-report,
technique and extra; what the file does not name counts nothing.
"""
import math
import re
from dataclasses import dataclass, field

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
ITEMS = {"right": "it is right on all inputs and schedules",
         "no-report": "no check of the simulator finds anything",
         "technique": "it uses the technique of the chapter",
         "extra": "it is right on further texts, without a report"}

# What no report can hold: control characters, halves of characters, what XML forbids.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Wrong(Exception):
    """What is wrong with what the lecturer gave, in one line: with the command, or with a file, and the row of it."""


@dataclass(frozen=True)
class Item:
    name: str
    weight: float
    visibility: str

    @property
    def words(self):
        return ITEMS[self.name]

    def is_met(self, finding):
        return finding[self.name.replace("-", "_")]


def items_of(path, with_extra):
    """The Items of a file, without `extra` when the lecturer has no texts of his own."""
    items = {}
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is no plain text"
        raise Wrong(f"{path}: {reason}: points come from a file of lines such as 'right 2'")
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if words:
            items[words[0]] = item_of(words, f"{path}:{number}", items)
    chosen = [items[name] for name in ITEMS if name in items and (with_extra or name != "extra")]
    if not sum(item.weight for item in chosen) > 0:
        raise Wrong(f"{path}: gives no points: a line 'right 2' gives two for right bins")
    return chosen


def item_of(words, where, before):
    name, weight, visibility = (*words, "", "", "")[:3]
    if name not in ITEMS:
        raise Wrong(f"{where}: there is no item '{name}'; there are {', '.join(ITEMS)}")
    if name in before:
        raise Wrong(f"{where}: {name} stands there twice")
    try:
        value = float(weight)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1e6:
        raise Wrong(f"{where}: '{weight}' is no number of points for {name}")
    visibility = visibility or ("hidden" if name == "extra" else "visible")
    if visibility not in VISIBILITIES or len(words) > 3:
        raise Wrong(f"{where}: '{' '.join(words[2:])}' is no visibility; there are "
                        f"{', '.join(VISIBILITIES)}")
    return Item(name, value, visibility)


def items_for(chapter, items):
    """The items of a chapter: `extra` only where it is judged on a lecturer's own texts."""
    return [item for item in items if item.name != "extra" or chapter.extra]


def points_of(finding, items):
    """The sum that a finding earns."""
    return sum(item.weight for item in items if item.is_met(finding))


def number(value):
    """2.0 as 2, 0.1 + 0.2 as 0.3."""
    return int(value) if value == int(value) else round(value, 4)


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
