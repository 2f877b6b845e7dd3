"""test_reports.py - the programs that make files under docs/results make the ones that are there.

Depends on: common/reports/*.py tests/course/test_reports.py docs/results/**/*.csv docs/prediction.md
"""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import fidelity
import prediction
import requote
import summary

H200 = "docs/results/h200"
FIDELITY = [f"{H200}/fidelity{which}.csv" for which in ("", "-again", "-simulated")]
NCU = '''==PROF== Connected to process 1
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size"
"0","1","p","h","void k<int, 5>(int *, T<1>)","1","7","(256, 1, 1)","(64, 2, 1)","0","9","x","a.sum","","1,234"
"0","1","p","h","void k<int, 5>(int *, T<1>)","1","7","(256, 1, 1)","(64, 2, 1)","0","9","x","b.sum","","0"
"1","1","p","h","histogram(const char *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9","x","b.sum","","7,654"
'''


def printed(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*arguments)
    return out.getvalue()


class Reports(unittest.TestCase):
    maxDiff = None

    def test_summaries_are_those_of_the_runs(self):
        tables = sorted(str(path) for path in Path(H200).glob("bench-kinds-*.csv"))
        for name, files in (("kinds-summary", tables),
                            ("roofline-summary", [f"{H200}/roofline-variants.csv"])):
            wanted = Path(H200, name + ".csv").read_text()
            self.assertEqual(wanted, printed(summary.worst, files), name)

    def test_differences_are_those_of_the_counters(self):
        found = fidelity.differences(*FIDELITY)[1]
        wanted = Path("docs/results/sim/fidelity-differs.csv").read_text().splitlines()[1:]
        self.assertEqual(wanted, [",".join(row) for row in found])

    def test_differences_are_shown_in_percent(self):
        lines = printed(fidelity.compare, *FIDELITY).splitlines()
        self.assertEqual("3066 numbers compared, 3051 equal, 15 differ", lines[-1])
        self.assertTrue(lines[0].startswith("red_uniform  "))
        self.assertTrue(lines[0].endswith(" 46880 hardware      46040 simulated   -1.79%"))

    def test_a_launch_is_one_row(self):
        columns = "kernel,gx,gy,gz,bx,by,bz,a.sum,b.sum".split(",")
        self.assertEqual(["k,64,2,1,256,1,1,1234,0", "histogram,1,1,1,32,1,1,,7654"],
                         [",".join(row) for row in fidelity.rows_of(NCU.splitlines(True), columns)])

    def test_patterns_have_their_counters_beside_them(self):
        launches = "launch,kernel,pattern,places\n1,red,own_2,0 1\n2,red,odd_1,- 1\n"

        def count(_ncu, columns, command, _out, kernels=("red", "red")):
            Path(command[1]).write_text(launches)
            counters = ["7"] * len(fidelity.ATOMICS)
            self.assertEqual(columns[fidelity.SHAPE:], fidelity.ATOMICS)
            return [[kernel, *"123456", *counters] for kernel in kernels]

        def patterns(count):
            with tempfile.TemporaryDirectory() as folder, \
                    mock.patch.object(fidelity, "find", lambda ncu: ncu), \
                    mock.patch.object(fidelity, "count", count):
                printed(fidelity.count_requests, *fidelity.REQUESTS["patterns"], "program", folder, "ncu")
                return Path(folder, "patterns.csv").read_text().splitlines()

        self.assertEqual("2,red,odd_1,- 1" + ",7" * len(fidelity.ATOMICS), patterns(count)[2])
        with self.assertRaises(SystemExit):  # a launch is missing, or another one
            patterns(lambda *arguments: count(*arguments, kernels=("red",)))
        with self.assertRaises(SystemExit):
            patterns(lambda *arguments: count(*arguments, kernels=("red", "atom")))

    def test_solutions_counted_in_full_are_there(self):
        for stem in prediction.counted_in_full():
            self.assertTrue(Path("solutions", stem).is_dir(), stem)


class Requote(unittest.TestCase):
    """A page of chapter 6 after a new measurement, which has another order of rows and a new name."""

    COLUMNS = "implementation,input,bins,length,runs,median_ms,low_ms,GB_per_s,correct\n"
    OLD = COLUMNS + ("05_copies,english,5,67108864,9,1.20192,1.1,55.8,yes\n"
                     "06_shared,english,5,67108864,9,0.11926,0.1,562.7,yes\n"
                     "06_shared,english,26,67108864,9,0.11011,0.1,609.5,yes\n"
                     "06_shared,runs,5,67108864,9,0.11926,0.1,579.6,yes\n"
                     "read only,english,5,67108864,9,0.02160,0.01,3106.9,-\n")
    NEW = COLUMNS + ("read only,english,5,67108864,5,0.02104,0.01,4001.2,-\n"
                     "06_renamed,english,5,67108864,5,0.11800,0.1,1562.7,yes\n"
                     "06_renamed,english,26,67108864,5,0.11500,0.1,609.4,yes\n"
                     "06_renamed,runs,5,67108864,5,0.13000,0.1,516.2,yes\n")

    def requoted(self, text, renamed=("--renamed", "06_shared=06_other,06_renamed"), **files):
        with tempfile.TemporaryDirectory() as folder:
            for when, content in ("old", self.OLD), ("new", self.NEW):
                for name, words in {"x.csv": content, **files}.items():
                    path = Path(folder, when, "h200", name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(words)
            page = Path(folder, "06_shared.md")
            page.write_text(f"# 6. In milliseconds\n\n<!-- from docs/results/h200/x.csv -->\n{text}\n\n"
                            "And 0.119 here.\n")
            self.output = printed(requote.main, [*renamed, f"{folder}/old", f"{folder}/new", str(page)])
            self.assertIn("And 0.119 here.", page.read_text())
            return page.read_text().split("-->\n")[1].split("\n\nAnd")[0]

    def test_puts_each_figure_of_a_table_in_its_place(self):
        head = "| text, ms | bins | this chapter | only reading |\n|---|---:|---:|---:|\n"
        self.assertEqual(head + "| English | 5 | 0.118 | 0.021 |\n| `runs` | 5 | **0.130** | - |",
                         self.requoted(head + "| English | 5 | 0.119 | 0.022 |\n"
                                              "| `runs` | 5 | **0.119** | - |"))
        self.assertIn("0.119 -> 0.130 (x.csv: 06_shared runs 5 67108864: median_ms", self.output)

    def test_rounds_and_groups_alike(self):
        head = "| GB/s | chapter 6 |\n|---|---|\n"
        self.assertEqual(head + "| english | 1,563 |", self.requoted(head + "| english | 563 |"))
        self.assertEqual("Chapter 6 reads English in 5 bins at 1,562.7 GB/s.",
                         self.requoted("Chapter 6 reads English in 5 bins at 562.7 GB/s."))

    def test_leaves_and_lists_what_is_not_clear(self):
        for text, why in (("0.119 ms on two texts, English and `runs`.", "or x.csv: 06_shared runs"),
                          ("Chapter 5 takes 1.202 ms.", "gone"), ("It is 0.333 ms.", "no old file"),
                          ("About 0.12 ms.", "0.12 stays: x.csv"), ("`runs` at 609.5", "none fits")):
            self.assertEqual(text, self.requoted(text))
            self.assertIn(why, self.output, text)
        self.assertEqual("0.119", self.requoted("0.119", renamed=()))
        self.assertIn("gone", self.output)

    def test_leaves_names_and_sizes_alone(self):
        text = "Chapter 6, 5 bins, 64 MiB, 67,108,864 characters, `609.5`, H200"
        self.assertEqual(text, self.requoted(text))
        self.assertNotIn("stays:", self.output)

    def test_knows_how_tables_call_blocks_and_one_hot_letter(self):
        columns = "memory,input,bins,blocks,median_ms,latency_ms\n"
        with mock.patch.object(self, "OLD", columns + "global,hot0,5,256,2.380,2.380\n"
                               "shared,hot0,5,256,0.454,2.380\nshared,hot99,256,5,0.454,0.454\n"), \
                mock.patch.object(self, "NEW", columns + "global,hot0,5,256,2.1,3\n"
                                  "shared,hot0,5,256,0.4,3\nshared,hot99,256,5,0.5,3\n"):
            head = "| blocks | 0%: chapter 5 | 0%: chapter 6 | 99%: chapter 6 |\n|---|---|---|---|\n"
            self.assertEqual(head + "| 256 | 2.10 | 0.400 | - |",
                             self.requoted(head + "| 256 | 2.38 | 0.454 | - |"))
            self.assertEqual(head + "| 5 | - | - | 0.500 |", self.requoted(head + "| 5 | - | - | 0.454 |"))

    def test_leaves_what_stands_in_a_file_that_is_the_same(self):
        with mock.patch.object(self, "NEW", self.OLD):
            self.assertEqual("0.333", self.requoted("0.333"))
            self.assertNotIn("stays:", self.output)
