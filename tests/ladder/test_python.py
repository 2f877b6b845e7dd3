"""The module ladder.py beside numpy. LADDER_LIBRARY says which library: make library LADDER_ON=sim makes it."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "common/ladder/python"))
numpy = pytest.importorskip("numpy")
pytest.importorskip("hypothesis")
ladder = pytest.importorskip("ladder")
from hypothesis import given, settings, strategies  # noqa: E402

some = settings(max_examples=40, deadline=None)
lengths = strategies.integers(0, 3000)
seeds = strategies.integers(0, 2**32 - 1)
bins = strategies.integers(1, 5000)


def drawn(seed, length, n):
    """Keys of which some have no bin, floats whose sums are exact, and words."""
    draw = numpy.random.default_rng(seed)
    keys = draw.integers(0, n + n // 4 + 1, length, dtype=numpy.uint32)
    floats = (draw.integers(-32, 33, length) / 32).astype(numpy.float32)
    return keys, floats, draw.integers(0, 2**32, length, dtype=numpy.uint32)


@some
@given(seeds, lengths, bins)
def test_bincount_is_that_of_numpy(seed, length, n):
    keys, _, _ = drawn(seed, length, n)
    assert (ladder.bincount(keys, n) == numpy.bincount(keys[keys < n], minlength=n)).all()


@some
@given(seeds, lengths)
def test_histogram_of_bytes(seed, length):
    samples = numpy.random.default_rng(seed).integers(0, 256, length).astype(numpy.uint8)
    assert (ladder.histogram(samples) == numpy.bincount(samples, minlength=256)).all()
    table = [byte // 64 if byte % 2 else -1 for byte in range(256)]
    odd = samples[samples % 2 == 1] // 64
    assert (ladder.histogram(samples, 4, table) == numpy.bincount(odd, minlength=4)).all()


@some
@given(seeds, lengths, bins)
def test_sums_of_words_and_of_floats(seed, length, n):
    keys, floats, words = drawn(seed, length, n)
    inside = keys < n
    sums = numpy.zeros(n, numpy.uint64)
    numpy.add.at(sums, keys[inside], words[inside].astype(numpy.uint64))
    assert (ladder.reduce_by_index(keys, words, n, "sum") == sums).all()
    exact = numpy.bincount(keys[inside], floats[inside], minlength=n)
    assert (ladder.reduce_by_index(keys, floats, n, "sum") == exact.astype(numpy.float32)).all()


@some
@given(seeds, lengths, bins)
def test_minmax_and_argmax(seed, length, n):
    keys, floats, words = drawn(seed, length, n)
    words %= 10  # so that some are equal, and the first index wins
    extremes, largest = ladder.reduce_by_index(keys, floats, n, "minmax"), ladder.reduce_by_index(keys, words, n, "argmax")
    for j in numpy.unique(keys[keys < n])[:50]:
        here = numpy.flatnonzero(keys == j)
        assert tuple(extremes[j]) == (floats[here].min(), floats[here].max())
        assert tuple(largest[j]) == (words[here].max(), here[words[here].argmax()])
    empty = numpy.setdiff1d(numpy.arange(n), keys)
    assert (extremes[empty] == (numpy.inf, -numpy.inf)).all() and (largest[empty] == (0, 0xffffffff)).all()


@some
@given(seeds, lengths)
def test_reductions(seed, length):
    _, floats, words = drawn(seed, length, 1)
    assert ladder.reduce(words) == words.astype(numpy.uint64).sum()
    assert ladder.reduce(words, "max") == (words.max() if length else 0)
    assert ladder.reduce(floats) == floats.sum(dtype=numpy.float64)
    assert ladder.reduce(floats, "reproducible") == ladder.reduce(floats, "reproducible")
    assert ladder.reduce(floats, "dot", floats) == pytest.approx(float((floats.astype(numpy.float64) ** 2).sum()), rel=1e-5)


def test_integers_of_any_width_are_keys_and_what_is_outside_is_left_out():
    assert list(ladder.bincount(numpy.array([-1, 0, 2**33, 1, 1]), 2)) == [1, 2]
    assert list(ladder.bincount(numpy.array([3, -7], numpy.int8), 4)) == [0, 0, 0, 1]


@pytest.mark.parametrize("error, call", [
    (TypeError, lambda: ladder.bincount(numpy.zeros(3), 2)),
    (ValueError, lambda: ladder.bincount(numpy.zeros((3, 3), numpy.uint32), 2)),
    (ValueError, lambda: ladder.reduce_by_index(numpy.zeros(3, int), numpy.zeros(2, numpy.float32), 2, "sum")),
    (TypeError, lambda: ladder.reduce_by_index(numpy.zeros(3, int), numpy.zeros(3), 2, "sum")),
    (TypeError, lambda: ladder.reduce_by_index(numpy.zeros(3, int), None, 2, "mean")),
    (ValueError, lambda: ladder.histogram(b"abc", 2, [2] * 256)),
    (TypeError, lambda: ladder.histogram(numpy.zeros(3, numpy.int64))),
    (ladder.LadderError, lambda: ladder.bincount(numpy.zeros(3, int), 0)),
])
def test_what_does_not_fit_is_refused(error, call):
    with pytest.raises(error):
        call()
