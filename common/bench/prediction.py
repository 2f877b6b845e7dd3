"""prediction.py - predicts each time in FOLDER's bench-*.csv: FOLDER/prediction.csv.

    make prediction             all kinds of text, of docs/results/h200
    prediction.py FOLDER [KIND...]

Builds the programs that it needs: common/make/variant.mk; BUILD, CC, CXX and MAKE are of the
environment. Each solution counts each kind of text in two sizes, which are drawn on in a straight
line to the length that was timed; the program predicted.c makes times of them.
docs/prediction.md names, in a line <!-- counted in full: NN_name -->, the solutions that are no
straight line; they count 64 MiB. Takes a quarter of an hour.
"""
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import course  # noqa: E402 - found by the line above

PAGE = "docs/prediction.md"
CONTENTS = ("uniform", "english", "zipf", "single", "runs", "sorted", "smooth", "bytes", "lower")
SIZES, FULL = ("4M", "8M"), "64M"
COUNTERS = ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
            "smsp__inst_executed_op_shared_atom.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            "votes", "atomic_stripes", "busiest_stripe", "blocks", "threads_per_block")
TIMES = ("launch_ms", "bandwidth_ms", "waiting_ms", "working_ms", "atomics_ms", "predicted_ms")


def counted_in_full(page=PAGE):
    """The solutions whose counters grow in no straight line."""
    found = re.findall(r"<!-- counted in full: (.*?) -->", Path(page).read_text())
    return {stem for names in found for stem in names.split()}


def rows_of(bins):
    """The programs of the solutions for a GPU, which is what is timed; none that refuses."""
    sources = ((stem, course.source("solutions", stem)) for stem in course.text_stems("solutions"))
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
                    f"BINS={bins}", program("kind"), program("predicted"), *rows],
                   check=True, env=course.environment())
    return rows


def count(row, bins, text, out):
    """One row of the ladder into a file."""
    number, _, name = row.parent.name.partition("_")
    subprocess.run([row, text, str(int(number)), name, out], check=True,
                   env=course.environment(SIM_CHECKS="none", SIM_SEED="1", NUM_BINS=str(bins)))


def count_all(work, contents):
    """The rows of all solutions on all texts. Returns their files."""
    full, text, counted = counted_in_full(), work / "text", []
    for bins in course.BINS:
        rows = build(bins)
        for kind in contents:
            for size in (*SIZES, FULL):
                subprocess.run([program("kind"), kind, size, text], check=True,
                               env=course.environment(NUM_BINS=str(bins)))
                for row in rows:
                    if (row.parent.name in full) == (size == FULL):
                        counted.append(work / f"{bins}-{kind}-{size}-{row.parent.name}.csv")
                        count(row, bins, text, counted[-1])
    text.unlink()
    return counted


def counters_of(files):
    """{(implementation, input, bins): [(length, counters)]} of rows whose results are right."""
    found = {}
    for path in files:
        row = next(csv.DictReader(open(path, newline="")))
        key = f"{int(row['chapter']):02}_{row['name']}", row["input"], int(row["bins"])
        if row["correct"] == "yes":
            found.setdefault(key, []).append((float(row["length"]),
                                              [float(row[name]) for name in COUNTERS]))
    return found


def drawn_on(rows, length):
    """The counters for a text of that length, or None: two rows make a straight line."""
    if not rows or length < rows[0][0] or (len(rows) == 1 and length != rows[0][0]):
        return None
    (first, low), (last, high) = rows[0], rows[-1]
    return low if len(rows) == 1 else [
        one + (other - one) * (length - first) / (last - first) for one, other in zip(low, high)]


def cells_of(timed, counted):
    """(The columns before the counters, the counters, the milliseconds, the file) of each time that has
    counters."""
    for path in timed:
        for row in csv.DictReader(open(path, newline="")):
            key = row["implementation"], row["input"], int(row["bins"])
            length = float(row["length"])
            counters = drawn_on(counted.get(key), length)
            if counters and float(row["runs"] or 0) > 0:
                yield (*key, round(length)), counters, float(row["median_ms"]), path.name


def predictions(timed, counted):
    """The lines of prediction.csv."""
    yield ",".join(("implementation", "input", "bins", "length", *COUNTERS, *TIMES, "measured_ms",
                    "factor", "within_1.5", "measured_in"))
    cells = list(cells_of(timed, counters_of(counted)))
    asked = "".join(f"{who[2]} {who[3]} {' '.join(str(int(count + 0.5)) for count in counters)}\n"
                    for who, counters, _, _ in cells)
    answered = subprocess.run([program("predicted")], input=asked, text=True, capture_output=True,
                              check=True).stdout.splitlines()
    for (who, counters, measured, source), line in zip(cells, answered, strict=True):
        times = [float(word) for word in line.split()]
        factor = times[-1] / measured
        yield ",".join((*map(str, who), *(f"{count:.0f}" for count in counters),
                        *(f"{time:.5f}" for time in (*times, measured)), f"{factor:.2f}",
                        "yes" if 1 / 1.5 < factor < 1.5 else "no", source))


def main(folder, *contents):
    work = Path(course.BUILD, "cells")
    work.mkdir(parents=True, exist_ok=True)
    for old in work.glob("*.csv"):
        old.unlink()
    counted = count_all(work, contents or CONTENTS)
    timed = sorted(Path(folder).glob("bench-*.csv"))
    Path(folder, "prediction.csv").write_text(
        "".join(f"{line}\n" for line in predictions(timed, sorted(counted))))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"prediction: {error}")
