"""test_grading.py - a class gets the points that it has earned, whatever it hands in.

A class of good, wrong and hostile submissions is graded, once more, and after a change; the files of the report are
read as their readers do. Then the same kernel runs through the autograder that is made for Gradescope.
"""
import csv
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import alike
import pytest
from kernels import BUILD, environment, make, placed, source

STEM, NAIVE = "06_shared", "02_naive_atomic"
FULL, NOTHING = (2, 1, 2), (0, 0, 0)
SOLUTION, STUB = (Path(source(folder, STEM)).read_text() for folder in ("solutions", "chapters"))
FIRST = SOLUTION.index("\n__global__")
HOST = SOLUTION.index("{", SOLUTION.index("\nvoid histogram(")) + 1


def before(code):
    return SOLUTION[:FIRST] + "\n" + code + SOLUTION[FIRST:]


def begins(code):
    return SOLUTION[:HOST] + code + SOLUTION[HOST:]


def mutant(name):
    return Path(placed(f"tests/mutants/{STEM}/{name}.patch", "mutants").source).read_text()


# What is handed in: {name of the folder: (text, kind of finding, points for right, no report and technique)}.
CLASS = {
    "Ada Lovelace_12345_assignsubmission_file_": (SOLUTION, "solved", FULL),
    **{f"twin {number}": (SOLUTION + f"// mine, says {number}\n", "solved", FULL) for number in range(4)},
    "=cmd|' C calc'!A0": ("#error 1\n", "compile", NOTHING),
    "-rf": ("#error 2\n", "compile", NOTHING),
    "new\nline": ("#error 3\n", "compile", NOTHING),
    "\"Zoë & O'Neil\" zoe@example.org": ("#error \x1b]0;& ]]>\n", "compile", NOTHING),
    "stub": (STUB, "unfinished", NOTHING),
    "naive": (Path(source("solutions", NAIVE)).read_text(), "technique", (2, 1, 0)),
    "race": (mutant("not_zeroed"), "report", None),
    "block 0": (mutant("block_0_not_committed"), "wrong", (0, 1, 0)),
    "does nothing": (begins(" return;"), "wrong", NOTHING),
    "does not compile": (begins(" bins ="), "compile", NOTHING),
    "crashes": (begins(" __builtin_trap();"), "stopped", NOTHING),
    "hangs": (begins(" for (volatile int i = 0;;) i = 1;"), "stopped", NOTHING),
    "forks": (before('extern "C" int fork();\n') + "\nint two = fork();\n", "refused", NOTHING),
    "forges": (before("#include <cstdio>\n#include <cstdlib>\nstatic struct forger { forger() { puts(\"chapter 6: right on 99"
                      " inputs x 4 schedules\"); fflush(stdout); _Exit(0); } } forger;\n"), "stopped", NOTHING),
    "reads a secret": (before('#include "/etc/passwd"\n'), "compile", NOTHING),
    "assembles a secret": (before('asm(".incbin \\"/etc/passwd\\"");\n'), "compile", NOTHING),
    "reads zeros": (before('#include "/dev/zero"\n'), "compile", NOTHING),
    "takes all space": (before("unsigned char big[1u << 31] = {1};\n"), "compile", NOTHING),
    "link": (lambda file: file.symlink_to("/etc/passwd"), "missing", NOTHING),
    "pipe": (os.mkfifo, "missing", NOTHING),
    "gigabyte": (lambda file: (file.touch(), os.truncate(file, 1 << 30)), "missing", NOTHING),
    "empty": ("", "missing", NOTHING),
    "nothing": (None, "missing", NOTHING),
    "other name": (lambda file: file.with_name("Histogram.cu").write_text(SOLUTION), "solved", FULL),
    "two files": (lambda file: [file.with_name(f"{name}.cu").write_text(SOLUTION) for name in "ab"], "missing", NOTHING),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class that was graded: its folder, with `in` and `out`."""
    folder = tmp_path_factory.mktemp("class")
    for name, (text, _, _) in CLASS.items():
        place = folder / "in" / name
        place.mkdir(parents=True)
        if callable(text):
            text(place / "histogram.cu")
        elif text is not None:
            (place / "histogram.cu").write_text(text)
    (folder / "in" / "lovelaceada_LATE_77_456_histogram-2.cu").write_text(SOLUTION)
    (folder / "texts").mkdir()
    (folder / "texts" / "own.txt").write_text("a text of the lecturer")
    (folder / "texts" / "empty.txt").touch()
    grade(folder)
    return folder


def grade(folder, **settings):
    return make("chapter6", "grade", f"SUBMISSIONS={folder}/in", f"REPORT={folder}/out", f"EXTRA={folder}/texts",
                *(f"{name}={value}" for name, value in settings.items()), JUDGE_SECONDS="3").stdout


def rows(folder, name="grades.csv"):
    with open(folder / "out" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", CLASS)
def test_points(graded, name):
    _, kind, points = CLASS[name]
    shown = name.partition("_12345")[0].replace("\n", "\N{REPLACEMENT CHARACTER}")
    row = next(row for row in rows(graded) if row["name"].lstrip("'") == shown)
    earned = tuple(int(row[f"6 {item}"]) for item in ("right", "no-report", "technique"))
    assert row["6 found"] == kind, row["6 says"]
    assert earned == points if points else not earned[1], row["6 says"]
    assert int(row["6 extra"]) == (kind in ("solved", "technique"))
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_whose_it_is(graded):
    by_name = {row["name"]: row for row in rows(graded)}
    assert by_name["Ada Lovelace"]["id"] == "12345" and by_name["lovelaceada"]["id"] == "77"
    assert by_name["\"Zoë & O'Neil\" zoe@example.org"]["email"] == "zoe@example.org"
    assert len(by_name) == len(CLASS) + 1
    moodle, (points, canvas) = rows(graded, "moodle.csv"), rows(graded, "canvas.csv")
    assert [(row["Identifier"], row["Grade"]) for row in moodle] == [("Participant 12345", "6")]
    assert (points["Chapter 6"], canvas["ID"], canvas["Chapter 6"]) == ("6", "77", "6")
    text = (graded / "out" / "other name.txt").read_text()
    assert "handed in as Histogram.cu" in text and "5 of 5 points" in text, text
    results = json.loads((graded / "out" / "other name.json").read_text())
    assert results["score"] == sum(test["score"] for test in results["tests"]) == 6
    assert {test["visibility"] for test in results["tests"]} == {"visible", "after_published"}


def test_identical_files_are_told(graded):
    told = (graded / "out" / "alike.txt").read_text()
    line = next(line for line in told.splitlines() if "the same but for" in line)
    assert all(f"twin {number}" in line for number in range(4)) and "other name" in line and "stub" not in line


def test_only_what_has_changed_is_judged_again(graded):
    assert "\n0 texts judged" in grade(graded)
    (graded / "in" / "stub" / "histogram.cu").write_text("#error handed in again\n")
    (graded / "points").write_text("right 10\ntechnique 0.5 hidden # a comment\n")
    assert "\n1 texts judged" in grade(graded, POINTS=graded / "points")
    row = next(row for row in rows(graded) if row["name"] == "naive")
    assert (row["points"], row["of"]) == ("10", "10.5")


def test_autograder(tmp_path):
    """The zip of chapter 6, laid out as in Gradescope's container, with what is built here beside it."""
    make("chapter6", "gradescope", "DRAW=1")
    with zipfile.ZipFile("build/gradescope/chapter6.zip") as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, tmp_path / "source"))
            path.chmod(entry.external_attr >> 16 & 0o777)
            os.utime(path, (0, 0))
    course = tmp_path / "source/course"
    assert not (course / "solutions").exists() and not (course / "docs").exists() and not (course / "tests/mutants").exists()
    subprocess.run(["cp", "-a", "--parents", BUILD, course], check=True)
    (tmp_path / "results").mkdir()
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission/histogram.cu").write_text(SOLUTION)
    settings = {**environment(), "AUTOGRADER": str(tmp_path)}
    settings.pop("LOCKED")
    done = subprocess.run([tmp_path / "source/run_autograder"], env=settings, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr[-500:] + done.stdout[-500:]
    assert json.loads((tmp_path / "results/results.json").read_text())["score"] == 5


def test_alike():
    """Other names, numbers and comments are the same; a text of its own is not."""
    other = SOLUTION.replace("shared_bins", "mine").replace("256", "128").replace("//", "// I say:")
    lines = alike.told(6, {"ann": SOLUTION, "bob": other, "cyd": Path(source("solutions", NAIVE)).read_text()}, STUB)
    assert lines == ["chapter 6: the same but for names, numbers and comments: ann, bob"]
    assert alike.told(6, {"ann": STUB, "bob": STUB}, STUB) == []


@pytest.mark.parametrize("settings, says", [
    ({"REPORT": "{}/out"}, "both have to name a folder"), ({"SUBMISSIONS": "not/there", "REPORT": "{}/out"}, "no such folder"),
    ({"SUBMISSIONS": "{}/in", "REPORT": "{}/in/out"}, "lies in the other"), ({"SUBMISSIONS": "{}", "REPORT": "/proc/x"}, "cannot be written"),
    ({"SUBMISSIONS": "{}/none", "REPORT": "{}/out"}, "nobody has handed in anything"),
    ({"SUBMISSIONS": "{}/in", "REPORT": "{}/out", "EXTRA": "{}/none"}, "has no texts"),
    ({"SUBMISSIONS": "{}/in", "REPORT": "{}/out", "POINTS": "{}/wrong"}, "wrong:1: there is no item 'rihgt'")])
def test_refused_in_a_line(tmp_path, settings, says):
    for name in ("in", "none"):
        (tmp_path / name).mkdir()
    (tmp_path / "wrong").write_text("rihgt 2\n")
    done = subprocess.run([sys.executable, "common/teach/grade.py", STEM], text=True, capture_output=True,
                          env={**environment(), **{name: value.format(tmp_path) for name, value in settings.items()}})
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
