"""cards.py - proves that each solution is right on each card that the simulated GPU can be.

A card (common/sim/base/cards.h) has its own limits: threads, blocks and shared memory of a multiprocessor,
the number of these, the L2 cache. So a grid, a number of bins that fits, a way that is chosen is another
one, and the suite of the chapter judges all the same. What asks for __CUDA_ARCH__ is compiled for the card.
The H200 is left out: all other proofs are of it.
"""
import os
import re
from functools import partial
from pathlib import Path

import build
import course
import judge
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


def prove(stem, card, bins, source, kernels):
    """The verdict of the chapter's suite on this card, of kernels that lie in a folder of their own: the
    facts of a verdict do, too."""
    folder = Path(course.BUILD, f"cards-{bins}", stem, card)
    for kernel in kernels:
        place = folder / Path(kernel).relative_to(Path(*Path(kernel).parts[:len(folder.parts) - 1]))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        os.link(kernel, place)
    outcome = judge.judged(str(folder), source, stem, bins, SIM_CARD=card)
    if not outcome.passed:
        return [f"FAIL cards {stem} on {card}: {outcome.said}"]
    return [f"ok cards {stem} on {card}: {(outcome.lines or ['right'])[0]}"]


def proof_of(stem, card):
    source, bins = course.source("solutions", stem), course.variants(stem)[0]
    variant = f"{bins}-{card}" if asks_for_arch(source) else bins
    folder = f"{course.BUILD}/solution-{variant}/{stem}"
    kernels = judge.kernels_in(folder)
    builds = (*(Target("solution", variant, kernel) for kernel in kernels),
              Target("solution", bins, judge.suite_of(folder)))
    return Proof("cards", f"{stem}/{card}", partial(prove, stem, card, bins, source, kernels),
                 reads=(source, judge.VERDICT), builds=builds, knows=course.SEED, guess=6)


def proofs():
    return [proof_of(stem, card) for stem in course.stems("solutions") for card in cards()
            if not course.is_of_mpi(course.source("solutions", stem))]
