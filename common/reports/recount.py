"""recount.py - counts on the simulated GPU what a card has counted of the chapters: docs/results/sim/cells.csv.

    recount.py [CHAPTER...]

runs all cells of docs/results/h200/cells.csv, or those of these chapters and keeps the others, by the clock with
seed 1 and gcc; a cell that takes longer than two minutes is left out. Then it writes what is told of them:
docs/results/sim/cells-by-chapter.csv has how many counters are equal to those of the card's first run, and within 2
percent; of those that the card counted twice how many it repeated, how many it repeated within 2 percent, and what
the simulator has of them; in how many cells that try again all tries are within a factor of 1.25, and of 1.6, of what
the card's runs span; and how far the predicted times (docs/prediction.md) are from the card's. cells-by-counter.csv
has all but tries and times for each counter. All of it takes a quarter of an hour. What common/proofs/checks/cells.py
would find wrong is printed. With - in place of chapters nothing is run. The environment says BUILD, CC, CXX and MAKE.

A cell is one row of cells.csv: a kernel, its input, and what the card counted there; cells-again.csv has a second run of
most of them. A counter is held to the card's: it lies between the runs, or within 2 percent of one, or
docs/results/h200/allowances.csv has a row of the file cells.csv for it, with the reason. Such a row is of a kernel and of
the operations that are named, or of all (*), and says from where to where the counter may be, as a part of the first
run's: 0.45 to 1.30.
"""
import csv
import functools
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict, namedtuple
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import course  # noqa: E402 - found by the line above
import fidelity  # noqa: E402

CARD, AGAIN = "docs/results/h200/cells.csv", "docs/results/h200/cells-again.csv"
SIMULATED = "docs/results/sim/cells.csv"
ALLOWANCES = "docs/results/h200/allowances.csv"
DURATION = "gpu__time_duration.sum"  # nanoseconds of all kernels
NO_COUNTERS = (DURATION, "smsp__inst_executed.sum")  # columns of the card that are not simulated
LAUNCHES = "docs/results/h200/launches.csv"  # that do nothing
# What counts tries of a compare-and-swap or a lock, where an update takes one: in these chapters with every
# operation, in those with the operations for which there is no atomic function.
TRIES = ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "smsp__inst_executed_op_shared_atom.sum")
ALWAYS_TRY, TRY_WITHOUT_ATOMIC = range(21, 23), range(23, 28)
NEAR = 0.02
MOST_SECONDS = 120  # of a cell
BY_CHAPTER = "docs/results/sim/cells-by-chapter.csv"
BY_COUNTER = "docs/results/sim/cells-by-counter.csv"

Allowance = namedtuple("Allowance", "kernel operations counter low high why")


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def key(cell):
    """What tells cells apart: one row of either file."""
    return tuple(cell[name] for name in ("chapter", "operation", "bins", "input", "length", "shift"))


def called(cell):
    """A cell in words: 22 saturate, 31 bins, zipf, 262144."""
    keys = f"{cell['bins']} bins, {cell['input']}, " if cell["bins"] else ""
    shift = f", {cell['shift']} behind a multiple of 256 bytes" if cell["shift"] != "0" else ""
    return f"{cell['chapter']} {cell['operation'] or cell['name']}, {keys}{cell['length']}{shift}"


def counters_of(cell):
    """The counters that both have."""
    return [name for name in cell if name.endswith(".sum") and name not in NO_COUNTERS]


def stem(cell):
    return f"{int(cell['chapter']):02}_{cell['name']}"


def operation(cell):
    """That of its kernel; a chapter with one alone does not name it in the cell. None of those that count texts."""
    return cell["operation"] or "".join(course.operations(stem(cell))[:1])


def variant(cell):
    """With what its kernel is built."""
    return "keys" if operation(cell) else int(cell["bins"])


def program(cell):
    """The program that runs it: common/run/cells.c."""
    return str(Path(course.BUILD, f"solution-{variant(cell)}", stem(cell), operation(cell), "cells"))


def is_application(cell):
    return int(cell["chapter"]) >= 70


@functools.cache
def applications():
    """{key: what the program is asked for}, of Part V: an input has another length than SIZE. The card has counted
    all of a kernel's in their order."""
    kernels = defaultdict(list)
    for row in rows_of(CARD):
        if is_application(row):
            kernels[row["chapter"], row["operation"]].append(key(row))
    return {one: asked for (chapter, _), keys in kernels.items()
            for one, asked in zip(keys, fidelity.cells_of(int(chapter), True), strict=True)}


def asked_for(cell):
    """What the program of a cell is asked for."""
    asked = f"SIZE={cell['length']} SHIFT={cell['shift']}"
    if is_application(cell):
        asked = applications()[key(cell)]
    elif not cell["operation"]:
        asked += f" TEXT={cell['input']}"
    elif cell["bins"]:
        asked += f" KEYS={cell['input']} KEY_BINS={cell['bins']}"
    return asked


def count(cell, out, most_seconds=None):
    """Runs a cell; returns its row. `out` is a file for it. Raises subprocess.TimeoutExpired."""
    subprocess.run([program(cell), out, cell["chapter"], cell["name"], asked_for(cell)], check=True,
                   timeout=most_seconds,
                   env=course.environment(OPERATIONS=operation(cell),
                                          NUM_BINS="" if operation(cell) else cell["bins"],
                                          SIM_SCHEDULE="clock", SIM_CHECKS="none", SIM_SEED="1", SIM_PATIENCE="600"))
    return rows_of(out)[0]


def allowances():
    """Those of cells.csv."""
    found = []
    for row in rows_of(ALLOWANCES):
        if row["file"] == Path(CARD).name:
            low, high = map(float, row["more"].split(" to "))
            found.append(Allowance(row["kernel"], row["case"], row["counter"], low, high, row["why"]))
    return found


@functools.cache
def second_run():
    """{key: the cell as the card counted it the second time}."""
    return {key(row): row for row in rows_of(AGAIN)}


def runs_of(card, counter):
    """What the card counted of a cell in its one or two runs."""
    again = second_run().get(key(card))
    return [int(row[counter]) for row in (card, again) if row]


def is_near(simulated, runs):
    """Between the runs, or within 2 percent of one."""
    return (1 - NEAR) * min(runs) <= simulated <= (1 + NEAR) * max(runs)


def is_allowed(allowance, card, counter, simulated):
    """Whether this row is about a counter of the card's cell, and allows what is simulated."""
    return (allowance.kernel == card["name"] and allowance.counter == counter
            and (allowance.operations == "*" or operation(card) in allowance.operations.split())
            and allowance.low * int(card[counter]) <= simulated <= allowance.high * int(card[counter]))


def differences(simulated, card, allowed):
    """A line for each counter of a cell that is neither near the card's nor allowed."""
    return [f"{called(card)}: {counter}: {' and '.join(map(str, runs_of(card, counter)))} on the H200, "
            f"{simulated[counter]} simulated"
            for counter in counters_of(card)
            if not is_near(int(simulated[counter]), runs_of(card, counter))
            and not any(is_allowed(one, card, counter, int(simulated[counter])) for one in allowed)]


@functools.cache
def launch_ns():
    return statistics.median(int(row[DURATION]) for row in rows_of(LAUNCHES))


def predicted_ns(simulated, card):
    """What the kernels take on the card by the simulator's clock, as common/run/run.c adds it up."""
    return int(card["launches"]) * launch_ns() + int(simulated["ns_by_the_clock"])


def tries(cell):
    """The counters of tries that this cell of the card has."""
    chapter = int(cell["chapter"])
    if chapter not in ALWAYS_TRY and not (chapter in TRY_WITHOUT_ATOMIC
                                          and cell["operation"] in ("argmax", "saturate")):
        return []
    return [counter for counter in TRIES if int(cell[counter]) > 0]


def factor(simulated, runs):
    """How far a number is from the runs of the card, from 1 on: 1 between them."""
    low, high = min(runs), max(runs)
    return max(simulated / high, low / simulated, 1) if simulated and high else float("inf")


# -- counting again, and what is told of it --


def build(cells):
    """Builds the programs of cells."""
    for bins in sorted({variant(one) for one in cells}, key=str):
        programs = sorted({program(one) for one in cells if variant(one) == bins})
        subprocess.run([course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk",
                        f"CC={course.CC}", f"CXX={course.CXX}", "KIND=solution", f"BINS={bins}", *programs],
                       check=True, env=course.environment())


def count_all(cells):
    """The simulator's rows of cells."""
    counted = []
    with tempfile.TemporaryDirectory() as work:
        for one in cells:
            try:
                counted.append(count(one, f"{work}/row.csv", MOST_SECONDS))
            except subprocess.TimeoutExpired:
                print(f"left out: {called(one)}", flush=True)
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
    return sorted(predicted_ns(own, card) / int(card[DURATION]) for own, card in pairs
                  if card["operation"] and not is_application(card)
                  and card[DURATION].isdigit() and own["ns_by_the_clock"])


def agreement(numbers):
    """The columns that say how well counters agree: of pairs of a number as simulated and the card's runs. The
    `others` are those that the card counted twice and did not repeat; of those the simulator may be between the runs."""
    twice = [(own, runs) for own, runs in numbers if len(runs) == 2]
    repeated = [(own, runs) for own, runs in twice if runs[0] == runs[1]]
    others = [(own, runs) for own, runs in twice if runs[0] != runs[1]]
    return {"counters": len(numbers),
            "equal_percent": share(sum(own == runs[0] for own, runs in numbers), len(numbers)),
            "within_2_percent": share(sum(is_near(own, runs[:1]) for own, runs in numbers), len(numbers)),
            "twice": len(twice), "card_within_2_percent": sum(is_near(a, [b]) for _, (a, b) in twice),
            "repeated": len(repeated), "repeated_equal": sum(own == runs[0] for own, runs in repeated),
            "repeated_within_2_percent": sum(is_near(*both) for both in repeated),
            "repeated_not_0": sum(runs[0] > 0 for _, runs in repeated),
            "others": len(others), "others_as_the_card": sum(is_near(*both) for both in others)}


def numbers_of(pairs, names):
    return [(int(own[name]), runs_of(card, name)) for own, card in pairs for name in names]


def summary(chapter, pairs):
    """One row of the table: of pairs of a cell as simulated and as the card has it."""
    factors = [max(factor(int(own[name]), runs_of(card, name)) for name in tries(card))
             for own, card in pairs if tries(card)]
    off = times(pairs)
    return {"chapter": chapter, "cells": len(pairs), **agreement(numbers_of(pairs, counters_of(pairs[0][1]))),
            "cells_that_try": len(factors), "tries_within_1.25": sum(one <= 1.25 for one in factors),
            "tries_within_1.6": sum(one <= 1.6 for one in factors),
            "times": len(off), "times_within_1.5": sum(1 / 1.5 <= one <= 1.5 for one in off),
            "lowest_time": f"{off[0]:.2f}" if off else "-",
            "highest_time": f"{off[-1]:.2f}" if off else "-"}


def summaries(simulated, cells):
    """A row for each chapter, and one for all."""
    chapters = defaultdict(list)
    for one in cells:
        if key(one) in simulated:
            chapters[one["chapter"]].append((simulated[key(one)], one))
    return [*(summary(*chapter) for chapter in chapters.items()),
            summary("all", [pair for pairs in chapters.values() for pair in pairs])]


def by_counter(simulated, cells):
    """A row for each counter."""
    pairs = [(simulated[key(one)], one) for one in cells if key(one) in simulated]
    return [{"counter": name, **agreement(numbers_of(pairs, [name]))} for name in counters_of(cells[0])]


def main(chapters):
    if course.CC != "gcc":
        sys.exit("recount.py: the file has what gcc makes of the kernels")
    cells = rows_of(CARD)
    asked = [one for one in cells if not chapters or one["chapter"] in chapters]
    build(asked)
    kept = rows_of(SIMULATED) if chapters else []
    simulated = {key(one): one for one in [*kept, *count_all(asked)]}
    write(SIMULATED, [simulated[key(one)] for one in cells if key(one) in simulated])
    write(BY_CHAPTER, summaries(simulated, cells))
    write(BY_COUNTER, by_counter(simulated, cells))
    allowed = allowances()
    for one in cells:
        if key(one) in simulated:
            for line in differences(simulated[key(one)], one, allowed):
                print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
