"""recount.py - counts on the simulated GPU what a card has counted of the chapters: docs/results/sim/cells.csv.

    recount.py [CHAPTER...]

runs all cells of docs/results/h200/cells.csv, or those of these chapters and keeps the others, by the clock with
seed 1 and gcc; a cell that takes longer than two minutes is left out. Then it writes what is told of them:
docs/results/sim/cells-by-chapter.csv has how many counters are equal to those of the card's first run, and within 2
percent; of those that the card counted twice how many it repeated, how many it repeated within 2 percent, and what
the simulator has of them; in how many cells that try again all tries are within a factor of 1.25, and of 1.6, of what
the card's runs span; and how far the predicted times (docs/prediction.md) are from the card's. cells-by-counter.csv
has all but tries and times for each counter. All of it takes a quarter of an hour. What common/proofs/kinds/cells.py would find wrong is printed. With - in place of chapters
nothing is run. The environment says BUILD, CC, CXX and MAKE.
"""
import csv
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import cell  # noqa: E402 - found by the line above
import course  # noqa: E402

MOST_SECONDS = 120  # of a cell
BY_CHAPTER = "docs/results/sim/cells-by-chapter.csv"
BY_COUNTER = "docs/results/sim/cells-by-counter.csv"


def build(cells):
    """Builds the programs of cells."""
    for variant in sorted({cell.variant(one) for one in cells}, key=str):
        programs = sorted({cell.program(one) for one in cells if cell.variant(one) == variant})
        subprocess.run([course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk",
                        f"CC={course.CC}", f"CXX={course.CXX}", "KIND=solution", f"BINS={variant}", *programs],
                       check=True, env=course.environment())


def count_all(cells):
    """The simulator's rows of cells."""
    counted = []
    with tempfile.TemporaryDirectory() as work:
        for one in cells:
            try:
                counted.append(cell.count(one, f"{work}/row.csv", MOST_SECONDS))
            except subprocess.TimeoutExpired:
                print(f"left out: {cell.called(one)}", flush=True)
    return counted


def write(path, rows):
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def share(part, whole):
    return f"{100 * part / whole:.1f}"


def times(pairs):
    """By what factors the predicted time of kernels is off, from the lowest to the highest: of cells of Parts II and
    III with an operation, whose time both have."""
    return sorted(cell.predicted_ns(own, card) / int(card[cell.DURATION]) for own, card in pairs
                  if card["operation"] and not cell.is_application(card)
                  and card[cell.DURATION].isdigit() and own["ns_by_the_clock"])


def agreement(numbers):
    """The columns that say how well counters agree: of pairs of a number as simulated and the card's runs. The
    `others` are those that the card counted twice and did not repeat; of those the simulator may be between the runs."""
    twice = [(own, runs) for own, runs in numbers if len(runs) == 2]
    repeated = [(own, runs) for own, runs in twice if runs[0] == runs[1]]
    others = [(own, runs) for own, runs in twice if runs[0] != runs[1]]
    return {"counters": len(numbers),
            "equal_percent": share(sum(own == runs[0] for own, runs in numbers), len(numbers)),
            "within_2_percent": share(sum(cell.is_near(own, runs[:1]) for own, runs in numbers), len(numbers)),
            "twice": len(twice), "card_within_2_percent": sum(cell.is_near(a, [b]) for _, (a, b) in twice),
            "repeated": len(repeated), "repeated_equal": sum(own == runs[0] for own, runs in repeated),
            "repeated_within_2_percent": sum(cell.is_near(*both) for both in repeated),
            "repeated_not_0": sum(runs[0] > 0 for _, runs in repeated),
            "others": len(others), "others_as_the_card": sum(cell.is_near(*both) for both in others)}


def numbers_of(pairs, names):
    return [(int(own[name]), cell.runs_of(card, name)) for own, card in pairs for name in names]


def summary(chapter, pairs):
    """One row of the table: of pairs of a cell as simulated and as the card has it."""
    apart = [max(cell.factor(int(own[name]), cell.runs_of(card, name)) for name in cell.tries(card))
             for own, card in pairs if cell.tries(card)]
    off = times(pairs)
    return {"chapter": chapter, "cells": len(pairs), **agreement(numbers_of(pairs, cell.counters_of(pairs[0][1]))),
            "cells_that_try": len(apart), "tries_within_1.25": sum(one <= 1.25 for one in apart),
            "tries_within_1.6": sum(one <= 1.6 for one in apart),
            "times": len(off), "times_within_1.5": sum(1 / 1.5 <= one <= 1.5 for one in off),
            "lowest_time": f"{off[0]:.2f}" if off else "-",
            "highest_time": f"{off[-1]:.2f}" if off else "-"}


def summaries(simulated, cells):
    """A row for each chapter, and one for all."""
    chapters = defaultdict(list)
    for one in cells:
        if cell.key(one) in simulated:
            chapters[one["chapter"]].append((simulated[cell.key(one)], one))
    return [*(summary(*chapter) for chapter in chapters.items()),
            summary("all", [pair for pairs in chapters.values() for pair in pairs])]


def by_counter(simulated, cells):
    """A row for each counter."""
    pairs = [(simulated[cell.key(one)], one) for one in cells if cell.key(one) in simulated]
    return [{"counter": name, **agreement(numbers_of(pairs, [name]))} for name in cell.counters_of(cells[0])]


def main(chapters):
    if course.CC != "gcc":
        sys.exit("recount.py: the file has what gcc makes of the kernels")
    cells = cell.rows_of(cell.CARD)
    asked = [one for one in cells if not chapters or one["chapter"] in chapters]
    build(asked)
    kept = cell.rows_of(cell.SIMULATED) if chapters else []
    simulated = {cell.key(one): one for one in [*kept, *count_all(asked)]}
    write(cell.SIMULATED, [simulated[cell.key(one)] for one in cells if cell.key(one) in simulated])
    write(BY_CHAPTER, summaries(simulated, cells))
    write(BY_COUNTER, by_counter(simulated, cells))
    allowed = cell.allowances()
    for one in cells:
        if cell.key(one) in simulated:
            for line in cell.differences(simulated[cell.key(one)], one, allowed):
                print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
