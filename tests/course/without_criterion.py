#!/usr/bin/env python3
"""without_criterion.py - the stand-in for Criterion gives the same verdicts, word for word.

Judges kernels that are right, right by another technique, racy, crashing, and a chapter in plain C, in a
copy of the course with Criterion and in one that is told there is none. Prints "ok ..." and
"FAIL ...", and their sum at the end.

    tests/course/without_criterion.py        from the root of the course

Depends on: common/judge/**/* common/course/* common/make/*.mk solutions/**/* tests/*.c tests/course/scratch.py"""
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

PRIVATE, NAIVE, PLAIN = "05_privatized_global", "02_naive_atomic", "01_sequential"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def kernels():
    """(what it is, chapter, file, source)"""
    private, naive = (read(f"solutions/{stem}/histogram.cu") for stem in (PRIVATE, NAIVE))
    plain = read(f"solutions/{PLAIN}/histogram.c")
    return (("right", PRIVATE, "histogram.cu", private),
            ("by another technique", PRIVATE, "histogram.cu", naive),
            ("without a barrier", PRIVATE, "histogram.cu", private.replace("__syncthreads();", "", 1)),
            ("in plain C", PLAIN, "histogram.c", plain),
            ("that ends the program", PLAIN, "histogram.c",
             plain.replace("bins[bin]++;", "*(volatile unsigned int *)(bin * 0L) = 1;")))


def verdict(target, stem, *more):
    return scratch.make(target, f"-f common/make/variant.mk KIND=chapter BINS=5 DRAW=1 SEED=1 STEMS={stem} "
                        + " ".join((*more, "test")))


def shown(printed):
    """Without what make says."""
    return re.sub(r"^make.*\n|^building.*\n", "", printed, flags=re.M)


def main():
    os.environ["DRAW"] = "1"
    with_it, without = (scratch.copy(os.getcwd(), name) for name in ("criterion", "stand-in"))
    for what, stem, file, source in kernels():
        answers = []
        for target, more in ((with_it, ()), (without, ("CRITERION=",))):
            with open(os.path.join(target, "chapters", stem, file), "w", encoding="utf-8") as stub:
                stub.write(source)
            status, printed = verdict(target, stem, *more)
            answers.append((status, shown(printed)))
        scratch.tell(f"a kernel {what}: " + answers[0][1].split("\n")[0],
                     None if answers[0] == answers[1] else f"with Criterion: {answers[0]}\n"
                     f"without: {answers[1]}")
    status, said = scratch.make(without, "-f common/make/prove.mk CRITERION= test")
    scratch.tell("make test asks for Criterion",
                 None if status and "need Criterion" in said and len(said.splitlines()) == 1 else said)
    shutil.rmtree(with_it)
    shutil.rmtree(without)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
