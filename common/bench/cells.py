"""cells.py - counts on the simulated GPU what a card has counted of the chapters, and lays both side by side.

    cells.py [CHAPTER...]

runs all cells of docs/results/h200/cells.csv, or those of these chapters, and writes docs/results/sim/cells.csv and
cells-by-chapter.csv, a quarter of an hour of work. It prints each counter that is not the card's. `make gpu fidelity`
writes h200/cells.csv on a card.

A cell is a kernel, its input, and what was counted there; cells-again.csv has a second run of most of them. A counter
of the simulator is the card's when it lies between the runs, or within 2 percent of one, or when allowances.csv has a
row of the file cells.csv for it, with the reason. Such a row is about a kernel and the operations that it names, or all
of them (*), and says from where to where the counter may be, as a part of the first run's: 0.45 to 1.30.
"""
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parent))

import fidelity  # noqa: E402 - found by the line above

CARD, SIMULATED, BY_CHAPTER = (f"docs/results/{name}.csv" for name in ("h200/cells", "sim/cells", "sim/cells-by-chapter"))
DURATION = "gpu__time_duration.sum"  # nanoseconds of all kernels of a cell
NOT_SIMULATED = (DURATION, "smsp__inst_executed.sum")
# These count the tries of a compare-and-swap or a lock: in chapters 21 and 22 for each operation, in 23 to 27 for those
# that have no atomic function.
TRIES = ("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "smsp__inst_executed_op_shared_atom.sum")
NEAR, PATIENCE = 0.02, 600  # seconds of a cell, even on a machine that has much to do

Allowance = namedtuple("Allowance", "kernel operations counter low high")


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def key(cell):
    """What tells cells apart."""
    return tuple(cell[name] for name in ("chapter", "operation", "bins", "input", "length", "shift"))


def called(cell):
    return " ".join(f"{name} {cell[name]}," for name in ("chapter", "operation", "bins", "input", "length", "shift") if cell[name])


def counters_of(cell):
    return [name for name in cell if name.endswith(".sum") and name not in NOT_SIMULATED]


def operation(cell):
    """That of the cell's kernel, "" of one that counts texts. A chapter that has only one does not name it."""
    head = re.search(r"^ \* Operations: (\w+)", Path(f"tests/{stem(cell)}.c").read_text(), re.M)
    return cell["operation"] or (head[1] if head else "")


def stem(cell):
    return f"{int(cell['chapter']):02}_{cell['name']}"


def program(cell):
    """The program that runs the cell (common/bench/programs/cells.c): a target of make."""
    return f"build/sim-gcc/solutions/{stem(cell)}/{operation(cell) or cell['bins']}/cells"


def asked_for(cell, cells):
    """What the program of a cell is asked for. Part V has lengths of its own, in the order in which the card had them."""
    if int(cell["chapter"]) >= 70:
        own = [key(one) for one in cells if one["chapter"] == cell["chapter"] and one["operation"] == cell["operation"]]
        return fidelity.cells_of(int(cell["chapter"]), True)[own.index(key(cell))]
    keys = f"KEYS={cell['input']} KEY_BINS={cell['bins']}" if cell["operation"] else f"TEXT={cell['input']}"
    return f"SIZE={cell['length']} SHIFT={cell['shift']}" + (f" {keys}" if cell["bins"] else "")


def count(cell, cells):
    """Runs a cell by the simulator's clock; returns its row. Raises subprocess.TimeoutExpired."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as out:
        subprocess.run([program(cell), out.name, cell["chapter"], cell["name"], asked_for(cell, cells)], check=True,
                       timeout=PATIENCE, env={**os.environ, "OPERATIONS": operation(cell), "SIM_SEED": "1",
                                              "NUM_BINS": "" if operation(cell) else cell["bins"],
                                              "SIM_SCHEDULE": "clock", "SIM_CHECKS": "none", "SIM_PATIENCE": "600"})
        return rows_of(out.name)[0]


def card_runs():
    """{key: [the cell in the card's first run, and in its second, if there is one]}."""
    runs = {key(row): [row] for row in rows_of(CARD)}
    for row in rows_of(CARD.replace("cells", "cells-again")):
        runs[key(row)].append(row)
    return runs


def numbers(runs, counter):
    return [int(row[counter]) for row in runs]


def allowances():
    rows = [row for row in rows_of("docs/results/h200/allowances.csv") if row["file"] == Path(CARD).name]
    return [Allowance(row["kernel"], row["case"], row["counter"], *map(float, row["more"].split(" to "))) for row in rows]


def is_near(simulated, card):
    """Between the card's runs, or within 2 percent of one."""
    return (1 - NEAR) * min(card) <= simulated <= (1 + NEAR) * max(card)


def is_allowed(allowance, cell, counter, simulated):
    return (allowance.kernel == cell["name"] and allowance.counter == counter
            and (allowance.operations == "*" or operation(cell) in allowance.operations.split())
            and allowance.low * int(cell[counter]) <= simulated <= allowance.high * int(cell[counter]))


def differences(simulated, runs, allowed):
    """A line for each counter of a cell that is neither near the card's nor allowed."""
    return [f"{called(runs[0])} {counter}: {' and '.join(map(str, numbers(runs, counter)))} on the H200, "
            f"{simulated[counter]} simulated"
            for counter in counters_of(runs[0])
            if not is_near(int(simulated[counter]), numbers(runs, counter))
            and not any(is_allowed(one, runs[0], counter, int(simulated[counter])) for one in allowed)]


# -- a table by chapter, for docs/simulator.md and docs/prediction.md --


def percent(flags):
    return f"{100 * sum(flags) / len(flags):.1f}"


def off_by(simulated, runs):
    """By what factor a cell's tries are off what the card's runs span: 1 between them; None without any tries."""
    first, has_tries = runs[0], int(runs[0]["chapter"]) in (21, 22)
    if int(first["chapter"]) in range(23, 28):
        has_tries = first["operation"] in ("argmax", "saturate")
    pairs = [(int(simulated[name]), numbers(runs, name)) for name in TRIES if has_tries and int(first[name]) > 0]
    return max((max(own / max(card), min(card) / max(own, 1), 1) for own, card in pairs), default=None)


def time_ratio(simulated, runs, launch):
    """The predicted time over the card's; None of a cell that was not timed."""
    first = runs[0]
    if not (first["operation"] and int(first["chapter"]) < 70 and first[DURATION].isdigit() and simulated["ns_by_the_clock"]):
        return None
    return (int(first["launches"]) * launch + int(simulated["ns_by_the_clock"])) / int(first[DURATION])


def summary(chapter, pairs):
    """A row of the table, of pairs of a cell as simulated and the card's runs."""
    counted = [(int(own[name]), numbers(runs, name)) for own, runs in pairs for name in counters_of(runs[0])]
    twice = [(own, card) for own, card in counted if len(card) == 2]
    repeated = [(own, card) for own, card in twice if card[0] == card[1]]
    others = [is_near(own, card) for own, card in twice if card[0] != card[1]]
    tries = [factor for factor in (off_by(*pair) for pair in pairs) if factor]
    launch = statistics.median(int(row[DURATION]) for row in rows_of("docs/results/h200/launches.csv"))
    times = sorted(ratio for ratio in (time_ratio(*pair, launch) for pair in pairs) if ratio)
    return {"chapter": chapter, "cells": len(pairs), "counters": len(counted),
            "equal_percent": percent([own == card[0] for own, card in counted]),
            "within_2_percent": percent([is_near(own, card[:1]) for own, card in counted]), "twice": len(twice),
            "card_within_2_percent": sum(is_near(a, [b]) for _, (a, b) in twice), "repeated": len(repeated),
            "repeated_equal": sum(own == card[0] for own, card in repeated),
            "repeated_within_2_percent": sum(is_near(*both) for both in repeated),
            "repeated_not_0": sum(card[0] > 0 for _, card in repeated), "others": len(others),
            "others_as_the_card": sum(others), "cells_that_try": len(tries),
            "tries_within_1.25": sum(one <= 1.25 for one in tries), "tries_within_1.6": sum(one <= 1.6 for one in tries),
            "times": len(times), "times_within_1.5": sum(1 / 1.5 <= one <= 1.5 for one in times),
            "lowest_time": f"{times[0]:.2f}" if times else "-", "highest_time": f"{times[-1]:.2f}" if times else "-"}


def by_chapter(simulated):
    """Of {key: a cell as simulated}: a row for each chapter, and one for all."""
    pairs = [(simulated[one], runs) for one, runs in card_runs().items() if one in simulated]
    chapters = dict.fromkeys(runs[0]["chapter"] for _, runs in pairs)
    return [*(summary(chapter, [pair for pair in pairs if pair[1][0]["chapter"] == chapter]) for chapter in chapters),
            summary("all", pairs)]


def write(path, rows):
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main(chapters):
    runs, allowed, cells = card_runs(), allowances(), rows_of(CARD)
    simulated = {key(row): row for row in rows_of(SIMULATED)} if chapters else {}
    asked = [cell for cell in cells if not chapters or cell["chapter"] in chapters]
    subprocess.run(["make", "-s", *sorted({program(cell) for cell in asked})], check=True)
    for cell in asked:
        try:
            simulated[key(cell)] = count(cell, cells)
        except subprocess.TimeoutExpired:
            print(f"left out, after {PATIENCE} s: {called(cell)}", flush=True)
            continue
        print("".join(f"{line}\n" for line in differences(simulated[key(cell)], runs[key(cell)], allowed)), end="", flush=True)
    write(SIMULATED, [simulated[one] for one in runs if one in simulated])
    write(BY_CHAPTER, by_chapter(simulated))


if __name__ == "__main__":
    main(sys.argv[1:])
