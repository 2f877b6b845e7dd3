#!/usr/bin/env python3
"""reached.py - proves that the judge's own cases reach each line of the solutions, and both sides of each branch.

Each solution is compiled once more, as kernels are and with gcov's counters, and judged by its suite.
tests/reached lists what is not reached, with the reason. A chapter with operations is compiled for each of them,
and what one of them reaches is reached. Chapters may be named: reached.py 05 21.

Depends on: solutions/**/* tests/*.c tests/reached tests/course/reached.py tests/course/files/reached.c common/contract/**/* common/contracts/**/* common/judge/**/* common/kernel/**/* common/ranks/**/* common/sim/**/*
"""
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "common/proofs"))
os.chdir(ROOT)

import course  # noqa: E402
import judge  # noqa: E402

CHANCE = "chance"  # what is reached only when processes come in one of their orders
LISTED, COUNTERS = "tests/reached", "tests/course/files/reached.c"
KERNEL_FLAGS = Path(course.BUILD, f"flags-{course.CXX}")


def run(*words, **settings):
    """Runs a command; returns what it printed. An exception where it fails."""
    done = subprocess.run([str(word) for word in words], text=True, errors="replace",
                          capture_output=True, env=course.environment(**settings))
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]} {words[-1]}: {(done.stderr or done.stdout)[-800:]}")
    return done.stdout


def branch_addresses(assembly):
    """The assembly with gcov's counters in a section of their own, which begins with a page."""
    moved = re.sub(r"\t\.local\t(__gcov\d+\.\S+)\n\t\.comm\t\1,(\d+),\d+\n",
                   r'\t.pushsection reached,"aw"\n\t.balign 32\n\1:\n\t.zero \2\n\t.popsection\n', assembly)
    return '\t.pushsection reached,"aw"\n\t.balign 4096\n\t.popsection\n' + moved


def without_questions(text):
    """The C++ of a kernel, where the simulator's atomics ask what is constant without a branch, which would be
    one of the kernel's."""
    asked = r"__builtin_constant_p\((\w+)\)( && \(\1\) == 1)? \? \(unsigned int\)(\w+) : 0u"
    return re.sub(asked, lambda m: f"(unsigned int)(__builtin_constant_p({m[1]})"
                                   f"{f' & (({m[1]}) == 1)' if m[2] else ''}) * {m[3]}", text)


def is_compiled(source, place):
    """Whether place/kernel.o is newer than what it was made of."""
    made = Path(place, "kernel.o")
    used = [source, COUNTERS, __file__, "common/sim/kernel_flags.sh",
            *course.files("common/contract/**/*", "common/sim/include/**/*", "common/sim/rewrite/**/*")]
    return made.exists() and all(made.stat().st_mtime > Path(one).stat().st_mtime for one in used)


def compiled(source, folder, chosen):
    """Makes folder/kernel.o of a source: with counters, and with what keeps them."""
    place = folder.resolve()
    if is_compiled(source, place):
        return
    place.mkdir(parents=True, exist_ok=True)
    (place / "kernel").unlink(missing_ok=True)  # make is told that kernel.o is old
    gcov = ["--coverage", "-fprofile-update=single", "-fno-early-inlining", "-S"]
    (folder / "kernel.seen").write_bytes(Path(source).read_bytes())
    wanted = [chosen, "-Icommon/contract", "-DSIMULATED_GPU"]
    if source.endswith(".c"):
        run(course.CC, "-std=c11", "-O1", *gcov, *wanted, source, "-o", place / "k.s")
    else:
        mpi = ([*run("mpicc", "-showme:compile").split(), "-DOMPI_SKIP_MPICXX"] if course.is_of_mpi(Path(source).parent.name)
               else [])
        run("common/sim/simcc", "-E", *wanted, *mpi, source, "-o", place / "k.cpp")
        (place / "k.cpp").write_text(without_questions((place / "k.cpp").read_text()))
        run(course.CXX, "-x", "c++-cpp-output", "-std=gnu++17", "-w", *KERNEL_FLAGS.read_text().split(), *gcov,
            place / "k.cpp", "-o", place / "k.s")
    assembly = place / "k.s"
    assembly.write_text(branch_addresses(assembly.read_text()))
    run(course.CC, "-c", assembly, "-o", place / "k.o")
    calls = re.search(r"^library_calls=\((.*?)\)", Path("common/sim/simcc").read_text(), re.M | re.S).group(1)
    calls = [*calls.split(), "__tsan_read8=reached_read8", "__tsan_write8=reached_write8"]
    run("objcopy", *(f"--redefine-sym={call}" for call in calls), place / "k.o")
    run(course.CC, "-O2", "-Wall", "-c", COUNTERS, "-o", place / "keeps.o")
    run(course.CC, "-r", "-nostdlib", place / "k.o", place / "keeps.o", "-lgcov", "-o", place / "kernel.o")


def folders(stem):
    """Where the kernels of a chapter are: {folder: what it is compiled with}."""
    named = course.operations(stem)
    place = Path(course.BUILD, "reached-keys" if named else "reached-5", stem)
    return {place / name: f"-DOPERATION={name}" for name in named} or {place: "-DBINS=5"}


def make(kind, bins, paths):
    run(course.MAKE, "-s", "-j2", "-f", "common/make/variant.mk", f"CC={course.CC}", f"CXX={course.CXX}",
        f"KIND={kind}", f"BINS={bins}", *paths)


def build(stems):
    """Compiles what the chapters need, and has make link it."""
    make("solution", 5, sorted(judge.suite_of(f"{course.BUILD}/reached-5/{stem}") for stem in stems))
    jobs = [(course.source("solutions", stem), *job) for stem in stems for job in folders(stem).items()]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda job: compiled(*job), jobs))
    for bins in ("5", "keys"):
        kernels = [folder / "kernel" for _, folder, _ in jobs if f"/reached-{bins}/" in str(folder)]
        if kernels:
            ours = [word for kernel in kernels for word in ("-o", kernel.with_suffix(".o"))]
            make("reached", bins, [*kernels, *ours])


def judged(stem):
    """Has the suite judge the chapter's kernels, and gcov write what they did. Returns what it says."""
    place = next(iter(folders(stem)))
    home = place.parent if course.operations(stem) else place
    for folder in folders(stem):
        (folder / "kernel.counters").unlink(missing_ok=True)
    run(judge.suite_of(f"{course.BUILD}/reached-5/{stem}"), "--kernel", home, "--bins", "5", "--jobs", "1",
        JUDGE_SANDBOX="none", **judge.asked(stem))
    return [gcov(folder) for folder in folders(stem)]


def gcov(folder):
    """What gcov knows of the kernel in a folder. A process that ended by exit() has added to the file, too."""
    (folder / "k.gcda").unlink(missing_ok=True)
    run(folder / "kernel", SIM_REACHED="1")
    return json.loads(run("gcov", "--json-format", "--stdout", "--branch-probabilities", folder / "k.gcda"))


def pairs_of(branches):
    """The two sides of each branch, how often each was taken; not those that an exception would take."""
    for one, other in zip(branches[::2], branches[1::2]):
        if not one["throw"] and not other["throw"]:
            yield one["count"], other["count"]


def indent(text):
    return len(text) - len(text.lstrip())


class Reached:
    """What the kernels of a chapter have reached, taken together."""

    def __init__(self, source):
        self.text = Path(source).read_text().splitlines()
        self.lines, self.sides = defaultdict(int), defaultdict(lambda: [0, 0])

    def add(self, output, source):
        for line in (line for file in output["files"] if file["file"] == source for line in file["lines"]):
            number = line["line_number"]
            if self.is_generated(number):
                continue
            self.lines[number] += line["count"]
            sides = list(pairs_of(line["branches"])) if line["count"] else []
            questions = self.questions(number)
            period = questions if len(sides) % questions == 0 else len(sides)
            for place, side in enumerate(sides):
                both = self.sides[number, period, place % period]
                both[:] = both[0] + side[0], both[1] + side[1]

    def questions(self, number):
        """How many branches a line has in the source; a function that is put in several places has copies of
        them, one after the other."""
        text = self.text[number - 1].split("//")[0]
        begun = re.findall(r"\?|\b(?:if|for|while)\b", text)
        return (len(begun) or 1) + len(re.findall(r"&&|\|\|", text))

    def is_generated(self, number):
        """Whether a line is where a kernel begins, and the code that launches it, too."""
        return self.text[number - 1].startswith("{") or "<<<" in self.text[number - 1]

    def around(self, number):
        """The line itself, and the heads of all blocks that it is in, up to the function's."""
        text = self.text[number - 1]
        yield text
        deep = indent(text) + text.strip().startswith("}")
        for text in self.text[number - 1::-1]:
            if text.strip() not in ("", "{", "}") and not text.startswith("#") and indent(text) < deep:
                deep = indent(text)
                yield text

    def missed(self):
        """[(number, "line" or "side")] of what nobody has reached."""
        never = [number for number, count in self.lines.items() if count == 0]
        sides = {number for (number, *_), both in self.sides.items()
                 if 0 in both and self.lines[number] > 0}
        return sorted([(number, "line") for number in never] + [(number, "side") for number in sides])


def listed():
    """The rows of tests/reached: (chapter or *, "side", "block" or "chance", a part of the line, the reason)."""
    return [tuple(line.split("\t")) for line in Path(LISTED).read_text().splitlines()
            if line and not line.startswith("#")]


def findings(stem, reached, rows, needed):
    """What is wrong with a chapter, a line for each place."""
    for number, what in reached.missed():
        text = reached.text[number - 1]
        row = next((row for row in rows if row[0] in ("*", stem) and (
            row[1] in (what, CHANCE) and row[2] in text or
            row[1] == "block" and any(row[2] in head for head in reached.around(number)))), None)
        if row:
            needed.add(row)
        else:
            yield f"FAIL {stem}: {what} {number} is not reached by the judge's cases: {text.strip()}"


def prove(stems):
    """Prints a line for each chapter; returns whether all is reached."""
    if "clang" in course.CXX:
        print("ok reached: left to gcc, whose gcov it is")
        return True
    build(stems)
    rows, needed, right = listed(), set(), True
    for stem in stems:
        source = course.source("solutions", stem)
        reached = Reached(source)
        for output in judged(stem):
            reached.add(output, source)
        wrong = list(findings(stem, reached, rows, needed))
        right = right and not wrong
        print("\n".join(wrong or [f"ok {stem}: {len(reached.lines)} lines and {len(reached.sides)} branches"]),
              flush=True)
    for row in rows:
        looked_at = row[0] in stems or (row[0] == "*" and stems == course.stems("solutions"))
        if looked_at and row not in needed and row[1] != CHANCE:
            print(f"FAIL {LISTED}: is reached, or is nowhere: {' '.join(row[:3])}")
            right = False
    return right


if __name__ == "__main__":
    sys.exit(not prove([stem for stem in course.stems("solutions")
                        if not sys.argv[1:] or stem[:2] in sys.argv[1:]]))
