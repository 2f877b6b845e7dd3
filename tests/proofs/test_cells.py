"""test_cells.py - proves that the simulator counts the chapters' kernels as a card does.

docs/results/h200/cells.csv has what an H200 counted (common/bench/cells.py says what a cell is). Of each kernel one
cell is drawn by the seed and run; CELLS=all runs every one, which takes a quarter of an hour. The figures are those
of the code that gcc makes.
"""
import os
import random
import sys
from collections import defaultdict

import pytest

sys.path.insert(0, "common/bench")

import cells  # noqa: E402 - found by the line above
from kernels import make  # noqa: E402

pytestmark = pytest.mark.skipif("clang" in os.environ.get("CC", ""), reason="the figures are of gcc's code")
CARD, ALL, ALLOWED = cells.card_runs(), cells.rows_of(cells.CARD), cells.allowances()
KEPT = {cells.key(row): row for row in cells.rows_of(cells.SIMULATED)}
KERNELS = defaultdict(list)
for one in KEPT:
    KERNELS[cells.program(CARD[one][0])].append(one)
# Parts of the counters that the card repeats, and of the predicted times.
REPEATED_EQUAL, REPEATED_NEAR, TIMES_NEAR = 0.97, 0.99, 0.95


@pytest.mark.parametrize("program", sorted(KERNELS))
def test_a_cell_is_counted_as_by_the_card_and_as_is_kept(program):
    make(program)
    drawn = random.Random(os.environ.get("SEED", "1") + program).choice(KERNELS[program])
    for one in KERNELS[program] if os.environ.get("CELLS") == "all" else [drawn]:
        counted, card = cells.count(CARD[one][0], ALL), CARD[one][0]
        assert counted["correct"] == "yes", cells.called(card)
        assert not cells.differences(counted, CARD[one], ALLOWED)
        assert {name: counted[name] for name in cells.counters_of(card)} == \
            {name: KEPT[one][name] for name in cells.counters_of(card)}, cells.called(card)


def test_what_is_kept_of_all_cells_is_the_cards_or_allowed():
    assert not [line for one, kept in KEPT.items() for line in cells.differences(kept, CARD[one], ALLOWED)]


@pytest.mark.parametrize("allowance", ALLOWED, ids=lambda one: f"{one.kernel} {one.operations} {one.counter}")
def test_an_allowance_is_needed_and_no_wider_than_that(allowance):
    pairs = [(int(kept[allowance.counter]), CARD[one]) for one, kept in KEPT.items()]
    parts = [own / cells.numbers(runs, allowance.counter)[0] for own, runs in pairs
             if cells.is_allowed(allowance, runs[0], allowance.counter, own)
             and not cells.is_near(own, cells.numbers(runs, allowance.counter))]
    assert parts, "it is for nothing"
    assert allowance.low >= min(parts) - cells.NEAR and allowance.high <= max(parts) + cells.NEAR


def test_the_table_by_chapter_is_that_of_the_cells_and_the_simulator_is_near_the_card():
    rows = cells.by_chapter(KEPT)
    assert cells.rows_of(cells.BY_CHAPTER) == [{name: str(value) for name, value in row.items()} for row in rows]
    total = rows[-1]
    assert total["repeated_equal"] >= REPEATED_EQUAL * total["repeated"]
    assert total["repeated_within_2_percent"] >= REPEATED_NEAR * total["repeated"]
    assert total["times_within_1.5"] >= TIMES_NEAR * total["times"]
