"""test_further.py - each exercise of a "Go further" can be passed, and not by what the student has already.

tests/further/NN_name.c judges the exercise of chapter NN. solutions/NN_name/further/ passes it with all that it is
judged with, by the letter of PTX, too; the chapter's plain solution, which counts right, is refused for its
technique: by a counter, and by nothing else.
"""
import subprocess
from pathlib import Path

import pytest
from kernels import files, in_place_of, judged, operations, sentence, solution, stems, taken

EXERCISES = [stem for stem in (Path(path).stem for path in files("tests/further/*.c")) if stem in stems()]


def accepted(source, bins):
    """Whether a kernel may be compiled for this number of bins: some refuse it by an #error. It may include headers that
    this knows no folder of, as mpi.h."""
    done = subprocess.run(["g++", "-E", "-x", "c++", "-Icommon/contract", "-Icommon/sim/include", f"-DBINS={bins}",
                           source], capture_output=True, text=True)
    return "#error" not in done.stderr


def variants(stem):
    """Of an exercise: one for all its operations, or the numbers of bins that its reference takes."""
    reference = solution(stem, further=True)
    assert reference.source, f"there is no kernel in solutions/{stem}/further"
    if operations(stem):
        return [operations(stem, True)]
    return [[bins] for bins in taken(stem, True) if accepted(reference.source, bins)]


@pytest.mark.parametrize("stem, variant", [(stem, variant) for stem in EXERCISES for variant in variants(stem)],
                         ids=lambda word: word if isinstance(word, str) else "-".join(word))
def test_reference_passes(stem, variant):
    outcome = judged(solution(stem, further=True), variant, SIM_CHECKS="all,strict")
    assert outcome.passed, outcome.message
    assert " technique: " in sentence(outcome), f"no technique is judged: {sentence(outcome)}"


@pytest.mark.parametrize("stem", EXERCISES)
def test_plain_solution_is_refused(stem):
    outcome = judged(in_place_of(stem, stem, "plain", further=True), variants(stem)[0], SIM_CHECKS="all,strict")
    assert not outcome.passed, "the chapter's own solution passes, unchanged"
    assert not outcome.caught and set(outcome.failed) == {"counter"}, f"not refused for its technique: {outcome.message}"
