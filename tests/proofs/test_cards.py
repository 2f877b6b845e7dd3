"""test_cards.py - each solution is right on each card that the simulated GPU can be.

A card (common/sim/base/cards.h) has its own limits: threads, blocks and shared memory of a multiprocessor, the number
of these, the L2 cache. So a grid, a number of bins that fits, a way that is chosen is another one, and the suite of
the chapter judges all the same. The H200 is left out: all other proofs are of it.

A kernel of tests/right may be right on an H200 and take that for granted. Then its head says

    Refused on RTX4090: words

and the suite must refuse it on that card, with these words in what is printed.
"""
import re
from pathlib import Path

import pytest
from kernels import judged, placed, solution, stems
from test_right import RIGHT, operations_of

CARDS = re.findall(r"^ {4}CARD\((\w+), \d", Path("common/sim/base/cards.h").read_text(), re.MULTILINE)[1:]
REFUSED = [(path, *found.groups()) for path in RIGHT
           if (found := re.search(r"Refused on (\w+): (.*?)(?:\s*\*/)?\s*$", Path(path).read_text(), re.MULTILINE))]


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("stem", stems())
def test_solution_on(stem, card):
    outcome = judged(solution(stem), SIM_CARD=card)
    assert outcome.passed, outcome.message


@pytest.mark.parametrize("path, card, reason", REFUSED, ids=lambda word: word.removeprefix("tests/right/"))
def test_refused_on(path, card, reason):
    kernel = placed(path, "right")
    outcome = judged(kernel, operations_of(kernel, Path(path).read_text()), SIM_CARD=card)
    assert not outcome.passed, f"passes, but its head says that it is refused: {reason}"
    assert reason in "\n".join(outcome.lines), f"refused without these words: {outcome.message}"
