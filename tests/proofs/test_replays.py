"""test_replays.py - a replay shows the race that it tells of, and there is one to show; and break's kernels hide.

For each planted mistake that racecheck catches: both accesses that the first report names, a read that comes too early
as well as a write, are marked in the window that `replay` prints. For each stub: while its gaps are empty, make replay
plants a mistake of its chapter, or says that it has none. For each lesson that quotes what `make chapterN replay`
prints for the stub: it does print that.

A planted mistake is an exercise of `make chapterN break` when its head says so (common/course/break.c). The text that
the student's file begins with does not expose it, the key in the patch does, and each chapter has two or more.
"""
import re
import subprocess
from pathlib import Path

import pytest
from kernels import contract, environment, files, make, number, placed, program, stems, text
from test_mutants import head_of

FEWEST = 2  # exercises in a chapter
OF_TEXTS = [stem for stem in stems() if contract(stem) == "histogram"]
MUTANTS = {stem: files(f"tests/mutants/{stem}/*.patch") for stem in OF_TEXTS}
RACY = {stem: [path for path in MUTANTS[stem] if head_of(Path(path).read_text()).wanted == "racecheck"] for stem in OF_TEXTS}
# A block of a page with commands and what they print.
BLOCKS = [(page, block) for page in files("docs/[0-9]*_*.md")
          for block in re.findall(r"^```text\n(\$ .*?)^```$", Path(page).read_text(), re.MULTILINE | re.DOTALL)
          if re.search(r"^\$ make chapter\d+ replay", block, re.MULTILINE)]


def named(path):
    return path[len("tests/mutants/"):-len(".patch")]


@pytest.mark.parametrize("path", [path for paths in RACY.values() for path in paths], ids=named)
def test_replay(path):
    bins = head_of(Path(path).read_text()).bins
    run = subprocess.run([program(placed(path, "mutants"), "replay", bins), text()], text=True, errors="replace",
                         capture_output=True, env=environment(NUM_BINS=bins))
    report = run.stderr.partition("Error: Race reported")[2]
    accesses = sorted(re.findall(r"    at .* in (\S+:\d+)$", report, re.MULTILINE)[:2])
    marked = sorted(re.findall(r"^ \* +\d+\. .* at (\S+:\d+)$", run.stdout, re.MULTILINE))
    assert len(accesses) == 2, f"tells of no race: {run.stdout[-200:]}"
    assert accesses == marked


@pytest.mark.parametrize("stem", OF_TEXTS)
def test_stub_has_a_race_to_show(stem):
    done = make(f"chapter{number(stem)}", "replay", check=False)
    said = done.stdout + done.stderr
    if RACY[stem]:
        assert "so this is a race that was planted" in said and re.search(r"^ \*", said, re.MULTILINE), said[-400:]
    else:
        assert "has no race to show" in said, said[-400:]


@pytest.mark.parametrize("page, block", BLOCKS, ids=[page for page, _ in BLOCKS])
def test_quoted_replay(page, block):
    """A line of dots leaves some out."""
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        if command.startswith("printf "):
            subprocess.run(["sh", "-c", command], check=True)
            continue
        printed = make(*command.split()[1:], check=False).stdout
        for piece in filter(None, re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)):
            assert piece in printed, f"{command} does not print: {piece}"


def exercise(path):
    """(number, what hides it, what exposes it) of a patch; the number is 0 for one that is none."""
    fields = dict(re.findall(r"^(Break|Hides|Exposed by): (.*)$", Path(path).read_text().split("\n--- ")[0], re.MULTILINE))
    return int(fields.get("Break", 0)), fields.get("Hides", 'text = "abc"'), fields.get("Exposed by", "")


@pytest.mark.parametrize("path", [path for paths in MUTANTS.values() for path in paths if exercise(path)[0]], ids=named)
def test_break(path, tmp_path):
    expose, (_, hides, key) = program(placed(path, "mutants"), "expose", 5), exercise(path)
    for lines, status in ((hides, 1), (key, 0)):
        file = tmp_path / "experiment.txt"
        file.write_text(lines.replace(" ; ", "\n") + "\n")
        done = subprocess.run([expose, "the kernel", file, tmp_path / "log"], text=True, capture_output=True,
                              env=environment())
        assert done.returncode == status, f"{lines}: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("stem", [stem for stem in OF_TEXTS if number(stem) < 20])
def test_break_has_enough(stem):
    numbers = sorted(number for number, _, _ in map(exercise, MUTANTS[stem]) if number)
    assert len(numbers) >= FEWEST and numbers == list(range(1, len(numbers) + 1))
