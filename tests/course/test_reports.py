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
