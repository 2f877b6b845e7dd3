"""cell.py - one cell of docs/results/h200/cells.csv, which a card has counted: its kernel, its input, and
what the simulated GPU counts there.

docs/results/h200/cells-again.csv has a second run of most of them. The simulator's counters are kept in
docs/results/sim/cells.csv (common/reports/recount.py). A counter is held to the card's: it lies between the runs, or
within 2 percent of one, or docs/results/h200/allowances.csv has a row of the file cells.csv for it, with the reason.
Such a row is of a kernel and of the operations that are named, or of all (*), and says from where to where the
counter may be, as a part of the first run's: 0.45 to 1.30.
"""
import csv
import functools
import statistics
import subprocess
from collections import defaultdict, namedtuple
from pathlib import Path

import course
import fidelity

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
