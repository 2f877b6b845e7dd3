"""cells.py - proves that the simulator counts the chapters' kernels as a card does.

docs/results/h200/cells.csv has what an H200 counted: chapters, operations, numbers of bins, keys; cells-again.csv
most of them once more. Of each program one cell is drawn by the seed and run; CELLS=all runs every one, which takes a
quarter of an hour. A counter is what the card counted, within 2 percent, or has an allowance with its reason (cell.py);
what the card counted the same twice, the simulator has in 97 of 100, and within 2 percent in 99. And it is the
one that docs/results/sim/cells.csv has, of which the tables of docs/simulator.md and docs/prediction.md are made: a
rule that changes shows. Each allowance is needed, and no wider than that. In nine of ten cells the predicted time is
within half as much again of the card's. The figures are those of gcc's code.
"""
import os
import random
import tempfile
from collections import defaultdict
from functools import partial

import cell
import course
import recount
from proof import Proof, Target

REPEATED_EQUAL, REPEATED_NEAR = 0.97, 0.99  # parts of the counters that the card repeats
LEAST_TIMES, NEAR_TIMES = 450, 0.95  # cells with a predicted time; and the part of them that is near the card's


def drawn(name, cells):
    """Those that are run: one, by the seed, or all."""
    return cells if os.environ.get("CELLS") == "all" else [random.Random(f"{course.SEED} {name}").choice(cells)]


def changed(simulated, kept):
    """A line for each counter of a cell that docs/results/sim/cells.csv has otherwise."""
    return [f"{cell.called(kept)}: {counter}: {simulated[counter]}, and {kept[counter]} in {cell.SIMULATED}"
            for counter in cell.counters_of(kept) if simulated[counter] != kept[counter]]


def kept_cells():
    """{key: (a cell as it is kept of the simulator, as the card has it)}."""
    cards = {cell.key(card): card for card in cell.rows_of(cell.CARD)}
    return {cell.key(kept): (kept, cards[cell.key(kept)]) for kept in cell.rows_of(cell.SIMULATED)}


def prove(name, keys):
    cells, allowed, failures = kept_cells(), cell.allowances(), []
    with tempfile.NamedTemporaryFile(suffix=".csv") as out:
        for kept, card in map(cells.get, keys):
            counted = cell.count(card, out.name)
            if counted["correct"] != "yes":
                failures.append(f"{cell.called(card)}: the result is wrong")
            failures += cell.differences(counted, card, allowed) + changed(counted, kept)
    return [f"FAIL {line}" for line in failures] or [
        f"ok {name}: what is counted in {len(keys)} of its cells is the card's, or allowed"]


def parts_allowed(allowance, pairs):
    """What the simulator counts of the counter of an allowance where it is not near the card's, as a part of that."""
    numbers = [(int(kept[allowance.counter]), cell.runs_of(card, allowance.counter)) for kept, card in pairs
               if cell.is_allowed(allowance, card, allowance.counter, int(kept[allowance.counter]))]
    return [kept / runs[0] for kept, runs in numbers if not cell.is_near(kept, runs)]


def useless(allowance, pairs):
    """A line where an allowance is for nothing, or wider than it has to be."""
    parts = parts_allowed(allowance, pairs)
    words = f"the allowance of {allowance.kernel}, {allowance.operations}, {allowance.counter}"
    if not parts:
        return [f"{words} is for nothing"]
    if allowance.low < min(parts) - cell.NEAR or allowance.high > max(parts) + cell.NEAR:
        return [f"{words} is too wide: {min(parts):.2f} to {max(parts):.2f} are needed"]
    return []


def prove_kept():
    """What is kept of all cells is near the card's, or allowed, and no allowance is for nothing."""
    pairs, allowed = list(kept_cells().values()), cell.allowances()
    failures = [line for kept, card in pairs for line in cell.differences(kept, card, allowed)]
    failures += [line for one in allowed for line in useless(one, pairs)]
    return [f"FAIL {line}" for line in failures] or [f"ok kept: {len(pairs)} cells, {len(allowed)} allowances"]


def prove_told():
    """What is told of the cells is what is kept of them; a clock that takes accesses for free, or waits for all of
    them one after the other, is far off."""
    simulated, cells = {key: kept for key, (kept, _) in kept_cells().items()}, cell.rows_of(cell.CARD)
    by_chapter = recount.summaries(simulated, cells)
    failures = [f"{path}: is not what common/reports/recount.py makes of {cell.SIMULATED}" for path, rows in
                ((recount.BY_CHAPTER, by_chapter), (recount.BY_COUNTER, recount.by_counter(simulated, cells)))
                if cell.rows_of(path) != [{name: str(value) for name, value in row.items()} for row in rows]]
    total = by_chapter[-1]
    if (total["repeated_equal"] < REPEATED_EQUAL * total["repeated"]
            or total["repeated_within_2_percent"] < REPEATED_NEAR * total["repeated"]):
        failures.append(f"of {total['repeated']} counters that the card repeats {total['repeated_equal']} are equal, "
                        f"{total['repeated_within_2_percent']} within 2 percent")
    times, near = total["times"], total["times_within_1.5"]
    if times < LEAST_TIMES or near < NEAR_TIMES * times:
        failures.append(f"the predicted time is within 1.5 times the card's in {near} of {times} cells")
    return [f"FAIL {line}" for line in failures] or [
        f"ok told: {near} of {times} predicted times are within 1.5 times the card's"]


def proofs():
    if "clang" in course.CC:
        return []
    programs = defaultdict(list)
    for key, (_, card) in kept_cells().items():
        programs[f"{cell.stem(card)}-{cell.operation(card) or card['bins']}"].append(key)
    cells, files = kept_cells(), (cell.CARD, cell.AGAIN, cell.SIMULATED, cell.ALLOWANCES)
    return [Proof("cells", "kept", prove_kept, reads=files),
            Proof("cells", "told", prove_told, reads=(*files, cell.LAUNCHES, recount.BY_CHAPTER, recount.BY_COUNTER,
                                                      "common/reports/recount.py")),
            *(proof_of(name, drawn(name, keys), cells[keys[0]][1], files) for name, keys in programs.items())]


def proof_of(name, keys, card, files):
    """Of the program that runs the cells of these keys, one of which is `card`."""
    return Proof("cells", name, partial(prove, name, keys), reads=files, knows=str(keys), guess=2 * len(keys),
                 builds=(Target("solution", cell.variant(card), cell.program(card)),))
