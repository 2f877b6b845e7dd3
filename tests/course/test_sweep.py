"""test_sweep.py - the cells of make gpu sweep are those of their seed, and the law is that of its figures.

Depends on: common/reports/summary.py common/reports/sweep.py common/bench/gpu/keys.c docs/results/README.md tests/course/test_sweep.py
"""
import contextlib
import csv
import io
import math
import re
import tempfile
import unittest
from pathlib import Path

import sweep

H200 = {"shared_bytes": 232448, "bytes_per_ms": 4.55e9}
MEASURED = sweep.MEASURED + ["shared_bytes"]


def kind_of(keys):
    return keys.rstrip("0123456789.")


def row(who, ms, correct="yes", error="0", cell="count,zipf0.75,50000000,4000000"):
    operation, keys, length, bins = cell.split(",")
    return {"operation": operation, "keys": keys, "length": length, "bins": bins, "implementation": who,
            "median_ms": ms, "min_ms": ms, "max_ms": ms, "runs": "15", "queued": "3", "correct": correct,
            "error": error, "reading_ms": "0.048", "shared_bytes": "232448"}


def summed(*rows):
    """The table of what was measured so, and what is said of it."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        with open(Path(folder, "sweep-count.csv"), "w", newline="") as file:
            writer = csv.DictWriter(file, MEASURED)
            writer.writeheader()
            writer.writerows(rows)
        sweep.table(folder, "7")
        return list(csv.DictReader(Path(folder, "sweep-7.csv").read_text().splitlines())), out.getvalue()


class Cells(unittest.TestCase):
    def test_a_seed_draws_the_same_cells(self):
        self.assertEqual([("count", 7722898, "stride64", 7898999), ("wide_sum", 197707, "zipf0.54", 13270326)],
                         list(sweep.drawn(1, 2)))
        self.assertEqual(list(sweep.drawn(1, 200)), list(sweep.drawn(1, 300))[:200])
        self.assertNotEqual(list(sweep.drawn(1, 20)), list(sweep.drawn(2, 20)))

    def test_all_is_drawn(self):
        for seed in range(5):
            operations, bins, keys, elements = zip(*sweep.drawn(seed, 200))
            self.assertEqual(set(sweep.OPERATIONS), set(operations))
            self.assertEqual(set(sweep.CONTENTS), set(map(kind_of, keys)))
            for drawn, most in ((bins, 27), (elements, 30)):
                logs = [math.log2(number) for number in drawn]
                self.assertTrue(0 <= min(logs) < 1 and most - 1 < max(logs) <= most)
                self.assertAlmostEqual(most / 2, sum(logs) / len(logs), delta=most / 9)

    def test_numbers_are_in_their_ranges_and_the_program_has_each_kind(self):
        names = re.findall(r'\[CROWD_\w+\] = \{"(\w+)"', Path("common/bench/gpu/keys.c").read_text())
        own_size = ["wafer"]  # a published input, and no cell to draw
        self.assertEqual(sorted([*sweep.CONTENTS, *own_size]), sorted(names))
        numbers = {}
        for operation, bins, keys, _ in sweep.drawn(3, 3000):
            numbers.setdefault(kind_of(keys), set()).add(float(keys[len(kind_of(keys)):] or "0"))
            if operation == "argmax" and "outside" in keys:
                self.assertLessEqual(bins, 1 << 21)
        self.assertEqual({63, 64, 1024, 65536}, numbers["stride"])
        self.assertTrue(0.5 <= min(numbers["zipf"]) < 0.6 and 1.9 < max(numbers["zipf"]) <= 2)
        for kind in ("single", "ninety", "alternate", "partition", "cluster"):
            self.assertTrue(0 <= min(numbers[kind]) and max(numbers[kind]) < 1)
        for kind in ("runs", "blocks"):
            self.assertGreaterEqual(min(numbers[kind]), 2)


class Law(unittest.TestCase):
    def test_it_gives_the_figures_that_were_set(self):
        """Milliseconds for 50,000,000 elements: of keys, which are read in 48 us, and with values, in 92."""
        for operation, bins, figure in (
                ("count", 58112, 0.065), ("count", 4000000, 0.23), ("count", 16777216, 0.27),
                ("count", 100000000, 0.49), ("saturate", 58112, 0.065), ("argmax", 29056, 0.135),
                ("wide_sum", 29056, 0.135), ("float_sum", 29056, 0.135), ("argmax", 1572863, 0.57),
                ("wide_sum", 1572863, 0.57), ("float_sum", 4000000, 0.57), ("minmax", 14528, 0.19),
                ("minmax", 1572863, 0.87), ("vector_sum", 7264, 0.38), ("vector_sum", 196607, 1.1)):
            reading = 0.048 if operation in ("count", "saturate") else 0.092
            _, _, law = sweep.least_and_law(operation, bins, H200["shared_bytes"], reading, H200["bytes_per_ms"])
            self.assertAlmostEqual(1, law / figure, delta=0.03, msg=f"{operation}, {bins} bins")

    def test_the_page_has_the_same(self):
        page = Path("docs/results/README.md").read_text()
        for operation, (_, _, law) in sweep.OPERATIONS.items():
            row = next(line for line in page.splitlines() if line.startswith("| `") and f"`{operation}`" in line
                       and " T + " in line)
            self.assertEqual([f"{times:g} T + {more} us" for times, more in law],
                             re.findall(r"[\d.]+ T \+ \d+ us", row), operation)

    def test_levels_are_of_2048_partitions(self):
        for bins, levels in ((1, 0), (58112, 0), (58113, 1), (58112 * 2048, 1), (58112 * 2048 + 1, 2)):
            self.assertEqual(levels, sweep.levels(bins, 4, H200["shared_bytes"]), bins)

    def test_a_row_has_the_law_and_the_best_that_is_right(self):
        rows, output = summed(row("read only", "0.048", "-", "-"), row("29_choosing", "0.300"),
                            row("plain kernel", "-", "left out", "-"), row("cub sort and reduce", "0.100", "NO"),
                            row("cub HistogramEven", "0.600"), row("cub 3.6.0 HistogramEven", "0.450"))
        self.assertEqual(1, len(rows))
        least = 3 * 0.048 + 2 * 4 * 4000000 / (4 * 50000000 / 0.048)
        self.assertAlmostEqual(least, float(rows[0]["T_ms"]), 5)
        self.assertAlmostEqual(0.3 / least, float(rows[0]["ratio_to_T"]), 3)
        self.assertAlmostEqual(0.3 / (1.5 * least + 0.008), float(rows[0]["ratio_to_law"]), 3)
        self.assertEqual(["cub 3.6.0 HistogramEven", "0.450", "0.667"],
                         [rows[0][name] for name in ("best_peer", "peer_ms", "ratio_to_peer")])
        self.assertEqual("plain kernel left out; cub sort and reduce NO", rows[0]["no_time"])
        self.assertIn("within the law: 0 of 1 cells, 0.0%\nwithin 1.5 times the law: 1 of 1 cells", output)
        self.assertIn("1.50 times as fast as the best peer", output)

    def test_what_is_wrong_or_has_no_time_is_not_within(self):
        reader = row("read only", "0.048", "-", "-")
        for bad in (row("29_choosing", "0.100", "NO"), row("29_choosing", "0.100", error="2e-05"),
                    row("29_choosing", "-", "left out", "-"), row("29_choosing", "-", "failed", "-")):
            rows, output = summed(reader, bad, row("plain kernel", "36.6"))
            self.assertIn("within 1.5 times the law: 0 of 1", output)
            self.assertEqual("NO" if bad["median_ms"] != "-" else bad["correct"], rows[0]["correct"])
        self.assertIn("within the law: 1 of 1", summed(reader, row("29_choosing", "0.1", error="9e-06"))[1])

    def test_a_cell_without_memory_is_told_and_not_counted(self):
        huge = "count,sorted,1073741824,7"
        rows, output = summed(row("read only", "0.048", "-", "-"), row("29_choosing", "0.1"),
                            row("read only", "-", "left out", "-", huge),
                            row("29_choosing", "-", "left out", "-", huge))
        self.assertIn("within the law: 1 of 1", output)
        self.assertEqual("there is not that much memory free", rows[1]["no_time"])
