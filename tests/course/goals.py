#!/usr/bin/env python3
"""goals.py - the table in docs/README.md that says which goal works for which contract, cell by cell, in a copy.

A cell that says yes ends well and shows what the goal shows; one that says no ends with status 2 and one line, the
reason. What a student writes is the solution; hint is asked of the stub. Prints "ok ..." and "FAIL ...", and their
sum at the end. Without gdb, or Open MPI, one line says what is left out.

Depends on: docs/README.md Makefile .gdbinit common/make/*.mk common/course/*.[ch] common/driver/* common/count/* common/programs/**/* common/trace/**/* common/tools/**/*.[ch] common/judge/**/*.[ch] chapters/**/* solutions/**/* tests/course/scratch.py

    tests/course/goals.py          from the root of the course
    tests/course/goals.py trace    one goal alone"""
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

FIRST_OF = {"text": 2, "keys": 21, "batch": 31, "array": 41, "devices": 60, "ranks": 61, "applications": 70}
# What a goal that works says, and why one that does not is refused.
SHOWS = {"test": r": right on \d+ inputs", "further": r"further/\w+\.cu", "hint": r": hint \d of \d for TODO",
         "lesson": r"(?m)^# \d+\. ",
         "predict": r"Predict", "run": r"simulated GPU", "profile": r"l1tex__\w+\.sum",
         "score": r"(?m)^reference: ", "trace": r"(?m)^build/trace/\S+\.html$",
         "debug": r"lane \d+ of warp \d+", "replay": r"Schedule of seed", "break": r"build/breaks/\S+/1/"}
REASONS = {"replay": "shows a race of two threads", "break": "has no wrong kernels to expose"}
# Until they are exposed, and until the exercise is solved, these two end with a status of their own.
ANY_STATUS = ("break", "further")


def table():
    """{goal: {column: "yes" or "no"}} as docs/README.md has it."""
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")]
            for line in open("docs/README.md", encoding="utf-8") if line.startswith("|")]
    head = next(at for at, row in enumerate(rows) if row[0] == "goal")
    columns = [cell.split(":")[0] for cell in rows[head][1:]]
    cells = {}
    for row in rows[head + 2:]:
        if len(row) != len(columns) + 1:
            break
        cells[row[0]] = dict(zip(columns, row[1:]))
    return cells


def stem_of(number):
    return next(stem for stem in sorted(os.listdir("chapters")) if stem.startswith(f"{number:02}_"))


def kernels_of(target, stem):
    """The kernels of a solution, and of the code of an earlier chapter that it includes."""
    found = []
    for folder in (f"chapters/{stem}", "common/contract/given"):
        for name in sorted(os.listdir(os.path.join(target, folder))):
            if name.endswith((".cu", "count_slice.h")):
                with open(os.path.join(target, folder, name), encoding="utf-8") as file:
                    found += re.findall(r"__global__[^;{]*?(\w+)\(\w[^()]*\*", file.read())
    return found


def answers_to(target, goal, stem):
    """What is typed to gdb: a kernel's function is entered by the host, which launches it, and then by lanes."""
    if goal != "debug":
        return ""
    breaks = "".join(f"break {name}\n" for name in kernels_of(target, stem))
    return f"{breaks}run\ncontinue\nlane\nbins\ncontinue\nlane\nbins\nkill\nquit\n"


def lacks(goal, column):
    """What this machine lacks for a cell; else None."""
    if goal == "debug" and not shutil.which("gdb"):
        return "gdb"
    return "Open MPI" if column == "ranks" and not shutil.which("mpirun") else None


def problem_with(cell, goal, status, output):
    lines = [line for line in output.splitlines() if line and not line.startswith("make")]
    if cell == "yes":
        fine = re.search(SHOWS[goal], output) and (status == 0 or goal in ANY_STATUS)
        return None if fine else f"status {status}:\n{output[-2000:]}"
    refusal = [line for line in output.splitlines() if REASONS.get(goal, goal) in line]
    fine = cell == "no" and status == 2 and len(refusal) == 1 and len(lines) <= 1
    return None if fine else f"the table says {cell}; status {status}:\n{output[-2000:]}"


def try_cell(target, goal, column, cell):
    number = FIRST_OF[column]
    missing = lacks(goal, column)
    if missing and cell == "yes":
        print(f"left out: {goal} of chapter {number}, which needs {missing}")
        return
    stem = stem_of(number)
    folder = os.path.join(target, "chapters", stem)
    source = "chapters" if goal == "hint" else "solutions"
    shutil.copytree(os.path.join(source, stem), folder, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("further"), copy_function=shutil.copyfile)
    size = " SIZE=4K" if goal in ("run", "profile", "replay", "debug") else ""
    status, output = scratch.make(target, f"chapter{number} {goal}{size}", answers_to(target, goal, stem))
    scratch.tell(f"make chapter{number} {goal}: {cell}", problem_with(cell, goal, status, output))


def main():
    cells = table()
    only = sys.argv[1:] or list(cells)
    lost = set(SHOWS) ^ set(cells) | {column for row in cells.values() for column in row} ^ set(FIRST_OF)
    scratch.tell("the table has every goal and contract", f"differs in {lost}" if lost else None)
    target = scratch.copy(os.getcwd(), "goals")
    for goal in only:
        for column, cell in cells[goal].items():
            try_cell(target, goal, column, cell)
    shutil.rmtree(target, ignore_errors=True)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
