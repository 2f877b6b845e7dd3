"""cards.py - proves that each solution is right on each card that the simulated GPU can be.

A card (common/sim/base/cards.h) has its own limits: threads, blocks and shared memory of a multiprocessor,
the number of these, the L2 cache. So a grid, a number of bins that fits, a way that is chosen is another
one, and the suite of the chapter judges all the same. What asks for __CUDA_ARCH__ is compiled for the card.
The H200 is left out: all other proofs are of it.

A kernel of tests/right may be right on an H200 and take that for granted. Then its head says

    Refused on RTX4090: words

and the suite must refuse it on that card, with these words in what is printed.
"""
import re
from functools import partial
from pathlib import Path

import build
import course
import judge
from checks import right
from proof import Proof, Target

TABLE = "common/sim/base/cards.h"
CONTRACTS = ("common/contract", "common/contract/given")


def cards():
    """The names of the cards, without the first."""
    names = re.findall(r"^ {4}CARD\((\w+), \d", Path(TABLE).read_text(), re.MULTILINE)
    return names[1:]


def asks_for_arch(path, seen=None):
    """Whether a source, or a header of the contracts that it includes, depends on __CUDA_ARCH__."""
    text, seen = Path(path).read_text(), seen if seen is not None else set()
    seen.add(path)
    included = [str(Path(folder, name)) for name in re.findall(r'^# *include "([\w./]+)"', text, re.MULTILINE)
                for folder in CONTRACTS]
    return "__CUDA_ARCH__" in text or any(asks_for_arch(one, seen) for one in included
                                          if one not in seen and Path(one).exists())


def judged(built, name, card, source, operations=None):
    """The Outcome of the suite on this card for the kernels in the folder `built`, which get a folder of their own:
    the entries of a verdict lie there, too."""
    stem, *what = name.split("/")
    bins = course.variants(stem)[0]
    folder = "/".join((course.BUILD, f"cards-{bins}", stem, *what, card))
    judge.linked(folder, built, operations)
    return judge.judged(folder, source, stem, bins, operations, SIM_CARD=card)


def prove(stem, card, source, built):
    outcome = judged(built, stem, card, source)
    if not outcome.passed:
        return [f"FAIL cards {stem} on {card}: {outcome.message}"]
    return [f"ok cards {stem} on {card}: {(outcome.lines or ['right'])[0]}"]


def proof_of(stem, card):
    source, bins = course.source("solutions", stem), course.variants(stem)[0]
    variant = f"{bins}-{card}" if asks_for_arch(source) else bins
    folder = f"{course.BUILD}/solution-{variant}/{stem}"
    builds = (*(Target("solution", variant, kernel) for kernel in judge.kernels_in(folder)),
              Target("solution", bins, judge.suite_of(folder)))
    return Proof("cards", f"{stem}/{card}", partial(prove, stem, card, source, folder),
                 reads=(source, judge.VERDICT), builds=builds, knows=course.SEED, guess=6)


def prove_refused(one, card, reason, operations):
    outcome, name = judged(one.folder, one.name, card, one.source, operations), one.name
    if outcome.passed:
        return [f"FAIL cards {name} on {card}: passes, but its head says that it is refused: {reason}"]
    if reason not in "\n".join(outcome.lines):
        return [f"FAIL cards {name} on {card}: refused without the words: {reason}: {outcome.message}"]
    return [f"ok cards {name} on {card}: refused: {reason}"]


def refused(path):
    """The proof that a kernel of tests/right is refused on the card that its head names, or none."""
    text = Path(path).read_text(encoding="utf-8")
    found = re.search(r"Refused on (\w+): (.*?)(?:\s*\*/)?\s*$", text, re.MULTILINE)
    if not found:
        return []
    card, reason = found.groups()
    one = build.kernel(path, "right")
    operations = right.operations_of(one.name, text)
    return [Proof("cards", f"{one.name}/{card}", partial(prove_refused, one, card, reason, operations),
                  reads=(path, one.source, judge.VERDICT),
                  builds=build.judged("right", one.bins, one.folder, operations), knows=course.SEED, guess=6)]


def proofs():
    return [*(proof_of(stem, card) for stem in course.stems("solutions") for card in cards()),
            *(one for path in course.files("tests/right/*/*") for one in refused(path))]
