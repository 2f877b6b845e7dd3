"""prediction.py - predicts each time in FOLDER's bench-*.csv: FOLDER/prediction.csv.

    make prediction             all kinds of text, of docs/results/h200
    prediction.py FOLDER [KIND...]

Builds the programs that it needs: common/make/variant.mk; BUILD, CC, CXX and MAKE are of the
environment. Each solution counts each kind of text in two sizes, which cells.c draws on in a
straight line.
docs/prediction.md names, in a line <!-- counted in full: NN_name -->, the solutions that are no
straight line; they count 64 MiB. Takes a quarter of an hour.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import course  # noqa: E402 - found by the line above

PAGE = "docs/prediction.md"
KINDS = ("uniform", "english", "zipf", "single", "runs", "sorted", "smooth", "bytes", "lower")
SIZES, FULL = ("4M", "8M"), "64M"


def counted_in_full(page=PAGE):
    """The solutions whose counters grow in no straight line."""
    found = re.findall(r"<!-- counted in full: (.*?) -->", Path(page).read_text())
    return {stem for names in found for stem in names.split()}


def rows_of(bins):
    """The programs of the solutions for a GPU, which is what is timed; none that refuses."""
    sources = ((stem, course.source("solutions", stem)) for stem in course.of_texts("solutions"))
    return [Path(course.BUILD, f"solution-{bins}", stem, "row") for stem, source in sources
            if source.endswith(".cu") and not course.refusal(source, bins)]


def program(name):
    """A program that knows the contract of the histogram."""
    return f"{course.BUILD}/common/program/histogram/{name}"


def build(bins):
    """Builds all that is run, and returns the programs of the solutions."""
    rows = rows_of(bins)
    subprocess.run([course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk",
                    f"-j{os.cpu_count()}", f"CC={course.CC}", f"CXX={course.CXX}", "KIND=solution",
                    f"BINS={bins}", program("kind"), program("cells"), *rows],
                   check=True, env=course.environment())
    return rows


def count(row, bins, text, out):
    """One row of the ladder into a file."""
    number, _, name = row.parent.name.partition("_")
    subprocess.run([row, text, str(int(number)), name, out], check=True,
                   env=course.environment(SIM_CHECKS="none", SIM_SEED="1", NUM_BINS=str(bins)))


def count_all(work, kinds):
    """The rows of all solutions on all texts. Returns their files."""
    full, text, counted = counted_in_full(), work / "text", []
    for bins in course.BINS:
        rows = build(bins)
        for kind in kinds:
            for size in (*SIZES, FULL):
                subprocess.run([program("kind"), kind, size, text], check=True,
                               env=course.environment(NUM_BINS=str(bins)))
                for row in rows:
                    if (row.parent.name in full) == (size == FULL):
                        counted.append(work / f"{bins}-{kind}-{size}-{row.parent.name}.csv")
                        count(row, bins, text, counted[-1])
    text.unlink()
    return counted


def main(folder, *kinds):
    work = Path(course.BUILD, "cells")
    work.mkdir(parents=True, exist_ok=True)
    for old in work.glob("*.csv"):
        old.unlink()
    counted = count_all(work, kinds or KINDS)
    timed = sorted(Path(folder).glob("bench-*.csv"))
    with open(work / "prediction.csv", "w") as file:
        subprocess.run([program("cells"), *timed, "--", *sorted(counted)],
                       stdout=file, check=True)
    shutil.copy(work / "prediction.csv", folder)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"prediction: {error}")
