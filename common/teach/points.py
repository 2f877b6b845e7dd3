"""points.py - what a chapter's points are given for: a file of weights, and a lecturer's own texts.

A line of the file is "ITEM WEIGHT [VISIBILITY]", and # begins a comment. The items are right, no-report, technique and
extra; what the file does not name counts nothing.
"""
import math
import re
from collections import namedtuple
from pathlib import Path

USUAL = Path(__file__).with_name("points.txt")
VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")  # Gradescope's words
ITEMS = {"right": "it is right on all inputs and schedules",
         "no-report": "no check of the simulator finds anything",
         "technique": "it uses the technique of the chapter",
         "extra": "it is right on further texts, without a report"}
MOST_BYTES = 16 << 20  # of a text: a simulated GPU counts it on four schedules

Item = namedtuple("Item", "name weight visibility")
# Texts of a lecturer: their folder, the files that count, those that are empty, the seeds of the schedules.
Extra = namedtuple("Extra", "folder texts skipped seeds")


class Wrong(Exception):
    """What is wrong with what the lecturer gave, in one line: with the command, or with a file and a row of it."""


def lines_of(path, example):
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Wrong(f"{path}: {getattr(error, 'strerror', None) or 'is no plain text'}: {example}") from None


def items_in(path, with_extra):
    """The Items of a file, in the order of ITEMS."""
    found = {}
    for row, line in enumerate(lines_of(path, "points come from lines such as 'right 2'"), 1):
        words = line.partition("#")[0].split()
        if words:
            item = item_of(words, f"{path}:{row}")
            if item.name in found:
                raise Wrong(f"{path}:{row}: {item.name} stands there twice")
            found[item.name] = item
    items = [found[name] for name in ITEMS if name in found and (with_extra or name != "extra")]
    if not sum(item.weight for item in items) > 0:
        raise Wrong(f"{path}: gives no points: a line 'right 2' gives two for right bins")
    return items


def item_of(words, where):
    name, weight, visibility = (*words, "", "")[:3]
    visibility = visibility or ("hidden" if name == "extra" else "visible")
    if name not in ITEMS:
        raise Wrong(f"{where}: there is no item '{name}'; there are {', '.join(ITEMS)}")
    try:
        value = float(weight)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1e6:
        raise Wrong(f"{where}: '{weight}' is no number of points for {name}")
    if visibility not in VISIBILITIES or len(words) > 3:
        raise Wrong(f"{where}: '{' '.join(words[2:])}' is no visibility; there are {', '.join(VISIBILITIES)}")
    return Item(name, value, visibility)


def extra_in(folder):
    """The Extra of EXTRA=folder, with *.txt and perhaps a file `seeds`; None without a folder. What is empty is skipped,
    for that text is judged anyway."""
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise Wrong(f"EXTRA={folder}: there is no such folder")
    texts = sorted(path for path in Path(folder).glob("*.txt") if path.is_file())
    full = [path for path in texts if path.stat().st_size]
    if not full:
        raise Wrong(f"EXTRA={folder}: has no texts: a file NAME.txt with something in it is one")
    for path in full:
        if path.stat().st_size > MOST_BYTES:
            raise Wrong(f"{path}: {MOST_BYTES:,} bytes are the most that are counted in a short time")
    seeds, path = [], Path(folder, "seeds")
    if path.exists():
        seeds = re.sub(r"#.*", "", "\n".join(lines_of(path, "seeds are whole numbers"))).split()
    for seed in seeds:
        if not re.fullmatch(r"[0-9]{1,19}", seed):
            raise Wrong(f"{path}: '{seed}' is no seed: a whole number is one")
    return Extra(str(folder), full, [path for path in texts if path not in full], seeds)


def number(value):
    """2.0 as 2, 0.1 + 0.2 as 0.3."""
    return int(value) if value == int(value) else round(value, 4)
