"""test_solutions.py - no check of the simulator has a word to say of a solution, on the schedules of 20 seeds.

That each solution passes is judged by make test. Here it counts one text under leakcheck, too, and by the letter of
PTX; of a solution with operations and fences its suite judges the last operation by that letter. And each stub is its
solution with empty gaps, so that solving only adds lines; its verdict begins with its first gap; and a student who
types in the last hint of each gap has a kernel that compiles.
"""
import re
import subprocess
from pathlib import Path

import pytest
from kernels import (LADDER, Kernel, contract, counts_right, is_of_mpi, judged, make, number, operations, program,
                     solution, source, stems, taken, write_new)

SEEDS, FEW = range(1, 21), 4
ALL_EMPTY = 2  # the status of `ladder gaps`
OF_TEXTS = [stem for stem in stems() if not operations(stem)]
FENCED = [stem for stem in stems() if operations(stem) and "__threadfence" in Path(source("solutions", stem)).read_text()]
LAST_HINT = re.compile(r"<summary>Hint ([\d.]+), the line</summary>\n+(.*?)\n*</details>", re.DOTALL)
CODE = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("stem", OF_TEXTS)
def test_no_check_speaks(stem):
    """A run for each seed, until one says something or counts wrong. What a kernel for several devices makes once, it
    keeps; to start ranks takes a second."""
    row = program(solution(stem), "row", 5)
    checks = "all,strict" + ("" if contract(stem) == "many" else ",leakcheck")
    for seed in SEEDS[:FEW] if is_of_mpi(stem) else SEEDS:
        status, right, says = counts_right(row, SIM_CHECKS=checks, SIM_SEED=str(seed))
        assert (status, right, says) == (0, True, ""), f"with seed {seed}"


@pytest.mark.parametrize("stem", FENCED)
def test_right_by_the_letter(stem):
    outcome = judged(solution(stem), operations(stem)[-1:], SIM_CHECKS="all,strict")
    assert outcome.passed, outcome.message


@pytest.mark.parametrize("stem", stems())
def test_stub(stem):
    make(LADDER)
    stub = source("chapters", stem)
    made = subprocess.run([LADDER, "gaps", "--stub", source("solutions", stem)], capture_output=True, check=True)
    assert made.stdout == Path(stub).read_bytes(), f"{stub} is not its solution with empty gaps"
    assert subprocess.run([LADDER, "gaps", stub], capture_output=True).returncode == ALL_EMPTY, "not all gaps are empty"
    first = (judged(solution(stem, "chapters"), taken(stem)[:1]).lines or [""])[0]
    assert re.match(rf"{stub}:\d+: not done yet: TODO\({number(stem)}\.1\) ", first), first


@pytest.mark.parametrize("stem", stems())
def test_last_hints_compile(stem):
    hints = {gap: "".join(CODE.findall(hint + "\n")) for gap, hint in LAST_HINT.findall(Path(f"docs/{stem}.md").read_text())}
    stub = Path(source("chapters", stem))
    filled = re.sub(r"^(?=.*end of TODO\(([\d.]+)\))", lambda gap: hints[gap[1]], stub.read_text(), flags=re.MULTILINE)
    kernel = Kernel(stem, stem, False, "build/proofs/hints", f"build/proofs/hints/{stem}/{stub.name}")
    write_new(kernel.source, filled.encode())
    program(kernel, "kernel.o", taken(stem)[0])
