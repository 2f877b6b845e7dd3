#!/usr/bin/env python3
"""new_chapter.py - a new chapter of an existing contract needs new files and nothing else.

Adds chapter 15 to a copy of the course: stub, solution, suite and lesson of chapter 6 under
another number. Prints "ok ..." and "FAIL ...", and their sum at the end.

    tests/course/new_chapter.py        from the root of the course"""
import os
import re
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

OLD, NEW = "06_shared", "15_shared_again"


def renumbered(text):
    """The files of chapter 6 speak of chapter 6."""
    text = re.sub(r"TODO\(6\.", "TODO(15.", text)
    text = text.replace(OLD, NEW).replace("chapter06", "chapter15")
    return re.sub(r"^/\* 6\. ", "/* 15. ", text)


def add_chapter(root, target):
    """The four files of a chapter. The build finds them by their name."""
    for old in (f"chapters/{OLD}/histogram.cu", f"solutions/{OLD}/histogram.cu",
                f"tests/{OLD}.c", f"docs/{OLD}.md"):
        with open(os.path.join(root, old), encoding="utf-8") as file:
            scratch.add(target, old.replace(OLD, NEW), renumbered(file.read()))


def main():
    root = os.getcwd()
    target = scratch.copy(root, "new_chapter")
    add_chapter(root, target)
    stub = f"chapters/{NEW}/histogram.cu"

    scratch.expect(target, "chapter15 test", False, "not done yet: TODO(15.1)", stub + ":")
    scratch.expect(target, "chapter15 solution test", True, "chapter 15: right on",
                   "by its technique")
    scratch.expect(target, "chapter15 solution run TEXT=english SIZE=64K", True,
                   "15  shared_again           yes")
    scratch.expect(target, "chapter14 solution test", True,
                   f"next: docs/{NEW}.md, then make chapter15 test")

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
