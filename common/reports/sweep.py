"""sweep.py - draws the cells of make gpu sweep, and puts what it measured beside the law. Needs no GPU.

    python3 common/reports/sweep.py draw SEED CELLS OPERATION

prints those of the cells that are of this operation, as the timing program takes them (common/bench/gpu/keys.c):
"BINS:KEYS@ELEMENTS". Another number of cells has the same first ones.

    python3 common/reports/sweep.py table FOLDER SEED

makes FOLDER/sweep-SEED.csv of FOLDER/sweep-count.csv and so on, a row for each cell and chapter, and says how many
are within the law. What the law is, and the columns, is told in docs/results/README.md.
"""
import math
import random
import sys
from pathlib import Path

import summary

# Of each operation the bytes of an element and of a bin; and the law, where the bins fit the shared memory of a
# block, and where elements have to be partitioned: so many times T, and microseconds more.
SHARED, PARTITIONED = 0, 1
OPERATIONS = {
    "count": (4, 4, ((1.25, 5), (1.5, 8))),
    "saturate": (4, 4, ((1.25, 5), (1.5, 8))),
    "float_sum": (8, 4, ((1.4, 6), (2, 12))),
    "wide_sum": (8, 8, ((1.4, 6), (2, 12))),
    "argmax": (8, 8, ((1.4, 6), (2, 12))),
    "vector_sum": (8, 32, ((4, 15), (4, 15))),
    "minmax": (8, 16, ((2, 8), (3, 12))),
}
MOST_BINS, MOST_ELEMENTS = 1 << 27, 1 << 30
PARTITIONS = 2048  # that a level of partitioning may have
MOST_ERROR = 1e-5  # of a sum of floats, over the sum of magnitudes
WORST = 1.5  # times the law, for the worst cell
MANY, FASTER = 1 << 24, 2.5  # with so many elements count has to be so much faster than the best peer


# -- the cells --

def log_uniform(draw, least, most):
    """A whole number; its logarithm is uniform."""
    return min(most, int(least * (most / least) ** draw()))


# The number behind a kind of keys: its text, from a function that draws from 0 to 1.
def position(draw):
    return f"{int(draw() * 10000) / 10000:g}"


CONTENTS = {
    "uniform": lambda draw: "",
    "zipf": lambda draw: f"{0.5 + 1.5 * draw():.2f}",
    "single": position,
    "stride": lambda draw: (63, 64, 1024, 65536)[int(4 * draw())],
    "ninety": position,
    "sorted": lambda draw: "",
    "reversed": lambda draw: "",
    "runs": lambda draw: log_uniform(draw, 2, 4096),
    "blocks": lambda draw: log_uniform(draw, 1024, 1 << 22),
    "cluster": lambda draw: f"{2 ** (-2 - 12 * draw()):.5f}",
    "half_outside": lambda draw: "",
    "outside": lambda draw: "",
    "alternate": position,
    "permutation": lambda draw: "",
    "partition": position,
}


def drawn(seed, cells):
    """Yields (operation, bins, keys, elements): random() alone gives the same numbers in each Python."""
    draw = random.Random(seed).random
    for _ in range(cells):
        operation = list(OPERATIONS)[int(len(OPERATIONS) * draw())]
        bins = log_uniform(draw, 1, MOST_BINS)
        elements = log_uniform(draw, 1, MOST_ELEMENTS)
        kind = list(CONTENTS)[int(len(CONTENTS) * draw())]
        if operation == "argmax" and "outside" in kind:
            bins = min(bins, 1 << 21)  # a key has 22 bits: here half of them have no bin
        yield operation, bins, f"{kind}{CONTENTS[kind](draw)}", elements


# -- the law --

def levels(bins, bytes_of_bin, shared_bytes):
    """Of partitioning, until the bins of a partition fit the shared memory of a block."""
    partitions, count = math.ceil(bins * bytes_of_bin / shared_bytes), 0
    while PARTITIONS ** count < partitions:
        count += 1
    return count


def least_and_law(operation, bins, shared_bytes, reading_ms, bytes_per_ms):
    """T in milliseconds, how many times that the law allows, and the law, from the time of reading alone."""
    _, bytes_of_bin, law = OPERATIONS[operation]
    count = levels(bins, bytes_of_bin, shared_bytes)
    least = reading_ms * (1 + 2 * count) + 2 * bins * bytes_of_bin / bytes_per_ms
    times, more = law[PARTITIONED if count else SHARED]
    return least, times, times * least + more / 1000


# -- the table --

MEASURED = ("operation,implementation,keys,length,bins,median_ms,min_ms,max_ms,runs,queued,correct,error,"
            "reading_ms").split(",")
COLUMNS = MEASURED + "T_ms,ratio_to_T,law_times,law_ms,ratio_to_law,best_peer,peer_ms,ratio_to_peer,no_time".split(",")
CELL = ("operation", "bins", "keys", "length")


def is_right(row):
    return row["correct"] == "yes" and float(row["error"]) <= MOST_ERROR


def judged(row, cell, bytes_per_ms):
    """A chapter's row with what it is measured against; the other rows of its cell are `cell`."""
    reader = next(other for other in cell if other["implementation"] == "read only")
    peers = [other for other in cell if not summary.is_chapter(other) and other is not reader]
    row = dict(row, no_time="; ".join(f"{other['implementation']} {other['correct']}" for other in peers
                                      if other["correct"] in ("left out", "failed", "NO")) or "-")
    if row["correct"] == "yes" and not is_right(row):
        row["correct"] = "NO"
    if reader["median_ms"] == "-":
        return dict(row, no_time="there is not that much memory free")
    least, times, law = least_and_law(row["operation"], int(row["bins"]), int(row["shared_bytes"]),
                                      float(reader["median_ms"]), bytes_per_ms)
    row |= {"T_ms": f"{least:.5f}", "law_times": times, "law_ms": f"{law:.5f}"}
    best = min(filter(summary.ms_of, peers), key=summary.ms_of, default=None)
    if best:
        row |= {"best_peer": best["implementation"], "peer_ms": best["median_ms"]}
    if row["median_ms"] != "-":
        ms = float(row["median_ms"])
        row |= {"ratio_to_T": f"{ms / least:.3f}", "ratio_to_law": f"{ms / law:.3f}"}
        if best:
            row["ratio_to_peer"] = f"{ms / summary.ms_of(best):.3f}"
    return row


def speed(rows):
    """Bytes that this card reads in a millisecond: those of the longest input, which is in no cache."""
    of = [(int(row["length"]) * OPERATIONS[row["operation"]][0], float(row["median_ms"]))
          for row in rows if row["implementation"] == "read only" and row["median_ms"] != "-"]
    if not of:
        summary.stop("sweep: nothing was read alone")
    return max(of)[0] / max(of)[1]


def tell(rows):
    """The summary: of cells that have elements on this card."""
    rows = [row for row in rows if row["no_time"] != "there is not that much memory free"]
    ratio = {id(row): float(row.get("ratio_to_law", "inf")) for row in rows}
    for row in rows:
        if row["correct"] == "NO":
            ratio[id(row)] = math.inf
    for name, limit in (("within the law", 1), (f"within {WORST} times the law", WORST)):
        count = sum(of <= limit for of in ratio.values())
        print(f"{name}: {count} of {len(rows)} cells, {100 * count / max(1, len(rows)):.1f}%")
    print(f"wrong: {sum(row['correct'] == 'NO' for row in rows)}; without a time: "
          f"{sum(row['correct'] in ('left out', 'failed') for row in rows)}")
    beside = [float(row["ratio_to_peer"]) for row in rows if "ratio_to_peer" in row]
    print(f"slower than the best peer by more than 5%: {sum(of > 1.05 for of in beside)} of {len(beside)} cells")
    many = [float(row["ratio_to_peer"]) for row in rows if "ratio_to_peer" in row
            and row["operation"] == "count" and int(row["length"]) >= MANY]
    if many:
        mean = math.exp(-sum(map(math.log, many)) / len(many))
        print(f"count, {MANY:,} elements or more: {mean:.2f} times as fast as the best peer in the geometric mean "
              f"of {len(many)} cells; asked are {FASTER}")
    print("the worst:")
    for row in sorted(rows, key=lambda row: -ratio[id(row)])[:10]:
        print(f"  {row.get('ratio_to_law', '-'):>8} of the law: {row['operation']}, {int(row['length']):,} elements, "
              f"{row['keys']} keys, {int(row['bins']):,} bins: {row['median_ms']} ms, right: {row['correct']}")


def table(folder, seed):
    files = [Path(folder, f"sweep-{operation}.csv") for operation in OPERATIONS]
    cells = summary.Cells(CELL, MEASURED + ["shared_bytes"], [path for path in files if path.exists()])
    bytes_per_ms = speed(cells.rows())
    rows = [judged(row, cell, bytes_per_ms) for cell in cells.cells.values() for row in cell
            if summary.is_chapter(row)]
    summary.write(Path(folder, f"sweep-{seed}.csv"), COLUMNS, rows)
    print(f"reading: {bytes_per_ms / 1e6:,.0f} GB/s, by the longest input")
    tell(rows)


def main(arguments):
    if len(arguments) == 4 and arguments[0] == "draw":
        seed, cells, wanted = int(arguments[1]), int(arguments[2]), arguments[3]
        print(" ".join(f"{bins}:{keys}@{elements}" for operation, bins, keys, elements in drawn(seed, cells)
                       if operation == wanted))
    elif len(arguments) == 3 and arguments[0] == "table":
        table(*arguments[1:])
    else:
        sys.exit(__doc__.strip())


if __name__ == "__main__":
    main(sys.argv[1:])
