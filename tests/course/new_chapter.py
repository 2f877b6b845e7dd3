#!/usr/bin/env python3
"""new_chapter.py - a new chapter of an existing contract needs new files and nothing else.

Adds chapter 15 to a copy of the course: solution, suite and lesson of chapter 6 under another
number, a stub that is made of the solution, and an exercise to go further with. Prints "ok ..." and "FAIL ...", and their
sum at the end.

    tests/course/new_chapter.py        from the root of the course"""
import os
import re
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

OLD, NEW = "06_shared", "15_shared_again"

# An exercise: smaller blocks.
SUITE = """#include "harness.h"

Test(further15, has_blocks_of_64_threads)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_at_most(cost.threads_per_block, "threads in a block", 64, "the exercise asks for it");
    technique_is("%s threads in a block", grouped(cost.threads_per_block));
    text_free(&text);
}
"""


def renumbered(text):
    """The files of chapter 6 speak of chapter 6."""
    text = re.sub(r"TODO\(6\.", "TODO(15.", text)
    text = text.replace(OLD, NEW).replace("chapter06", "chapter15")
    return re.sub(r"^/\* 6\. ", "/* 15. ", text)


def add_chapter(root, target):
    """The files of a chapter, but for its stub. The build finds them by their name."""
    for old in (f"solutions/{OLD}/histogram.cu", f"tests/{OLD}.c", f"docs/{OLD}.md"):
        with open(os.path.join(root, old), encoding="utf-8") as file:
            scratch.add(target, old.replace(OLD, NEW), renumbered(file.read()))


def go_further(target, stub):
    """The exercise: begun as a copy of the chapter's own file, and judged."""
    mine = f"chapters/{NEW}/further/histogram.cu"
    scratch.expect(target, "chapter15 further", False,
                   f"chapter 15 has no exercise to go further with: there is no tests/further/{NEW}.c")
    scratch.add(target, f"tests/further/{NEW}.c", SUITE)
    scratch.expect(target, "chapter15 further", False, "of its gaps are empty: solve the chapter",
                   stub + ":")
    scratch.expect(target, "chapter15 solution further", False,
                   f"there is no solutions/{NEW}/further/histogram.cu")
    with open(os.path.join(target, f"solutions/{NEW}/histogram.cu"), encoding="utf-8") as file:
        solved = file.read()
    with open(os.path.join(target, stub), "w", encoding="utf-8") as file:
        file.write(solved)
    scratch.expect(target, "chapter15 further", False, f"{mine}: made, a copy of {stub}, which stays",
                   "256 threads in a block; the exercise asks for it")
    scratch.change(target, mine, "THREADS_PER_BLOCK = 256", "THREADS_PER_BLOCK = 64")
    said = scratch.expect(target, "chapter15 further", True, "further 15: right on",
                          "by its technique: 64 threads in a block")
    scratch.tell("the copy is made once", "says:\n" + said if "made" in said else None)
    scratch.expect(target, "chapter15 further run profile TEXT=english SIZE=64K", True,
                   "15  further                yes", "launch 1: histogram_kernel")
    scratch.expect(target, "chapter15 test", True, "chapter 15: right on")
    scratch.add(target, f"solutions/{NEW}/further/histogram.cu",
                solved.replace("THREADS_PER_BLOCK = 256", "THREADS_PER_BLOCK = 64"))
    scratch.expect(target, "chapter15 solution further", True, "further 15: right on")
    scratch.expect(target, "chapter15 solution further run BINS=26 SIZE=64K", True, "in 26 bins")


def ask_for_hints(target):
    """The next one each time; they are read from the lesson."""
    with open(os.path.join(target, f"docs/{NEW}.md"), "a", encoding="utf-8") as file:
        for step in "the idea", "the shape":
            file.write(f"\n<details><summary>Hint 15.1, {step}</summary>\n\nThis is {step}.\n\n"
                       "</details>\n")
    scratch.expect(target, "chapter15 hint", True, "hint 1 of 2 for TODO(15.1), the idea",
                   "This is the idea.")
    scratch.expect(target, "chapter15 hint", True, "hint 2 of 2 for TODO(15.1), the shape")


def main():
    root = os.getcwd()
    target = scratch.copy(root, "new_chapter")
    add_chapter(root, target)
    stub = f"chapters/{NEW}/histogram.cu"

    scratch.expect(target, "chapter15 reset", True, f"{stub}: the stub anew")
    scratch.expect(target, "chapter15 test", False, "not done yet: TODO(15.1)", stub + ":")
    scratch.expect(target, "chapter15 solution test", True, "chapter 15: right on",
                   "by its technique")
    scratch.expect(target, "chapter15 solution run TEXT=english SIZE=64K", True,
                   "15  shared_again           yes")
    scratch.expect(target, "chapter14 solution test", True,
                   f"next: docs/{NEW}.md, then make chapter15 test")

    ask_for_hints(target)
    go_further(target, stub)

    # A launch that CUDA refuses is one line, and names the line of the chapter's own file.
    scratch.change(target, f"solutions/{NEW}/histogram.cu", "THREADS_PER_BLOCK = 256",
                   "THREADS_PER_BLOCK = 2000")
    said = scratch.expect(target, "chapter15 solution test", False,
                          "cudaGetLastError(): invalid configuration argument")
    with open(os.path.join(target, f"solutions/{NEW}/histogram.cu"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    launch = 1 + next(i for i, line in enumerate(lines) if "CHECK(cudaGetLastError())" in line)
    wanted = (f"solutions/{NEW}/histogram.cu:{launch}: cudaGetLastError(): "
              "invalid configuration argument")
    scratch.tell("a block of 2,000 threads: " + wanted,
                 None if said.splitlines().count(wanted) == 1 else "says:\n" + said)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
