"""prediction.py - predicts each time in FOLDER's bench-*.csv: FOLDER/prediction.csv.

    make prediction             for docs/results/h200, in a quarter of an hour
    prediction.py FOLDER [KIND...]

Each solution of Part I counts each kind of text in two sizes on the simulator. Its counters are drawn on in a straight
line to the length that was timed, and the program predicted.c makes times of them. docs/prediction.md names, in
a line <!-- counted in full: NN_name -->, the solutions that are no straight line; they count 64 MiB. The environment
may have MAKE.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD, PAGE = "build/sim-gcc", "docs/prediction.md"
KINDS = ("uniform", "english", "zipf", "single", "runs", "sorted", "smooth", "bytes", "lower")
BINS, SIZES, FULL = (5, 26, 256), ("4M", "8M"), "64M"
TIMED, PREDICTED = (f"{BUILD}/programs/histogram/{name}" for name in ("timed", "predicted"))
COUNTERS = ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
            "smsp__inst_executed_op_shared_atom.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            "votes", "atomic_stripes", "busiest_stripe", "blocks", "threads_per_block")
TIMES = ("launch_ms", "bandwidth_ms", "waiting_ms", "working_ms", "atomics_ms", "predicted_ms")


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def programs():
    """{(bins, stem): the program that runs a solution for a GPU}, which make makes."""
    found = {}
    for source in sorted(Path("solutions").glob("[013]*/histogram.cu")):
        head = re.search(r"^ \* Bins: ([\d ]+)", Path(f"tests/{source.parent.name}.c").read_text(), re.M)
        for bins in BINS:
            if not head or str(bins) in head[1].split():
                found[bins, source.parent.name] = f"{BUILD}/solutions/{source.parent.name}/{bins}/row"
    return found


def count(program, stem, bins, text, out):
    """One row of the ladder: (its key, the length of the text, its counters)."""
    number, _, name = stem.partition("_")
    subprocess.run([program, text, str(int(number)), name, out], check=True,
                   env={**os.environ, "SIM_CHECKS": "none", "SIM_SEED": "1", "NUM_BINS": str(bins)})
    row = rows_of(out)[0]
    return (stem, row["input"], bins), float(row["length"]), [float(row[name]) for name in COUNTERS]


def count_all(rows, kinds):
    """{(implementation, input, bins): [(length, counters)]} of all solutions on all texts."""
    full = {stem for names in re.findall(r"<!-- counted in full: (.*?) -->", Path(PAGE).read_text())
            for stem in names.split()}
    counted = {}
    with tempfile.TemporaryDirectory() as work:
        text, out = f"{work}/text", f"{work}/row.csv"
        for kind, size in ((kind, size) for kind in kinds for size in (*SIZES, FULL)):
            subprocess.run([TIMED, kind, size, text], check=True, env={**os.environ, "NUM_BINS": "5"})
            for (bins, stem), program in rows.items():
                if (stem in full) == (size == FULL):
                    key, length, counters = count(program, stem, bins, text, out)
                    counted.setdefault(key, []).append((length, counters))
    return counted


def drawn_on(rows, length):
    """The counters for a text of that length, or None: two rows make a straight line."""
    if not rows or length < rows[0][0] or (len(rows) == 1 and length != rows[0][0]):
        return None
    (first, low), (last, high) = rows[0], rows[-1]
    return low if len(rows) == 1 else [
        one + (other - one) * (length - first) / (last - first) for one, other in zip(low, high)]


def cells_of(timed, counted):
    """(The columns before the counters, the counters, the milliseconds, the file) of each time that has counters."""
    for path in timed:
        for row in rows_of(path):
            key = row["implementation"], row["input"], int(row["bins"])
            counters = drawn_on(counted.get(key), float(row["length"]))
            if counters and float(row["runs"] or 0) > 0:
                yield (*key, round(float(row["length"]))), counters, float(row["median_ms"]), path.name


def predictions(timed, counted):
    """The lines of prediction.csv."""
    yield ",".join(("implementation", "input", "bins", "length", *COUNTERS, *TIMES, "measured_ms",
                    "factor", "within_1.5", "measured_in"))
    cells = list(cells_of(timed, counted))
    asked = "".join(f"{who[2]} {who[3]} {' '.join(str(int(count + 0.5)) for count in counters)}\n"
                    for who, counters, _, _ in cells)
    answered = subprocess.run([PREDICTED], input=asked, text=True, capture_output=True, check=True).stdout
    for (who, counters, measured, source), line in zip(cells, answered.splitlines(), strict=True):
        times = [float(word) for word in line.split()]
        factor = times[-1] / measured
        yield ",".join((*map(str, who), *(f"{count:.0f}" for count in counters),
                        *(f"{time:.5f}" for time in (*times, measured)), f"{factor:.2f}",
                        "yes" if 1 / 1.5 < factor < 1.5 else "no", source))


def main(folder, *kinds):
    rows, timed = programs(), sorted(Path(folder).glob("bench-*.csv"))
    subprocess.run([os.environ.get("MAKE", "make"), "-s", TIMED, PREDICTED, *rows.values()], check=True)
    lines = predictions(timed, count_all(rows, kinds or KINDS))
    Path(folder, "prediction.csv").write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"prediction: {error}")
