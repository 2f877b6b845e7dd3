#!/usr/bin/env python3
"""student.py - what a student types about his way through the course, in a copy of it.

next, hint, predict, progress, score and reset, with the solutions as what he writes; then with
build/progress deleted, with a folder of his own, and without solutions/. Prints "ok ..." and
"FAIL ...", and their sum at the end.

Depends on: Makefile common/make/*.mk common/course/*.[ch] common/driver/* common/count/* common/trace/* common/tools/**/*.[ch] docs/[0-9]*.md chapters/**/* solutions/*/*.c* tests/course/scratch.py

    tests/course/student.py        from the root of the course"""
import os
import pty
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

FIRST, SECOND = "01_sequential/histogram.c", "02_naive_atomic/histogram.cu"
ARRAY = "42_two_pass/reduce.cu"
MOST_SECONDS = 900


def chapters():
    """How many there are: a chapter is what has a suite."""
    return sum(os.path.exists(f"tests/{stem}.c") for stem in os.listdir("chapters"))


def typed(target, goals, answers=None, **settings):
    """(status, all that was said) of make, with answers on its standard input."""
    done = subprocess.run(["make", *goals.split()], cwd=target, env={**scratch.environment(), **settings},
                          text=True, input=answers or "", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=MOST_SECONDS, check=False)
    return done.returncode, done.stdout


def expect(target, goals, wanted_status, *parts, answers=None, **settings):
    """make ends with this status and says these parts; returns what it said."""
    status, said = typed(target, goals, answers, **settings)
    missing = [part for part in parts if part not in said]
    problem = f"status {status}; not said: {missing}:\n{said}" \
        if status != wanted_status or missing else None
    scratch.tell(f"make {goals}: {parts[0].strip()}", problem)
    return said


def solve(target, chapter, folder="chapters"):
    """The student writes what the reference has; a date of its own makes it newer."""
    path = os.path.join(target, folder, chapter)
    shutil.copyfile(os.path.join("solutions", chapter), path)


def says_no_more_than(said, most, what):
    lines = [line for line in said.splitlines() if not line.startswith("make")]
    scratch.tell(what, None if len(lines) <= most else f"{len(lines)} lines:\n{said}")


def begin(target):
    """Nothing has been done yet."""
    said = expect(target, "next", 0, "chapter 1, The sequential histogram: untouched",
                  "docs/01_sequential.md", f"chapters/{FIRST}:19  TODO(1.1)", "make chapter1 predict")
    says_no_more_than(said, 8, "next is short")
    expect(target, "progress", 0, f"0 of {chapters()} chapters solved", " 1 sequential        untouched",
           "12 packed_counters   untouched (optional)", "you are at chapter 1")
    expect(target, "hint", 0, f"chapters/{FIRST}:19: hint 1 of 3 for TODO(1.1), the idea")
    expect(target, "predict", 0, "it is not done yet. Your predictions are kept",
           answers="\n5\n")
    expect(target, "score", 0, "no kernel is solved yet")
    expect(target, "chapter1 reset", 0, f"chapters/{FIRST}: it is the stub already")


def go_on(target):
    """Chapter 1 is solved, chapter 2 in three steps."""
    solve(target, FIRST)
    expect(target, "chapter1 test", 0, "chapter 1: right on")
    expect(target, "next", 0, "chapter 2, Naive atomics: untouched")
    solve(target, SECOND)
    scratch.change(target, f"chapters/{SECOND}", "atomicAdd(&bins[bin], 1);", "bins[bin]++;")
    expect(target, "chapter2 test", 2, "Race reported")
    expect(target, "progress", 0, " 2 naive_atomic      in work, wrong", f"1 of {chapters()}", "you are at chapter 2")
    solve(target, SECOND)
    expect(target, "chapter2 predict", 0, "load requests                      65,536       32,768"
           "  2.0 times too high", answers="\n64k\n")
    expect(target, "progress", 0, f"2 of {chapters()} chapters solved", "predictions, times off in the median:",
           "chapter 2: 2.0")
    expect(target, "chapter2 score", 0, "load sectors                32,768        32,768",
           "reference: solutions/02_naive_atomic/histogram.cu")
    expect(target, "score", 0, " 2 naive_atomic", "as the reference")


def lose(target):
    """What build/ held is found again, and a file that was put aside is still there."""
    shutil.rmtree(os.path.join(target, "build", "progress"))
    expect(target, "next", 0, "judging chapters/01_sequential/histogram.c, of which no verdict",
           "chapter 3, Contiguous partitioning: untouched")
    said = expect(target, "progress", 0, f"2 of {chapters()} chapters solved", "chapter 2: 2.0")
    scratch.tell("what is known again is not judged", said if "judging" in said else None)
    expect(target, "chapter2 score", 0, "  32,768        32,768        32,768")
    expect(target, "chapter1 chapter2 reset", 0, f"your file is kept as chapters/{FIRST}.1",
           f"your file is kept as chapters/{SECOND}.1")
    expect(target, "next", 0, "chapter 1, The sequential histogram: untouched")
    for chapter in FIRST, SECOND:
        path = os.path.join(target, "chapters", chapter)
        os.replace(path + ".1", path)
    expect(target, "next", 0, "chapter 3, Contiguous partitioning: untouched")


def of_arrays(target):
    """A chapter of Part III by itself, from its stub to its score. It has no bins."""
    shutil.copytree(os.path.join(target, "chapters", os.path.dirname(ARRAY)),
                    os.path.join(target, "arrays", os.path.dirname(ARRAY)))
    expect(target, "next CHAPTERS=arrays", 0, "chapter 42, ", f"arrays/{ARRAY}:")
    expect(target, "chapter42 hint CHAPTERS=arrays", 0, "hint 1 of 3 for TODO(42.1), the idea")
    expect(target, "chapter42 test CHAPTERS=arrays", 2, "not done yet: TODO(42.1)")
    solve(target, ARRAY, "arrays")
    expect(target, "chapter42 test CHAPTERS=arrays OPERATION=max", 0, "chapter 42: right on")
    expect(target, "progress CHAPTERS=arrays BINS=26", 0, "1 of 1 chapters solved",
           "judging arrays/42_two_pass/reduce.cu, of which no verdict is kept")
    expect(target, "chapter42 score CHAPTERS=arrays", 0, "1,048,576 values, operation sum\n",
           "launches                         2             2             -\n")
    expect(target, "chapter42 predict CHAPTERS=arrays", 0, "on 1,048,576 values\n", answers="64\n")
    expect(target, "chapter42 run CHAPTERS=arrays OPERATION=dot SIZE=4K", 0,
           "4,096 values of seed 1, operation dot, on the simulated GPU\n")
    expect(target, "chapter42 run INPUT=README.md", 2, "INPUT: make chapter42 run does not use it")
    expect(target, "chapter42 test BINS=26", 2, "BINS: make chapter42 test does not use it")
    expect(target, "chapter42 trace CHAPTERS=arrays OPERATION=max", 0,
           "build/trace/42_two_pass-max.html\n")
    expect(target, "chapter42 break", 2, "chapter 42 has no wrong kernels to expose")
    expect(target, "chapter42 reset CHAPTERS=arrays", 0, f"your file is kept as arrays/{ARRAY}.1")


def elsewhere(target):
    """A folder of his own, another number of bins, a copy without solutions."""
    shutil.copytree(os.path.join(target, "chapters"), os.path.join(target, "mine"))
    solve(target, "03_contiguous/histogram.cu", "mine")
    expect(target, "chapter3 test CHAPTERS=mine BINS=26", 0, "chapter 3, 26 bins: right on")
    expect(target, "progress CHAPTERS=mine", 0, f"3 of {chapters()} chapters solved")
    expect(target, "progress", 0, f"2 of {chapters()} chapters solved")
    shutil.rmtree(os.path.join(target, "solutions"))  # as in a handout, which has stubs instead
    shutil.copytree("chapters", os.path.join(target, "tests", "stubs"))
    shutil.rmtree(os.path.join(target, "mine", "04_interleaved"))
    expect(target, "chapter4 reset CHAPTERS=mine", 0, "mine/04_interleaved/histogram.cu: the stub anew")
    expect(target, "chapter2 score", 0, "reference: docs/results/sim/english-5.csv")
    os.remove(os.path.join(target, "chapters", SECOND))
    expect(target, "next", 0, "chapter 2, Naive atomics: missing: No such file or directory",
           "make chapter2 reset, which makes the file anew")
    expect(target, "chapter2 reset", 0, f"chapters/{SECOND}: the stub anew")


def at_a_terminal(target):
    """There are colors, and the end of the input is no end of the answers given."""
    main_end, terminal = pty.openpty()
    make = subprocess.Popen(["make", "progress"], cwd=target, stdin=terminal, stdout=terminal,
                            stderr=terminal, env={**os.environ, "TERM": "xterm", "MAKEFLAGS": ""})
    os.close(terminal)
    said = b""
    try:
        while piece := os.read(main_end, 4096):
            said += piece
    except OSError:  # the other end is closed
        pass
    make.wait()
    os.close(main_end)
    colored = b"\x1b[32m" in said and b"\x1b[2m" in said
    scratch.tell("make progress on a terminal: in color", None if colored else said.decode())


def main():
    target = scratch.copy(os.getcwd(), "student", with_folders=("solution-5",))
    begin(target)
    go_on(target)
    lose(target)
    at_a_terminal(target)
    of_arrays(target)
    elsewhere(target)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
