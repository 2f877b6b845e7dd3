"""python_peers.py - what PyTorch and CuPy take for the work of Part V: rows behind those of the timing program.

    python_peers.py CONTRACT OUT.csv CELL...

A CELL is SHAPE:TIMES of common/contracts/CONTRACT/timed.c, or all. Inputs are drawn anew with the same sizes, on the
card. A time is the median of repetitions between two events of CUDA, after warming up; the host queues the
calls, so where these are short it is the host's time. What a library cannot hold in the card's memory is left out.
Results are not judged.
"""
import csv
import statistics
import sys

import torch

try:
    import cupy
except ImportError:
    cupy = None

REPETITIONS, WARM_UPS, LONG_MS, FEW = 20, 3, 100, 5


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
    return statistics.median(times), min(times), max(times), len(times)


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


SHAPES = {"k_means": {shape: (1, 10) for shape in POINTS}}
WAYS = {"k_means": k_means}


def cells(contract, words):
    for word in words:
        shape, _, times = word.partition(":")
        for name, usual in SHAPES[contract].items():
            if shape in ("all", name):
                yield from ((name, int(one)) for one in (times.split(",") if times else usual))


def main(contract, out, *words):
    with open(out, newline="") as file:
        columns = next(csv.reader(file))
    if contract not in WAYS:
        return
    for shape, times in cells(contract, words):
        try:
            for name, run, length in WAYS[contract](shape, times):
                with torch.cuda.stream(torch.cuda.default_stream()):
                    median, least, most, runs = events_ms(run)
                row = {"shape": shape, "times": times, "implementation": name, "length": length,
                       "median_ms": f"{median:.5f}", "min_ms": f"{least:.5f}",
                       "max_ms": f"{most:.5f}", "runs": runs, "queued": 0}
                print(f"{name:28} {median:10.5f} {least:10.5f} {most:10.5f}")
                with open(out, "a", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerow(
                        [row.get(column, "-") for column in columns])
        except torch.cuda.OutOfMemoryError:
            print(f"pytorch, {shape}:{times}: does not fit the card's memory")
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main(*sys.argv[1:])
