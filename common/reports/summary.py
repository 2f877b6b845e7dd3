"""summary.py - of many kinds of text, the worst one for each implementation.

    python3 common/reports/summary.py docs/results/h200/bench-kinds-*.csv

Reads rows of `make gpu bench`, perhaps with a first column "series", and prints, for each
implementation, number of bins and length: the slowest kind of text; how much of the read
roofline it reaches, and how many times as fast as CUB it is, each on the kind where that is
worst; and the slowest time over the fastest. Roofline and CUB are those of the same run and the
same kind.
"""
import csv
import sys

COLUMNS = ("bins,length,implementation,worst_kind,worst_ms,percent_of_roofline,times_cub,"
           "slowest_over_fastest")


def milliseconds(text):
    """A time, or 0 of a row that was left out."""
    try:
        return float(text)
    except ValueError:
        return 0.0


class Times:
    """The times of all files, sorted out."""

    def __init__(self):
        self.has_series = False
        self.roofline, self.cub, self.own = {}, {}, {}  # own: {(run, name): {kind: time}}

    def add(self, row):
        run = [row["bins"], row["length"]]
        if "series" in row:
            self.has_series, run = True, [row["series"], *run]
        run, name, kind = ",".join(run), row["implementation"], row["input"]
        time = milliseconds(row["median_ms"])
        if time <= 0:
            return
        if name == "read only":
            self.roofline[run, kind] = time
        elif name.startswith("cub"):
            self.cub[run, kind] = time
        elif not name.startswith(("empty", "thrust")):
            self.own.setdefault((run, name), {})[kind] = time

    def summary(self, run, name):
        """The line of one implementation."""
        kinds = self.own[run, name]
        worst = max(kinds, key=kinds.get)
        percent = min(100 * self.roofline.get((run, kind), 0) / kinds[kind] for kind in kinds)
        times_cub = min(self.cub.get((run, kind), 0) / kinds[kind] for kind in kinds)
        spread = kinds[worst] / min(kinds.values())
        return (f"{run},{name},{worst},{kinds[worst]:.5f},{percent:.1f},{times_cub:.2f},"
                f"{spread:.3f}")


def main(paths):
    if not paths:
        print(__doc__, file=sys.stderr)
        return 1
    times = Times()
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                times.add(row)
    print(("series," if times.has_series else "") + COLUMNS)
    for run, name in times.own:
        print(times.summary(run, name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
