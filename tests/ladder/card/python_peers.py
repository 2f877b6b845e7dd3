"""python_peers.py OUTPUT.csv - times the module ladder beside CuPy, PyTorch and numpy on a card, and checks each result.

Run with PYTHONPATH=common/ladder/python LADDER_LIBRARY=libladder.so.1. Arrays of the device stay there, and times are
those of the device, with what the call allocates and zeroes. Arrays of numpy lie on the host: there the clock of the
wall tells the time, with both copies. Exit status 1 if a result of ladder is wrong.
"""
import sys
import time

import cupy
import cupyx
import numpy
import torch

import ladder

ROWS, WRONG = [], []


def device_time(call):
    """Microseconds of a call, the median of some queues, behind others that keep the device busy meanwhile."""
    call()
    cupy.cuda.Device().synchronize()
    times = []
    for _ in range(7):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        torch.cuda._sleep(4000000)  # cycles, while the host queues
        begin.record()
        for _ in range(5):
            call()
        end.record()
        end.synchronize()
        times.append(1000 * cupy.cuda.get_elapsed_time(begin, end) / 5)
    return sorted(times)[3]


def host_time(call):
    call()
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        call()
        times.append(1e6 * (time.perf_counter() - begin))
    return sorted(times)[2]


def say(what, kind, length, bins, who, microseconds, right):
    ROWS.append(f"{what},{kind},{length},{bins},{who},{microseconds:.2f},{'yes' if right else 'NO'}")
    print(ROWS[-1], flush=True)
    if not right and who.startswith("ladder"):
        WRONG.append(ROWS[-1])


def keys_of(kind, length, bins):
    random = numpy.random.default_rng(1)
    if kind == "zipf":
        ranks = numpy.exp(random.random(length) * numpy.log(bins + 1)).astype(numpy.int64) - 1
        return (numpy.minimum(ranks, bins - 1) * 2654435761 % bins).astype(numpy.int32)
    return random.integers(0, bins, length, numpy.int32)


def compare(what, kind, length, bins, wanted, calls, timed=device_time):
    for who, call in calls:
        got = call()
        got = got.get() if hasattr(got, "get") else got.cpu().numpy() if hasattr(got, "cpu") else got
        right = numpy.allclose(got.astype(numpy.float64), wanted, rtol=1e-4, atol=1e-2)
        say(what, kind, length, bins, who, timed(call), right)


def main(path):
    for kind in "uniform", "zipf":
        for length, bins in (100000, 256), (10000000, 256), (10000000, 12281), (50000000, 12281), (50000000, 1572863):
            keys = keys_of(kind, length, bins)
            values = numpy.random.default_rng(2).integers(0, 64, length).astype(numpy.float32) / 64
            c_keys, c_values = cupy.asarray(keys), cupy.asarray(values)
            t_keys, t_values = torch.as_tensor(keys, device="cuda"), torch.as_tensor(values, device="cuda")
            t_wide, doubles = t_keys.long(), numpy.bincount(keys, values, bins)

            def torch_extremes():
                low = torch.full((bins,), float("inf"), device="cuda").scatter_reduce_(0, t_wide, t_values, "amin")
                high = torch.full((bins,), -float("inf"), device="cuda").scatter_reduce_(0, t_wide, t_values, "amax")
                return torch.stack([low, high], 1)

            def cupy_sum():
                sums = cupy.zeros(bins, cupy.float32)
                cupyx.scatter_add(sums, c_keys, c_values)
                return sums

            compare("bincount", kind, length, bins, numpy.bincount(keys, minlength=bins), [
                ("ladder CuPy", lambda: ladder.bincount(c_keys, bins)),
                ("ladder PyTorch", lambda: ladder.bincount(t_keys, bins)),
                ("cupy.bincount", lambda: cupy.bincount(c_keys, minlength=bins)),
                ("torch.bincount", lambda: torch.bincount(t_keys, minlength=bins))])
            compare("sum of floats", kind, length, bins, doubles, [
                ("ladder CuPy", lambda: ladder.reduce_by_index(c_keys, c_values, bins, "sum")),
                ("ladder PyTorch", lambda: ladder.reduce_by_index(t_keys, t_values, bins, "sum")),
                ("cupyx.scatter_add", cupy_sum),
                ("torch.index_add", lambda: torch.zeros(bins, device="cuda").index_add_(0, t_wide, t_values))])
            extremes = torch_extremes().cpu().numpy()
            compare("minmax", kind, length, bins, extremes, [
                ("ladder PyTorch", lambda: ladder.reduce_by_index(t_keys, t_values, bins, "minmax")),
                ("torch.scatter_reduce twice", torch_extremes)])
            if kind == "uniform" and length <= 10000000:
                compare("bincount on the host", kind, length, bins, numpy.bincount(keys, minlength=bins), [
                    ("ladder numpy", lambda: ladder.bincount(keys, bins)),
                    ("numpy.bincount", lambda: numpy.bincount(keys, minlength=bins))], host_time)
    with open(path, "w") as file:
        print("what,keys,length,bins,who,us,right", *ROWS, sep="\n", file=file)
    return 1 if WRONG else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
