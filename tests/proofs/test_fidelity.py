"""test_fidelity.py - common/bench/fidelity.py reads what Nsight Compute prints, and tells what differs."""
import sys
from pathlib import Path

import pytest

sys.path.insert(0, "common/bench")

import fidelity  # noqa: E402 - found by the line above
import prediction  # noqa: E402

FILES = [f"docs/results/h200/fidelity{which}.csv" for which in ("", "-again", "-simulated")]
NCU = '''==PROF== Connected to process 1
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size"
"0","1","p","h","void k<int, 5>(int *, T<1>)","1","7","(256, 1, 1)","(64, 2, 1)","0","9","x","a.sum","","1,234"
"0","1","p","h","void k<int, 5>(int *, T<1>)","1","7","(256, 1, 1)","(64, 2, 1)","0","9","x","b.sum","","0"
"1","1","p","h","histogram(const char *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9","x","b.sum","","7,654"
'''


def test_differences_are_those_of_the_counters(capsys):
    fidelity.compare(*FILES)
    said = capsys.readouterr()
    assert said.out == Path("docs/results/sim/fidelity-differs.csv").read_text()
    assert said.err == "3066 numbers compared, 3051 equal, 15 differ\n"


def test_a_launch_is_one_row():
    columns = "kernel,gx,gy,gz,bx,by,bz,a.sum,b.sum".split(",")
    assert [",".join(row) for row in fidelity.rows_of(NCU.splitlines(True), columns)] == \
        ["k,64,2,1,256,1,1,1234,0", "histogram,1,1,1,32,1,1,,7654"]


@pytest.mark.parametrize("kernels, fits", [(("red", "red"), True), (("red",), False), (("red", "atom"), False)])
def test_launches_have_their_counters_beside_them_and_none_is_missing(kernels, fits, tmp_path, monkeypatch):
    def count(_ncu, _columns, command, _out):
        Path(command[1]).write_text("launch,kernel,pattern,places\n1,red,own_2,0 1\n2,red,odd_1,- 1\n")
        return [[kernel, *"123456", *"7" * len(fidelity.ATOMICS)] for kernel in kernels]
    monkeypatch.setattr(fidelity, "find", lambda ncu: ncu)
    monkeypatch.setattr(fidelity, "count", count)
    if fits:
        fidelity.count_requests((("updates", ()),), fidelity.ATOMICS, "program", tmp_path, "ncu")
        assert (tmp_path / "updates.csv").read_text().splitlines()[2] == "2,red,odd_1,- 1" + ",7" * len(fidelity.ATOMICS)
    else:
        with pytest.raises(SystemExit):
            fidelity.count_requests((("updates", ()),), fidelity.ATOMICS, "program", tmp_path, "ncu")


def test_counters_are_drawn_on_in_a_straight_line():
    rows = [(4.0, [10.0, 7.0]), (8.0, [20.0, 7.0])]
    assert prediction.drawn_on(rows, 16.0) == [40.0, 7.0]
    assert prediction.drawn_on(rows, 2.0) is None
    assert prediction.drawn_on(rows[:1], 4.0) == [10.0, 7.0] and prediction.drawn_on(rows[:1], 8.0) is None
