"""prediction.py - predicts each time in FOLDER's bench-*.csv: prints prediction.csv.

    make prediction             all kinds of text, from docs/results/h200
    prediction.py BUILD FOLDER KIND...

BUILD is build/sim-gcc, where the solutions' rows and the programs of the texts are built. Each
solution counts each kind of text in two sizes, which cells.c draws on in a straight line.
docs/prediction.md names, in a line <!-- counted in full: NN_name -->, the solutions that are no
straight line; they count 64 MiB. Takes a quarter of an hour.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = "docs/prediction.md"
ALL_BINS = (5, 26, 256)
SIZES, FULL = ("4M", "8M"), "64M"


def counted_in_full(page=PAGE):
    """The solutions whose counters grow in no straight line."""
    found = re.findall(r"<!-- counted in full: (.*?) -->", Path(page).read_text())
    return {stem for names in found for stem in names.split()}


def rows_of(build, bins):
    """The programs of the solutions for a GPU, which is what is timed."""
    rows = sorted(Path(build, f"solution-{bins}").glob("[0-9]*/row"))
    return [row for row in rows if list(Path("solutions", row.parent.name).glob("*.cu"))]


def count(row, text, out):
    """One row of the ladder into a file."""
    number, _, name = row.parent.name.partition("_")
    subprocess.run([row, text, str(int(number)), name, out], check=True,
                   env={**os.environ, "SIM_CHECKS": "none", "SIM_SEED": "1"})


def count_all(build, work, kinds):
    """The rows of all solutions on all texts. Returns their files."""
    full, text, counted = counted_in_full(), work / "text", []
    for bins in ALL_BINS:
        for kind in kinds:
            for size in (*SIZES, FULL):
                subprocess.run([f"{build}/common-{bins}/kind", kind, size, text], check=True)
                for row in rows_of(build, bins):
                    if (row.parent.name in full) == (size == FULL):
                        counted.append(work / f"{bins}-{kind}-{size}-{row.parent.name}.csv")
                        count(row, text, counted[-1])
    text.unlink()
    return counted


def main(build, folder, *kinds):
    work = Path(build, "cells")
    work.mkdir(parents=True, exist_ok=True)
    for old in work.glob("*.csv"):
        old.unlink()
    counted = count_all(build, work, kinds)
    timed = sorted(Path(folder).glob("bench-*.csv"))
    subprocess.run([f"{build}/common-5/cells", *timed, "--", *sorted(counted)], check=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"prediction: {error}")
