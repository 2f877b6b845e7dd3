#!/usr/bin/env python3
"""new_contract.py - a second contract needs new files and nothing else.

Lays the files of tests/course/contract/ over a copy of the course: the contract scale, its part of
the harness, what every chapter of it has to do, and one chapter. Prints "ok ..." and "FAIL ...",
and their sum at the end.

    tests/course/new_contract.py        from the root of the course"""
import os
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

NEW = os.path.join("tests", "course", "contract")
STEM = "90_one_a_thread"


def add_contract(root, target):
    """All files below NEW, at the same paths from the root of the copy."""
    new = os.path.join(root, NEW)
    for folder, _, names in os.walk(new):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                scratch.add(target, os.path.relpath(path, new), file.read())


def main():
    root = os.getcwd()
    target = scratch.copy(root, "new_contract", with_folders=("solution-5",))
    add_contract(root, target)
    stub, solution = f"chapters/{STEM}/scale.cu", f"solutions/{STEM}/scale.cu"

    scratch.expect(target, "chapter90 test", False, "not done yet: TODO(90.1)", stub + ":")
    scratch.expect(target, "chapter90 solution test", True,
                   "chapter 90: right on 10 inputs, and by its technique: 512 load requests")
    scratch.expect(target, "chapter2 solution test", True, "chapter 2: right on")
    scratch.expect(target, "chapter2 solution run TEXT=english SIZE=64K", True,
                   " 2  naive_atomic           yes")

    # No contract.c: that is one line, and the ladder goes without the chapter.
    said = scratch.expect(target, "chapter90 solution run", False,
                          "there is no common/contracts/scale/contract.c: kernels of this contract are "
                          "judged (test), and not run")
    lines = [line for line in said.splitlines() if not line.startswith("make")]
    scratch.tell("make chapter90 solution run: one line",
                 None if len(lines) == 1 else "prints:\n" + said)
    said = scratch.expect(target, "run TEXT=english SIZE=64K", True, "14  slices")
    scratch.tell("the ladder goes without chapter 90",
                 None if "one_a_thread" not in said else "prints:\n" + said)

    # A wrong kernel fails: the last value is left out; then a right one by another technique.
    right, bound = "if (i < length)\n", "if (i + 1 < length)\n"
    scratch.change(target, solution, right, bound)
    said = scratch.expect(target, "chapter90 solution test", False,
                          "wrong on 1,000 values: result 999 is")
    scratch.tell("nobody is sent to a trace, of which this contract has none",
                 None if " trace" not in said else "prints:\n" + said)
    scratch.change(target, solution, bound, "for (size_t i = 0; i < length && thread == 0; i++)\n")
    scratch.change(target, solution, "const size_t i =", "const size_t thread =")
    scratch.expect(target, "chapter90 solution test", False,
                   "16,384 load requests; with one value for each of 32 lanes")
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
