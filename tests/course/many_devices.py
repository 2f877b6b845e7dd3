#!/usr/bin/env python3
"""many_devices.py - what a student types about chapters on several devices and ranks, in a copy of the course.

run, score and their ladder, with the solutions as what he writes; a kernel that is wrong; what cannot be
done; then without Open MPI; and a copy for students of these chapters alone. Where Open MPI is missing only
what is said then is tried. Prints "ok ..." and "FAIL ...", and their sum at the end.

Depends on: Makefile common/make/*.mk common/course/*.[ch] common/driver/* common/count/* common/trace/* common/tools/**/*.[ch] common/contract/**/* common/handout/*.py chapters/6*/* solutions/6*/* tests/course/scratch.py tests/course/student.py

    tests/course/many_devices.py   from the root of the course"""
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch
from student import expect, solve

DEVICES, RANKS = "60_many_gpus/many.cu", "61_many_nodes/many.cu"
NEEDED = "chapter 61 needs Open MPI: libopenmpi-dev, openmpi-bin"


def without_mpi(folder):
    """A PATH with all programs of this machine but those of MPI."""
    for place in ("/usr/local/bin", "/usr/bin"):
        for name in os.listdir(place) if os.path.isdir(place) else ():
            if not name.startswith(("mpi", "ompi", "orte", "opal", "prte")):
                link = os.path.join(folder, name)
                if not os.path.lexists(link):
                    os.symlink(os.path.join(place, name), link)
    return folder


def of_devices(target):
    expect(target, "chapter60 test", 2, "not done yet: TODO(60.1)")
    expect(target, "chapter60 solution run SIZE=4K SIM_DEVICES=3", 0,
           "4,096 characters of ", " in 5 bins, on 3 simulated GPUs\n", "60  many_gpus              yes       3 ")
    expect(target, "chapter60 run SIM_DEVICES=9", 2, "SIM_DEVICES=9 is not from 1 to 8")
    expect(target, "chapter60 run INPUT=missing", 2, "INPUT=missing: No such file or directory")
    expect(target, "chapter60 replay", 2, "replay: shows a race of two threads, and those of chapter60 ")
    expect(target, "chapter60 break", 2, "chapter 60 has no wrong kernels to expose")
    solve(target, DEVICES)
    expect(target, "chapter60 score", 0, "chapter 60, ", "collectives                      1 ",
           "bytes copied             1,048,576     1,048,576 ")
    scratch.change(target, f"chapters/{DEVICES}", "ncclUint64, ncclSum", "ncclUint64, ncclMax")
    expect(target, "chapter60 run SIZE=4K BINS=26", 2, "60  many_gpus               NO ",
           "chapter 60: wrong on ", "expected ")


def of_ranks(target):
    expect(target, "PART=4 SIZE=4K", 0, "60  many_gpus              yes       4 ",
           "61  many_nodes             yes       4 ", "The rows are in build/ladder-4.csv")
    expect(target, "chapter61 solution run SIZE=1 SIM_DEVICES=2", 0, "61  many_nodes             yes       2 ")
    expect(target, "chapter61 run SIM_DEVICES=0", 2, "SIM_DEVICES=0 is not from 1 to 8")


def lacking(target, path):
    expect(target, "PART=4 SIZE=4K", 0, NEEDED, "60  many_gpus              yes", PATH=path)
    solve(target, RANKS)
    for goals in ("chapter61 test", "chapter61 solution run SIZE=4K", "chapter61 profile"):
        said = expect(target, goals, 2, NEEDED, PATH=path)
        scratch.tell(f"make {goals}: one line", said if len([
            line for line in said.splitlines() if not line.startswith("make")]) > 1 else None)
    expect(target, "chapter61 score", 2, "no score: it needs Open MPI: libopenmpi-dev, openmpi-bin", PATH=path)
    expect(target, "chapter61 grade SUBMISSIONS=chapters REPORT=build/report", 2, NEEDED, PATH=path)


def handed_out(target):
    expect(target, "handout CHAPTERS=60-61 TO=build/handed", 0, "chapters 60 and 61, with no answers")
    folder = os.path.join(target, "build", "handed")
    given = os.listdir(os.path.join(folder, "common", "contract", "given"))
    scratch.tell("a copy has what its given code includes", None if {"count_slice.h", "device.h"} <= set(given)
                 else f"only {given}")
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as page:
        scratch.tell("it says what chapter 61 needs", None if "libopenmpi-dev" in page.read() else "nothing of it")


def main():
    target = scratch.copy(os.getcwd(), "many_devices", with_folders=("solution-5",))
    handed_out(target)
    of_devices(target)
    if shutil.which("mpicc") and shutil.which("mpirun"):
        of_ranks(target)
    else:
        print("not tried: what runs on ranks of MPI: libopenmpi-dev, openmpi-bin are missing")
    with tempfile.TemporaryDirectory() as folder:
        lacking(target, without_mpi(folder))
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
