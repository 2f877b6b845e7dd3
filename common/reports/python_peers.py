"""python_peers.py - what PyTorch, CuPy and scikit-learn take for the work of Part V: rows behind those of the timing
program.

    python_peers.py CONTRACT OUT.csv

Times the cells that have rows in OUT.csv. Inputs are drawn anew with the same sizes, on the card. A time is the median
of repetitions between two events of CUDA, after warming up; the host queues the calls, so where these are short it is
the host's time. scikit-learn works on all cores, with the input in the host's memory, and what is slow is timed once.
A library that is not installed is left out, and what it cannot hold in the card's memory. Results are not judged.
"""
import csv
import statistics
import sys
import time
import warnings

import torch

try:
    import cupy
except ImportError:
    cupy = None
try:
    import sklearn.cluster
    import sklearn.neighbors
except ImportError:
    sklearn = None

CORES = "scikit-learn on cores"
REPETITIONS, WARM_UPS, LONG_MS, FEW, SLOW_MS = 20, 3, 100, 5, 2000


def summary(times):
    return statistics.median(times), min(times), max(times), len(times)


def cores_ms(run):
    """The same of what works on the host's cores: of a slow run it is all that is known."""
    def once():
        begin = time.perf_counter()
        run()
        return 1000 * (time.perf_counter() - begin)
    warm = once()
    return summary([warm] if warm > SLOW_MS else [once() for _ in range(FEW)])


def events_ms(run):
    """Median, least, most and number of repetitions, in milliseconds."""
    def once():
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end)
    warm = [once() for _ in range(WARM_UPS)][-1]
    times = [once() for _ in range(FEW if warm > LONG_MS else REPETITIONS)]
    return summary(times)


# -- k_means: shape -> points, dimensions, clusters --

POINTS = {"picture": (4096 * 4096, 3, 16), "paper5": (100000, 256, 5),
          "paper1024": (100000, 256, 1024)}


def torch_step(points, centroids, out):
    """One step: the usual way with a product of matrices, (p - c)^2 = p^2 - 2pc + c^2."""
    clusters = centroids.shape[0]
    distances = torch.addmm((centroids * centroids).sum(1), points, centroids.T, alpha=-2)
    labels = distances.argmin(1)
    sums = torch.zeros_like(centroids).index_add_(0, labels, points)
    counts = torch.bincount(labels, minlength=clusters)
    torch.where(counts[:, None] > 0, sums / counts[:, None], centroids, out=out)


def cupy_step(points, centroids):
    distances = (centroids * centroids).sum(1)[None, :] - 2 * points @ centroids.T
    labels = distances.argmin(1)
    sums = cupy.zeros_like(centroids)
    cupy.add.at(sums, labels, points)
    counts = cupy.bincount(labels, minlength=centroids.shape[0])
    return cupy.where(counts[:, None] > 0, sums / counts[:, None], centroids)


def k_means(shape, times):
    points, dimensions, clusters = POINTS[shape]
    p = torch.rand(points, dimensions, device="cuda")
    start = p[:clusters].clone()

    def by_torch():
        centroids = start.clone()
        for _ in range(times):
            torch_step(p, centroids, centroids)
        return centroids
    yield "pytorch", by_torch, points * dimensions
    if cupy is not None:
        q, begin = cupy.from_dlpack(p), cupy.from_dlpack(start)

        def by_cupy():
            centroids = begin
            for _ in range(times):
                centroids = cupy_step(q, centroids)
            return centroids
        yield "cupy", by_cupy, points * dimensions
    if sklearn is not None:
        on_host, first = p.cpu().numpy(), start.cpu().numpy()

        def by_sklearn():
            """A tolerance of 0, so that it makes all steps; it warns that it has not ended."""
            with warnings.catch_warnings(action="ignore"):
                sklearn.cluster.KMeans(clusters, init=first, n_init=1, max_iter=times, tol=0,
                                       algorithm="lloyd").fit(on_host)
        yield CORES, by_sklearn, points * dimensions


# -- joint_histogram: shape -> pairs, bins of a side --

PAIRS = {"pictures53": (2000000, 53), "shuffled53": (2000000, 53),
         "pictures203": (8000000, 203), "shuffled203": (8000000, 203)}


def weights(t):
    """Of a cubic B-spline, for the four bins from floor(x) on."""
    s = 1 - t
    return torch.stack((s ** 3, 3 * t ** 3 - 6 * t ** 2 + 4, -3 * t ** 3 + 3 * t ** 2 + 3 * t + 1, t ** 3),
                       1) / 6


def spread(x, y, side):
    """The 16 bins of each pair, and what it adds to them."""
    left, below = x.floor(), y.floor()
    four = torch.arange(4, device="cuda")
    rows = (below.long()[:, None] + four) * side
    bins = rows[:, :, None] + (left.long()[:, None] + four)[:, None, :]
    return bins.flatten(), (weights(y - below)[:, :, None] * weights(x - left)[:, None, :]).flatten()


def joint_histogram(shape, _):
    """With uniform coordinates: where nothing is near anything."""
    pairs, side = PAIRS[shape]
    x, y = (torch.rand(pairs, device="cuda") * (side - 3) for _ in range(2))

    def by_torch():
        bins, parts = spread(x, y, side)
        return torch.zeros(side * side, device="cuda").index_add_(0, bins, parts)
    if shape.startswith("shuffled"):
        yield "pytorch", by_torch, pairs
        if cupy is not None:
            def by_cupy():
                bins, parts = spread(x, y, side)
                sums = cupy.zeros(side * side, dtype=cupy.float32)
                cupy.add.at(sums, cupy.from_dlpack(bins), cupy.from_dlpack(parts))
                return sums
            yield "pytorch and cupy.add.at", by_cupy, pairs


# -- pair_counts --

POINTS_OF_SET, BINS_OF_ANGLE, ROWS = 10391, 20, 1024


def pair_counts(_, sets):
    sky = torch.nn.functional.normalize(torch.randn(sets + 1, POINTS_OF_SET, 3, device="cuda"), dim=2)
    minutes = torch.logspace(0, 4, BINS_OF_ANGLE + 1, dtype=torch.float64, device="cuda")
    edges = (4 * torch.sin(minutes / 60 * torch.pi / 360) ** 2).float()

    def count(one, other):
        counts = torch.zeros(BINS_OF_ANGLE + 2, dtype=torch.int64, device="cuda")
        for first in range(0, POINTS_OF_SET, ROWS):
            difference = one[first:first + ROWS, None, :] - other[None, :, :]
            counts += torch.bincount(torch.bucketize((difference * difference).sum(2), edges, right=True).flatten(),
                                     minlength=BINS_OF_ANGLE + 2)
        return counts

    def by_torch():
        """All ordered pairs of a set, twice as many as are asked for: the usual way with matrices."""
        found = [count(sky[0], sky[0])]
        for one in sky[1:]:
            found += [count(sky[0], one), count(one, one)]
        return found
    yield "pytorch", by_torch, (sets + 1) * POINTS_OF_SET
    if sklearn is not None and sets == 1:
        data, drawn = sky.cpu().numpy()
        chords = edges.sqrt().cpu().numpy()

        def by_sklearn():
            """Trees of the points, and for each point and edge the number of those that are nearer; all on one core."""
            trees = [sklearn.neighbors.KDTree(points) for points in (data, drawn)]
            return [trees[0].two_point_correlation(data, chords), trees[0].two_point_correlation(drawn, chords),
                    trees[1].two_point_correlation(drawn, chords)]
        yield CORES, by_sklearn, (sets + 1) * POINTS_OF_SET


# -- pair_forces: half lists --

ATOMS, BOX, CUTOFF, COULOMB = 23178, 10.318, 1.1, 138.935485


def near_atoms(places):
    """Pairs of a first and a later atom that are not farther apart than the cutoff."""
    found = []
    for first in range(0, ATOMS, ROWS):
        d = places[first:first + ROWS, None, :] - places[None, :, :]
        d -= BOX * torch.round(d / BOX)
        i, j = ((d * d).sum(2) <= CUTOFF ** 2).nonzero(as_tuple=True)
        found.append(torch.stack((i + first, j))[:, j > i + first])
    return torch.cat(found, 1)


def pair_forces(shape, _):
    side = round(ATOMS ** (1 / 3) + 0.5)
    number = torch.arange(ATOMS, device="cuda")
    places = torch.stack((number % side, number // side % side, number // side ** 2), 1) * (BOX / side)
    places = places + 0.02 * torch.rand(ATOMS, 3, device="cuda")
    if shape == "shuffled":
        places = places[torch.randperm(ATOMS, device="cuda")]
    i, j = near_atoms(places)
    charges = torch.where(number % 2 == 0, 0.2, -0.2)
    c6, c12 = 4 * 0.996 * 0.3405 ** 6, 4 * 0.996 * 0.3405 ** 12

    def by_torch():
        d = places[i] - places[j]
        d = d - BOX * torch.round(d / BOX)
        inverse = 1 / (d * d).sum(1)
        six = inverse ** 3
        coulomb = COULOMB * charges[i] * charges[j] * inverse.sqrt()
        force = ((12 * c12 * six * six - 6 * c6 * six + coulomb) * inverse)[:, None] * d
        forces = torch.zeros(ATOMS, 3, device="cuda")
        return forces.index_add_(0, i, force).index_add_(0, j, -force)
    yield "pytorch", by_torch, len(i)


WAYS = {"k_means": k_means, "joint_histogram": joint_histogram, "pair_counts": pair_counts,
        "pair_forces": pair_forces}


def cells(rows):
    """The first row of each cell that has been timed; of a contract with several operations those of `half` alone."""
    found = {}
    for row in rows:
        if row["operation"] != "full":
            found.setdefault((row["shape"], row["times"]), row)
    return found.values()


def main(contract, out):
    with open(out, newline="") as file:
        rows = csv.DictReader(file)
        columns, timed = rows.fieldnames, cells(rows)
    for cell in timed:
        try:
            for name, run, length in WAYS[contract](cell["shape"], int(cell["times"])):
                with torch.cuda.stream(torch.cuda.default_stream()):
                    median, least, most, runs = (cores_ms if name == CORES else events_ms)(run)
                row = {**{name: cell[name] for name in ("operation", "shape", "times")},
                       "implementation": name, "length": length, "median_ms": f"{median:.5f}",
                       "min_ms": f"{least:.5f}", "max_ms": f"{most:.5f}", "runs": runs, "queued": 0}
                print(f"{name:28} {median:10.5f} {least:10.5f} {most:10.5f}")
                with open(out, "a", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerow(
                        [row.get(column, "-") for column in columns])
        except torch.cuda.OutOfMemoryError:
            print(f"pytorch, {cell['shape']}:{cell['times']}: does not fit the card's memory")
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main(*sys.argv[1:])
