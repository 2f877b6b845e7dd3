"""cells.py - proves that the simulator counts the chapters' kernels as a card does.

docs/results/h200/cells.csv has what an H200 counted: chapters, operations, numbers of bins, keys; cells-again.csv
most of them once more. Of each program one cell is drawn by the seed and run; CELLS=all runs every one, which takes a
quarter of an hour. A counter is what the card counted, within 2 percent, or has an allowance with its reason
(common/reports/recount.py); what the card counted the same twice, the simulator has in 97 of 100, and within 2 percent in 99. And it is the
one that docs/results/sim/cells.csv has, of which the tables of docs/simulator.md and docs/prediction.md are made: a
rule that changes shows. Each allowance is needed, and no wider than that. In nine of ten cells the predicted time is
within half as much again of the card's. The figures are those of gcc's code.
"""
import os
import random
import tempfile
from collections import defaultdict
from functools import partial

import course
import recount
from proof import Proof, Target, lines_of

REPEATED_EQUAL, REPEATED_NEAR = 0.97, 0.99  # parts of the counters that the card repeats
LEAST_TIMES, NEAR_TIMES = 450, 0.95  # cells with a predicted time; and the part of them that is near the card's


def drawn(name, cells):
    """Those that are run: one, by the seed, or all."""
    return cells if os.environ.get("CELLS") == "all" else [random.Random(f"{course.SEED} {name}").choice(cells)]


def changed(simulated, kept):
    """A line for each counter of a cell that docs/results/sim/cells.csv has otherwise."""
    return [f"{recount.called(kept)}: {counter}: {simulated[counter]}, and {kept[counter]} in {recount.SIMULATED}"
            for counter in recount.counters_of(kept) if simulated[counter] != kept[counter]]


def kept_cells():
    """{key: (a cell as it is kept of the simulator, as the card has it)}."""
    cards = {recount.key(card): card for card in recount.rows_of(recount.CARD)}
    return {recount.key(kept): (kept, cards[recount.key(kept)]) for kept in recount.rows_of(recount.SIMULATED)}


def prove(name, keys):
    cells, allowed, failures = kept_cells(), recount.allowances(), []
    with tempfile.NamedTemporaryFile(suffix=".csv") as out:
        for kept, card in map(cells.get, keys):
            counted = recount.count(card, out.name)
            if counted["correct"] != "yes":
                failures.append(f"{recount.called(card)}: the result is wrong")
            failures += recount.differences(counted, card, allowed) + changed(counted, kept)
    return lines_of(f"{name}: what is counted in {len(keys)} of its cells is the card's, or allowed", failures)


def parts_allowed(allowance, pairs):
    """What the simulator counts of the counter of an allowance where it is not near the card's, as a part of that."""
    numbers = [(int(kept[allowance.counter]), recount.runs_of(card, allowance.counter)) for kept, card in pairs
               if recount.is_allowed(allowance, card, allowance.counter, int(kept[allowance.counter]))]
    return [kept / runs[0] for kept, runs in numbers if not recount.is_near(kept, runs)]


def useless(allowance, pairs):
    """A line where an allowance is for nothing, or wider than it has to be."""
    parts = parts_allowed(allowance, pairs)
    words = f"the allowance of {allowance.kernel}, {allowance.operations}, {allowance.counter}"
    if not parts:
        return [f"{words} is for nothing"]
    if allowance.low < min(parts) - recount.NEAR or allowance.high > max(parts) + recount.NEAR:
        return [f"{words} is too wide: {min(parts):.2f} to {max(parts):.2f} are needed"]
    return []


def prove_kept():
    """What is kept of all cells is near the card's, or allowed, and no allowance is for nothing."""
    pairs, allowed = list(kept_cells().values()), recount.allowances()
    failures = [line for kept, card in pairs for line in recount.differences(kept, card, allowed)]
    failures += [line for one in allowed for line in useless(one, pairs)]
    return lines_of(f"kept: {len(pairs)} cells, {len(allowed)} allowances", failures)


def prove_predicted():
    """What is told of the cells is what is kept of them; a clock that takes accesses for free, or waits for all of
    them one after the other, is far off."""
    simulated, cells = {key: kept for key, (kept, _) in kept_cells().items()}, recount.rows_of(recount.CARD)
    by_chapter = recount.summaries(simulated, cells)
    failures = [f"{path}: is not what common/reports/recount.py makes of {recount.SIMULATED}" for path, rows in
                ((recount.BY_CHAPTER, by_chapter), (recount.BY_COUNTER, recount.by_counter(simulated, cells)))
                if recount.rows_of(path) != [{name: str(value) for name, value in row.items()} for row in rows]]
    total = by_chapter[-1]
    if (total["repeated_equal"] < REPEATED_EQUAL * total["repeated"]
            or total["repeated_within_2_percent"] < REPEATED_NEAR * total["repeated"]):
        failures.append(f"of {total['repeated']} counters that the card repeats {total['repeated_equal']} are equal, "
                        f"{total['repeated_within_2_percent']} within 2 percent")
    times, near = total["times"], total["times_within_1.5"]
    if times < LEAST_TIMES or near < NEAR_TIMES * times:
        failures.append(f"the predicted time is within 1.5 times the card's in {near} of {times} cells")
    return lines_of(f"told: {near} of {times} predicted times are within 1.5 times the card's", failures)


def proofs():
    if "clang" in course.CC:
        return []
    programs = defaultdict(list)
    for key, (_, card) in kept_cells().items():
        programs[f"{recount.stem(card)}-{recount.operation(card) or card['bins']}"].append(key)
    cells, files = kept_cells(), (recount.CARD, recount.AGAIN, recount.SIMULATED, recount.ALLOWANCES, "common/reports/recount.py",
                                 "common/reports/fidelity.py")
    return [Proof("cells", "kept", prove_kept, reads=files),
            Proof("cells", "told", prove_predicted, reads=(*files, recount.LAUNCHES, recount.BY_CHAPTER, recount.BY_COUNTER)),
            *(proof_of(name, drawn(name, keys), cells[keys[0]][1], files) for name, keys in programs.items())]


def proof_of(name, keys, card, files):
    """Of the program that runs the cells of these keys, one of which is `card`."""
    return Proof("cells", name, partial(prove, name, keys), reads=files, knows=str(keys), guess=2 * len(keys),
                 builds=(Target("solution", recount.variant(card), recount.program(card)),))
