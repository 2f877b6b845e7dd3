"""test_goals.py - which goal works for which contract: the table in docs/README.md, cell by cell.

A cell that says yes shows what the goal shows; one that says no is refused by one line. What a student wrote is the
solution, in a folder of its own; of a hint it is the stub.
"""
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from kernels import environment, is_of_mpi

FIRST_OF = {"text": "02_naive_atomic", "keys": "21_compare_and_swap", "batch": "31_batched", "array": "41_warp_shuffle",
            "devices": "60_many_gpus", "ranks": "61_many_nodes", "applications": "70_k_means"}
# What a goal that works says, and why one that does not is refused.
SHOWS = {"test": r": right on \d+ inputs", "further": r"further/\w+\.cu", "hint": r": hint \d of \d for TODO",
         "predict": r"Predict", "run": r"simulated GPU", "profile": r"l1tex__\w+\.sum", "score": r"(?m)^reference: ",
         "trace": r"(?m)^build/trace/\S+\.html$", "debug": r"lane \d+ of warp \d+", "replay": r"Schedule of seed",
         "break": r"build/breaks/\S+"}
REASONS = {"replay": "shows a race of two threads", "break": "has no wrong kernels to expose"}
ANY_STATUS = ("break", "further")  # until they are exposed, and solved


def cells():
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in Path("docs/README.md").read_text().splitlines() if line.startswith("|")]
    head = next(row for row in rows if row[0] == "goal")
    found = [(goal, name.partition(":")[0], cell) for row in rows for goal in row[0].split(", ") if goal in SHOWS
             for name, cell in zip(head[1:], row[1:])]
    assert {goal for goal, _, _ in found} == set(SHOWS)
    return found


def make(answers, *words):
    return subprocess.run(["make", *words], text=True, input=answers, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment())


def fits_a_terminal(text):
    return max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("part", "123456")
def test_ladder_fits_a_terminal(part):
    done = make("", f"PART={part}")
    assert done.returncode == 0 and "simulated GPU" in done.stdout and fits_a_terminal(done.stdout), done.stdout


@pytest.mark.parametrize("goal, contract, cell", cells())
def test_goal(goal, contract, cell, tmp_path):
    stem = FIRST_OF[contract]
    if is_of_mpi(stem) and not shutil.which("mpirun") or goal == "debug" and not shutil.which("gdb"):
        pytest.skip("needs Open MPI, or gdb")
    folder = tmp_path / stem
    shutil.copytree(Path("chapters" if goal == "hint" else "solutions", stem), folder, ignore=shutil.ignore_patterns("further"))
    words = [f"CHAPTERS={tmp_path}", f"chapter{int(stem[:2])}", goal]
    words += ["SIZE=4K"] * (goal in ("run", "profile", "replay", "debug"))
    words += ["BINS=31"] * (goal == "debug" and contract in ("keys", "batch"))  # the first kernel is for few bins
    done = make("", *words)
    if goal == "debug":  # it says how to begin; the host enters a kernel's function, which launches it, and then lanes do
        begin = re.search(r"To begin: (break \w+), then run", done.stdout)
        done = make(f"{begin[1]}\nrun\ncontinue\nlane\ncontinue\nlane\nkill\nquit\n", *words)
    if goal in ("run", "profile"):
        assert fits_a_terminal(done.stdout)
    if cell == "yes":
        assert re.search(SHOWS[goal], done.stdout) and (done.returncode == 0 or goal in ANY_STATUS), done.stdout
    else:
        assert done.returncode != 0 and REASONS[goal] in done.stdout and done.stdout.count("\n") == 1, done.stdout


def test_status_in_the_background(tmp_path):
    """In the background of a script make does not hear that it is to quit; what fails has a status all the same."""
    shutil.copytree("chapters/02_naive_atomic", tmp_path / "02_naive_atomic")
    words = ["make", f"CHAPTERS={tmp_path}", "chapter2", "test"]
    done = subprocess.run(["sh", "-c", "trap '' QUIT; exec \"$@\"", "sh", *words], text=True, capture_output=True, env=environment())
    assert "not done yet" in done.stdout and done.returncode != 0, done.stdout
