"""summary.py - sums up what make gpu bench has measured. Needs no GPU.

    python3 common/reports/summary.py TABLE FOLDER

puts times beside what others take, and beside the targets of the course. TABLE is reduce-by-index,
reduce, reduce-atomics or many: FOLDER/TABLE.csv is made from the rows that make gpu bench left there.
What was put together before comes first: the newer rows of a cell, one input on which all ran, replace
the others. Prints each target with what came of it.

    python3 common/reports/summary.py worst docs/results/h200/bench-kinds-*.csv

prints of many kinds of text the worst one for each implementation, number of bins and length, perhaps
with a first column "series": the slowest kind; how much of the read roofline it reaches, and how many
times as fast as CUB it is, each on the kind where that is worst; and the slowest time over the fastest.
Roofline and CUB are those of the same run and the same kind.
"""
import csv
import statistics
import sys
from pathlib import Path

RECORDED = Path("docs/results/h200")  # what others take
CROWDED = ("zipf", "single", "stride63", "ninety")
LEFT_OUT_MS = 3000  # the plain kernel takes more than that where it has no time


def stop(words):
    sys.exit(words)


def read(path, columns):
    """The rows of a file, which has to have these columns."""
    try:
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError:
        stop(f"{path}: cannot be read")
    missing = [name for name in columns if rows and name not in rows[0]]
    if missing:
        stop(f"{path}: there is no column {missing[0]}")
    return rows


def write(path, columns, rows):
    try:
        with open(path, "w", newline="") as file:
            out = csv.DictWriter(file, columns, extrasaction="ignore", restval="-", lineterminator="\n")
            out.writeheader()
            out.writerows(rows)
    except OSError:
        stop(f"{path}: cannot be written")


def shown(number, form):
    """A number, or a dash for none."""
    return format(number, form) if number else "-"


def verdict(reached):
    return {None: "-", True: "yes", False: "no"}[reached]


class Cells:
    """Rows, sorted into cells: what they have in common is in the columns of KEY."""

    def __init__(self, key, columns, files):
        self.cells = {}
        for path in files:
            newer = {}
            for row in read(path, columns):
                newer.setdefault(tuple(row[name] for name in key), []).append(row)
            for name in newer:
                self.cells.pop(name, None)
            self.cells |= newer

    def rows(self):
        return [row for cell in self.cells.values() for row in cell]

    def beside(self, row, who):
        """The row of another one in the same cell, or None; a chapter's name goes without its number."""
        for cell in self.cells.values():
            if row in cell:
                return next((other for other in cell
                             if who in (other["implementation"], name_of(other["implementation"]))), None)


def is_chapter(row):
    return row["implementation"][:1].isdigit()


def name_of(who):
    return who.partition("_")[2] if who[:1].isdigit() else who


def ms_of(row):
    """Milliseconds; 0 of what has no time, or wrong results."""
    if not row or row["correct"] == "NO" or row["median_ms"] == "-":
        return 0
    return float(row["median_ms"])


# -- reduce-by-index --

KEYED = ("operation,implementation,keys,length,bins,median_ms,min_ms,max_ms,runs,queued,correct,"
         "reading_ms").split(",")
PAPERS = {"count": "i32 add", "saturate": "24-bit saturated add", "argmax": "argmax of"}
PAPERS_KEYS = {"uniform": "RF=1", "stride63": "RF=63"}


def of_count(most):
    return lambda row, papers, plain: most


def of_plain(row, papers, plain):
    return (plain or LEFT_OUT_MS) / 2


def of_argmax(row, papers, plain):
    near = int(row["bins"]) <= 12281
    return min(papers / 3 or 0.12, 0.12) if near else papers / 3


# title, operation, bins from and to, kinds of keys or () for all, milliseconds
KEYED_GOALS = [
    ("count, 31 to 58,112 bins: at most 1.2 x reading alone, 0.0576 ms", "count", 31, 58112, (),
     of_count(1.2 * 0.048)),
    ("count, 196,607 bins: at most 0.2 ms", "count", 196607, 196607, ("uniform", "zipf"), of_count(0.2)),
    ("count, 393,215 to 1,572,863 bins: at most 0.25 ms", "count", 393215, 1572863,
     ("uniform", "zipf"), of_count(0.25)),
    ("saturate: at most a half of the paper's library", "saturate", 31, 1572863, (),
     lambda row, papers, plain: papers / 2),
    ("argmax: at most a third of the paper's library, and 0.12 ms up to 12,281 bins", "argmax", 31,
     1572863, (), of_argmax),
    ("saturate at 255, keys of a wafer: at most 0.015 ms", "saturate at 255", 1048576, 1048576, ("wafer",),
     of_count(0.015)),
] + [(f"{name} where keys crowd: at most a half of the plain kernel", name, 1, 1572863, CROWDED,
      of_plain) for name in ("float_sum", "vector_sum", "minmax")]


def keyed_goal(row):
    return next((goal for goal in KEYED_GOALS if goal[1] == row["operation"] and
                 goal[2] <= int(row["bins"]) <= goal[3] and (not goal[4] or row["keys"] in goal[4])),
                None)


def papers_ms(peers, row):
    """What the library of the paper about generalized histograms takes; 0 where that is not known."""
    kind, keys = PAPERS.get(row["operation"]), PAPERS_KEYS.get(row["keys"])
    return next((float(peer["ms"]) for peer in peers if kind and kind in peer["implementation"] and
                 peer["keys"] == keys and peer["bins"] == row["bins"]), 0)


def add_keyed(cell, peers):
    """The columns that compare, of a cell. Returns its target and its fastest chapter."""
    papers, goal = papers_ms(peers, cell[0]), keyed_goal(cell[0])
    plain = ms_of(next((row for row in cell if row["implementation"] == "plain kernel"), None))
    target = goal[5](cell[0], papers, plain) if goal else 0
    best = min((row for row in cell if is_chapter(row) and ms_of(row)), key=ms_of, default=None)
    for row in cell:
        ms, own = ms_of(row), target if is_chapter(row) else 0
        row |= {"papers_library_ms": shown(papers, ".5f"), "target_ms": shown(own, ".4f"),
                "reached": verdict(0 < ms <= own if own else None),
                "x_fastest_chapter": shown(ms / ms_of(best) if best else 0, ".3f")}
    return goal, target, best


def print_keyed_goal(goal, cells, chapters):
    """How many of the goal's cells the fastest chapter reaches, and each; which nobody does."""
    for cell, target, best in cells:
        if best and ms_of(best) > target:
            print(f"    missed: {best['keys']} keys, {best['bins']} bins: {ms_of(best):.4f} ms "
                  f"({best['implementation']}), target {target:.4f}")
    reached = [0 < ms_of(best) <= target for _, target, best in cells]
    print(f"{goal[0]}: {sum(reached)} of {len(cells)} cells")
    if goal is KEYED_GOALS[0]:
        near = sum(bool(best) and ms_of(best) <= 1.2 * float(best["reading_ms"]) for _, _, best in cells)
        print(f"    within 1.2 x what reading took in the same run: {near} of {len(cells)}")
    for who in chapters:
        own = [(ms_of(row), target) for cell, target, _ in cells for row in cell
               if row["implementation"] == who and ms_of(row)]
        if own:
            print(f"    {who:<24} {sum(ms <= target for ms, target in own):3} of {len(cells)}")


def keyed(files, out):
    peers = read(RECORDED / "reduce-by-index-peers.csv", ["implementation", "keys", "bins", "ms"])
    cells = Cells(("operation", "keys", "bins"), KEYED, files)
    judged = [(cell, *add_keyed(cell, peers)) for cell in cells.cells.values()]
    write(out, KEYED + ["papers_library_ms", "target_ms", "reached", "x_fastest_chapter"], cells.rows())
    chapters = sorted({row["implementation"] for row in cells.rows() if is_chapter(row)})
    print("\nHow many cells reach the target: the fastest chapter, then each.")
    for goal in KEYED_GOALS:
        own = [(cell, target, best) for cell, theirs, target, best in judged if theirs is goal]
        if own:
            print_keyed_goal(goal, own, chapters)
    print("\nWithin 10% of the fastest chapter, of all cells that a chapter takes:")
    for who in chapters:
        own = [row["x_fastest_chapter"] for row in cells.rows() if row["implementation"] == who]
        within = sum(ratio != "-" and float(ratio) <= 1.1 for ratio in own)
        print(f"    {who:<24} {within:3} of {len(own)}, {100 * within / len(own):.1f}%")


# -- reduce --

REDUCED = ("operation,implementation,bytes,length,median_ms,min_ms,max_ms,runs,queued,correct,"
           "results,error,shape,GB_per_s,percent_of_reading,ratio_to_CUB").split(",")
# title, chapter, operation, bytes or 0 for all, factor and whose time, or milliseconds and None
REDUCE_GOALS = [
    ("at_the_roofline, sum: never slower than CUB", "at_the_roofline", "sum", 0, 1, "cub DeviceReduce"),
    ("at_the_roofline, sum, 50,000,000 bytes: at most 0.0165 ms", "at_the_roofline", "sum", 50000000,
     0.0165, None),
    ("at_the_roofline, sum, 1 GiB: 98% of reading alone", "at_the_roofline", "sum", 1 << 30, 1 / 0.98,
     "read only"),
    ("reproducible, float_sum: within 5% of at_the_roofline", "reproducible", "float_sum", 0, 1.05,
     "at_the_roofline"),
    ("reproducible, float_sum: faster than CUB's gpu-to-gpu mode", "reproducible", "float_sum", 0, 1,
     "cub gpu-to-gpu"),
]


def reduce_target(cells, goal, row):
    """Milliseconds, 0 for what is not known; None where the goal is not the row's."""
    title, chapter, operation, size, factor, other = goal
    if chapter != name_of(row["implementation"]) or operation != row["operation"] or \
            size not in (0, int(row["bytes"])):
        return None
    return factor * (ms_of(cells.beside(row, other)) if other else 1)


def print_reduce_goal(cells, goal):
    own = [(row, target) for row in cells.rows()
           if (target := reduce_target(cells, goal, row)) is not None]
    if own:
        reached = sum(0 < ms_of(row) <= target for row, target in own)
        print(f"{goal[0]}: {reached} of {len(own)} sizes")
    for row, target in own:
        size, ms = f"{row['bytes']} bytes:", ms_of(row)
        other = cells.beside(row, goal[5]) if goal[5] else None
        if not target and other and other["correct"] == "NO":
            print(f"    unknown: {size} no time to compare with: the result of {goal[5]} was wrong")
        elif not target:
            print(f"    unknown: {size} {goal[5]} has no time")
        elif not ms:
            print(f"    missed: {size} no time; target {target:.5f}")
        else:
            print(f"    {'reached' if ms <= target else 'missed'}: {size} {ms:.5f} ms, "
                  f"target {target:.5f}")


def reduce(files, out):
    cells = Cells(("operation", "bytes"), REDUCED[:-3], files)
    for row in cells.rows():
        targets = [target for goal in REDUCE_GOALS if (target := reduce_target(cells, goal, row))]
        ms = ms_of(row)
        row |= {"target_ms": shown(min(targets, default=0), ".5f"),
                "reached": verdict(0 < ms <= min(targets) if targets else None)}
        if row["correct"] == "NO":
            row |= {"GB_per_s": "-", "percent_of_reading": "-", "ratio_to_CUB": "-"}
    write(out, REDUCED + ["target_ms", "reached"], cells.rows())
    print("\nThe targets of the course, on this GPU:")
    for goal in REDUCE_GOALS:
        print_reduce_goal(cells, goal)
    print(f"\nBeside what was measured elsewhere ({RECORDED / 'reduce-peers.csv'}):")
    for peer in read(RECORDED / "reduce-peers.csv", ["operation", "implementation", "bytes"]):
        for row in cells.cells.get((peer["operation"], peer["bytes"]), []):
            if row["implementation"] == peer["implementation"] and ms_of(row):
                print(f"    {peer['operation']}, {peer['implementation']}, {peer['bytes']} bytes: "
                      f"{ms_of(row):.5f} ms, there {peer['median_ms']}")
    for row in cells.rows():
        if row["correct"] not in ("yes", "-"):
            what = "wrong results" if row["correct"] == "NO" else row["correct"]
            print(f"{row['implementation']}, {row['operation']}, {row['bytes']} bytes: {what}")


# -- reduce-atomics --

ATOMICS = ("operation,who_adds,bytes,blocks,threads_per_block,atomics,median_ms,min_ms,max_ms,runs,"
           "queued,correct").split(",")


def atomics(files, out):
    """What an atomic costs: what they take more than the grid in which nobody adds, over their number."""
    rows, alone = read(files[-1], ATOMICS), 0
    for row in rows:
        if row["who_adds"] == "nobody":
            alone = float(row["median_ms"])
        more = (float(row["median_ms"]) - alone) * 1e6
        row["ns_an_atomic"] = f"{more / (int(row['atomics']) or 1):.3f}"
    write(out, ATOMICS + ["ns_an_atomic"], rows)


# -- many --

NOTHING = "no text"
# What a place of text is measured against, what that is called, and the target in percent: of as many
# times one device, or of what reading or copying alone reaches.
PLACES = {
    "each": ("reading alone", "the memory of the cards", 99, 0),
    "all": ("reading alone", "the memory of the cards", 0, 0),
    "pinned": ("copies alone", "the links to the cards", 0, 90),
    "pageable": ("copies alone", "copies from pageable memory", 0, 90),
    "file": ("reading alone", "reading the file", 0, 0),
}
MANY = ("where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,rounds,runs,correct").split(",")


def rounds_merged(rows):
    """One row of those of all rounds: the median of their medians, the least and the most of all."""
    numbers = {name: [float(row[name]) for row in rows] for name in ("median_ms", "min_ms", "max_ms")}
    wrong = any(row["correct"] == "NO" for row in rows)
    return rows[0] | {"median_ms": f"{statistics.median(numbers['median_ms']):.5f}",
                      "min_ms": f"{min(numbers['min_ms']):.5f}",
                      "max_ms": f"{max(numbers['max_ms']):.5f}", "rounds": len(rows),
                      "runs": sum(int(row["runs"]) for row in rows),
                      "correct": "NO" if wrong else rows[0]["correct"]}


def speed(row):
    return float(row["bytes"]) / ms_of(row) * 1e-6 if ms_of(row) else 0  # GB/s


def limit_of(row, place, alone, empty):
    """Of the three that make up a chapter's time, the longest: what reading or copying alone takes, what
    a call without text takes, and the rest, which is counting, or what does not overlap."""
    if row["implementation"] == NOTHING:
        return "launches and collective"
    if not is_chapter(row):
        return place[1]
    if not ms_of(row) or not ms_of(alone):
        return "-"
    rest = ms_of(row) - ms_of(alone) - ms_of(empty)
    # Who is much faster than copies alone does not copy as they do, and nothing is known of his copies.
    another_way = ms_of(row) < 0.9 * ms_of(alone)
    if not another_way and ms_of(alone) >= max(ms_of(empty), rest):
        return place[1]
    if not another_way and ms_of(empty) >= rest:
        return "launches and collective"
    return "counting" if place[0] == "reading alone" and ms_of(empty) else "what the host does"


def many(files, out):
    cells = {}
    for row in read(files[-1], [name for name in MANY if name != "rounds"]):
        if row["where"] not in PLACES:
            stop(f"{row['where']} is no place of a text: each, all, pinned, pageable or file")
        if row["median_ms"] != "-":
            cells.setdefault(tuple(row[name] for name in MANY[:5]), []).append(row)
    rows = [rounds_merged(cell) for cell in cells.values()]
    of = {(row["where"], row["implementation"], row["bins"], row["devices"]): row for row in rows}
    lines = []
    for row in rows:
        where, who, bins, devices = (row[name] for name in MANY[:4])
        place = PLACES[where]
        one, alone, empty = (of.get(key) for key in ((where, who, bins, "1"),
                             (where, place[0], bins, devices), (where, NOTHING, bins, devices)))
        percents = [100 * speed(row) / (int(devices) * speed(one)) if one and speed(one) else 0,
                    100 * speed(row) / speed(alone) if alone and speed(alone) else 0]
        scales = place[2] and int(devices) > 1
        target = (place[2] if scales else place[3]) if is_chapter(row) else 0
        reached = percents[0] if scales else percents[1]
        row |= {"GB_per_s": shown(speed(row), ".1f"), "percent_of_devices": shown(percents[0], ".1f"),
                "percent_of_alone": shown(percents[1], ".1f"),
                "limited_by": limit_of(row, place, alone, empty),
                "target_percent": shown(target, ".1f"),
                "reached": verdict(reached >= target if target and reached else None)}
        if target:
            word = "unknown" if not reached else "reached" if reached >= target else "missed"
            lines.append(f"    {word}: {who}, {where}, {bins} bins, {devices} device"
                        f"{'' if devices == '1' else 's'}: {reached:.2f}% of "
                        f"{'as many times one device' if place[2] else 'copying alone'}, "
                        f"target {target:.0f}%")
    write(out, MANY + ["GB_per_s", "percent_of_devices", "percent_of_alone", "limited_by",
                       "target_percent", "reached"], rows)
    print("\nThe targets of the course, on these GPUs:", *lines, sep="\n")


# -- worst --

RUN = ("series", "bins", "length")
WORST = "implementation,worst_kind,worst_ms,percent_of_roofline,times_cub,slowest_over_fastest"


def worst(paths):
    rows = [row for path in paths for row in read(path, ["bins", "length", "implementation", "input"])]
    run_of = [name for name in RUN if name in rows[0]]
    times = {}  # {run: {implementation: {kind of text: milliseconds}}}
    for row in rows:
        run = times.setdefault(",".join(row[name] for name in run_of), {})
        if ms_of(row):
            run.setdefault(row["implementation"], {})[row["input"]] = ms_of(row)
    print(",".join(run_of), WORST, sep=",")
    for run, those in times.items():
        reading = those.get("read only", {})
        cub = next((by_kind for who, by_kind in those.items() if who.startswith("cub")), {})
        for who, by_kind in those.items():
            if not who.startswith(("read only", "cub", "empty", "thrust")):
                slowest = max(by_kind, key=by_kind.get)
                percent = min(100 * reading.get(kind, 0) / ms for kind, ms in by_kind.items())
                times_cub = min(cub.get(kind, 0) / ms for kind, ms in by_kind.items())
                print(f"{run},{who},{slowest},{by_kind[slowest]:.5f},{percent:.1f},{times_cub:.2f},"
                      f"{by_kind[slowest] / min(by_kind.values()):.3f}")


# Of a table: who makes it, and the files that it is made from.
TABLES = {"reduce-by-index": (keyed, "by-index-*.csv"), "reduce": (reduce, "reduce-times-*.csv"),
          "reduce-atomics": (atomics, "reduce-atomics-times.csv"), "many": (many, "many-times.csv")}


def main(table, folder):
    make, pattern = TABLES[table]
    out = Path(folder, f"{table}.csv")
    parts = sorted(Path(folder).glob(pattern), key=lambda path: path.stat().st_mtime)
    if not parts and not out.exists():
        stop(f"{folder}: there is no {table}.csv")
    if make in (keyed, reduce) and out.exists():
        parts.insert(0, out)
    if parts:
        make(parts, out)


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "worst":
        worst(sys.argv[2:])
    elif len(sys.argv) == 3 and sys.argv[1] in TABLES:
        main(*sys.argv[1:])
    else:
        stop(__doc__)
