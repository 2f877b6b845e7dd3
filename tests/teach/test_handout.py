"""test_handout.py - a copy for students holds no line that fills a gap, and is a course that works.

Looks for lines of the gaps with other means than the program has.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kernels import BUILD, environment, make, source, stems

# CHAPTERS, ANSWERS, and the stubs that build on gaps which are still open.
STEPS = [("1-3", "", ()), ("1-4", "1-3", ()), ("1-5", "", ("05",)), ("1-14", "1-13", ()), ("2,4", "", ()),
         ("21", "", ("21",)), ("41", "", ("41",)), ("60-61", "", ("60",))]
# What any kernel has, or any loop.
NO_SECRETS = ("__syncthreads();", "done=true;", "continue;", "booldone=false;", "if(lane==0)", "if(threadIdx.x==0)", "if(i==0)",
              "CHECK(cudaGetLastError());", "for(intbin=0;bin<NUM_BINS;bin++)")
ALL = stems("chapters")


def bare(line):
    return re.sub(r"//.*|/\*.*?\*/|\s|^[\s>+-]+", "", line)


def bare_lines(path):
    return {bare(line) for line in Path(path).read_text(errors="replace").splitlines()}


def in_gaps(path):
    """For each gap the bare lines between TODO and its end, of eight signs and more."""
    for gap in re.findall(r"TODO\([\d.]+\):.*?\n(.*?)end of TODO\(", Path(path).read_text(), re.DOTALL):
        lines = map(bare, gap.splitlines())
        yield {line for line in lines if len(line) >= 8 and not line.startswith("#")} - set(NO_SECRETS)


def numbers(words):
    ends = [part.partition("-") for part in words.split(",") if part]
    return [number for first, _, last in ends for number in range(int(first), int(last or first) + 1)]


def hand_out(to, chapters, answers="", check=True):
    return make("handout", f"CHAPTERS={chapters}", f"ANSWERS={answers}", f"TO={to}", check=check)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())


@pytest.mark.parametrize("chapters, answers, building", STEPS, ids=lambda word: word if isinstance(word, str) else "")
def test_tells_nothing(tmp_path, chapters, answers, building):
    said = hand_out(tmp_path / "copy", chapters, answers).stdout
    answered = [stem for stem in ALL if int(stem[:2]) in numbers(answers)]
    closed = [stem for stem in ALL if stem not in answered]
    secret, known = [], set().union(*(bare_lines(source("solutions", stem)) for stem in answered))
    for stem in closed:  # what stands in a stub is no secret of a later chapter
        known |= bare_lines(source("chapters", stem))
        secret += [gap - known for gap in in_gaps(source("solutions", stem))]
    for name in files(tmp_path / "copy"):
        shown = bare_lines(tmp_path / "copy" / name)
        by_chance = re.match(r"(?:common|tests)/", name) and not re.search(r"/\d\d_", name)
        held = [gap & shown for gap in secret if gap & shown and not (by_chance and 2 * len(gap & shown) < len(gap))]
        is_later = name.startswith(tuple(f"{folder}/{stub}_" for stub in building for folder in ("chapters", "tests/stubs")))
        assert not held or is_later or name.startswith("common/contract/given/"), f"{name}: {held}"
        assert not held or not name.startswith("chapters/") or f"{name} builds on" in said
        stem = re.search(r"(?:^|/)(\d\d)_\w+", name)
        assert not stem or name.startswith("docs/pictures/") or int(stem[1]) in numbers(chapters), name
        assert not name.startswith((".git/", ".ci/", "tests/proofs")) and name.count("common/teach/") == name.count("points.txt"), name
        if name.endswith(".md"):
            text = (tmp_path / "copy" / name).read_text()
            dead = [link for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
                    if "://" not in link and not (tmp_path / "copy" / name).parent.joinpath(link).exists()]
            assert not dead, f"{name}: {dead}"


def test_a_student_works_in_it(tmp_path):
    copy = tmp_path / "copy"
    hand_out(copy, "1-3")
    built = copy / BUILD
    built.mkdir(parents=True)  # what other tests are making beside it may be gone before it is copied
    subprocess.run(["cp", "-a", *(path for path in Path(BUILD).iterdir() if not path.name.startswith("build-")), built], check=True)

    def said(*goals):
        done = subprocess.run(["make", *goals], cwd=copy, text=True, capture_output=True, env=environment())
        return done.stdout + done.stderr
    kernel = copy / source("chapters", "02_naive_atomic")
    stub = kernel.read_text()
    assert "not done yet: TODO(2.1)" in said("chapter2", "test") and "hint 1 of 3" in said("chapter2", "hint")
    shutil.copy(source("solutions", "02_naive_atomic"), kernel)
    assert "chapter 2: right on" in said("chapter2", "test")
    assert "chapter1" in said() and said("help").startswith("Histogram Ladder") and "solution" not in said("help")
    assert said("chapter2", "solution", "test").strip().endswith("this copy of the course has no solution of 02_naive_atomic.  Stop.")
    assert "for students and has not what slides needs" in said("slides")
    said("chapter2", "reset")
    assert kernel.read_text() == stub


def test_the_folder_has_nothing_but_a_repository(tmp_path):
    copy = tmp_path / "copy"
    (copy / ".git").mkdir(parents=True)
    (copy / ".git/mine").touch()
    hand_out(copy, "1,3", "1")
    assert os.listdir(copy / "solutions") == ["01_sequential"] and (copy / ".git/mine").exists()
    assert "is not empty" in hand_out(copy, "1-3", check=False).stderr


def test_without_a_name_the_copy_is_in_build():
    """Catches a TO that something else of the build sets: make install's folder is /usr/local."""
    for _ in range(2):
        make("handout", "CHAPTERS=1-2")
    assert os.listdir("build/handout-1-2/chapters") and not Path("build/handout-1-2/solutions").exists()


@pytest.mark.parametrize("chapters, says", [
    ("9-3", "9-3 runs backwards: 3-9?"), ("1-99", "there is no 99"), ("x", "and not 'x'"), ("1-", "and not '1-'"), ("", "say CHAPTERS=1-5")])
def test_refused_in_a_line(tmp_path, chapters, says):
    done = hand_out(tmp_path / "copy", chapters, check=False)
    assert says in done.stderr and not (tmp_path / "copy").exists()
    (tmp_path / "mine.txt").touch()
    assert "is not empty" in hand_out(tmp_path, "1", check=False).stderr


def handout_in(course, **settings):
    """Runs the program in a copy of the course that git does not know."""
    subprocess.run(["cp", "-a", "Makefile", "README.md", "chapters", "common", "docs", "solutions", "tests", course], check=True)
    return lambda: subprocess.run([sys.executable, "common/teach/handout.py"], cwd=course, text=True, capture_output=True,
                                  env={**os.environ, "CHAPTERS": "1-2", "TO": "copy", **settings})


def test_a_solution_is_no_stub(tmp_path):
    """A course in which the lecturer has solved chapter 1."""
    handout = handout_in(tmp_path)
    shutil.copy(source("solutions", "01_sequential"), tmp_path / source("chapters", "01_sequential"))
    assert "the gap 1.1 is filled, so this is no stub" in handout().stderr


def test_needs_no_git(tmp_path):
    """What the lecturer's own work left there stays at home, too."""
    handout = handout_in(tmp_path, PATH=str(tmp_path))
    mine = [tmp_path / "chapters/01_sequential" / name for name in ("verdicts.txt", "histogram.c.1", "best.csv")]
    for file in mine:
        file.touch()
    done = handout()
    assert done.returncode == 0, done.stderr
    kept = os.listdir(tmp_path / "copy/chapters/01_sequential")
    assert "histogram.c" in kept and not {file.name for file in mine} & set(kept)
