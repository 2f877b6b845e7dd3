"""counters.py - what the simulated GPU counts, for the answers of drawn questions (bank.py).

A Counter is a column of the row that the solution of a chapter writes, with these settings; or of a warp that
executes a statement. The statement may use lane (0 to 31); text and out, bytes and words in global memory; s and
bytes, the words of shared memory and the same as bytes. The environment says BUILD, CC, CXX and MAKE.
"""
import csv
import subprocess
import sys
import tempfile
from collections import namedtuple
from functools import lru_cache
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "proofs"))

import course  # noqa: E402 - found by the line above

Counter = namedtuple("Counter", "column chapter words")  # settings or, where the chapter is None, a statement
GIVEN = "__device__ unsigned char text[1 << 18] __attribute__((aligned(32)));\n__device__ unsigned int out[32];\n"
KERNEL = """__global__ void warp_{}(void)
{{
    __shared__ unsigned int s[12288];
    unsigned char *bytes = (unsigned char *)s;
    const unsigned int lane = threadIdx.x;
    (void)bytes;
    {};
}}
"""


class Wrong(Exception):
    """What cannot be done, in a line for the lecturer."""


def run(command, **settings):
    """Runs a program, without what the lecturer's own settings would change of it."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=course.environment(CHAPTERS="chapters", SIM_CHECKS="none", SIM_SEED="1", **settings))
    if done.returncode != 0:
        raise Wrong(f"{Path(command[0]).name}: {(done.stdout.strip() or 'nothing is said').splitlines()[-1]}")


def rows_in(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def count(wanted):
    """The values of these Counters, in their order."""
    with tempfile.TemporaryDirectory() as work:
        statements = list(dict.fromkeys(words for _, chapter, words in wanted if chapter is None))
        rows = dict(zip(((None, words) for words in statements), rows_of_warps(statements, Path(work))))
        for _, chapter, words in wanted:
            if (chapter, words) not in rows:
                rows[chapter, words] = row_of_chapter(int(chapter), words, Path(work))
    return [int(rows[chapter, words][column]) for column, chapter, words in wanted]


def rows_of_warps(statements, work):
    """A row of counters for each statement, which one warp executes."""
    if not statements:
        return []
    launches = " ".join(f"warp_{i}<<<1, 32>>>();" for i in range(len(statements)))
    (work / "warps.cu").write_text(GIVEN + "".join(map(KERNEL.format, range(len(statements)), statements))
                                   + f"int main() {{ {launches} return cudaDeviceSynchronize() != cudaSuccess; }}\n")
    run(["common/sim/simcc", work / "warps.cu", "-o", work / "warps"])
    run([work / "warps"], SIM_PROFILE=str(work / "warps.csv"))
    return rows_in(work / "warps.csv")


@lru_cache(maxsize=None)
def build(bins, *programs):
    run([course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk", f"CC={course.CC}",
         f"CXX={course.CXX}", "KIND=solution", f"BINS={bins}", *programs])


def row_of_chapter(chapter, words, work):
    """The row of a chapter's solution, as make chapterN solution run makes it with these settings; but INPUT is
    the text itself, and no file."""
    settings = dict(word.split("=") for word in words.split())
    stem = next(stem for stem in course.stems("solutions") if course.number(stem) == chapter)
    operation, bins = settings.get("OPERATION") or (course.operations(stem) or [""])[0], settings.pop("BINS", "5")
    folder = Path(course.BUILD, f"solution-{'keys' if operation else bins}", stem, operation)
    source, row = f"{course.BUILD}/common/program/{course.contract(stem)}/input", folder / "row"
    build("keys" if operation else bins, source, row)
    if "INPUT" in settings:
        (work / "typed").write_text(settings["INPUT"])
        settings["INPUT"] = str(work / "typed")
    settings.update(NUM_BINS=bins, KEY_BINS=bins, OPERATIONS=operation)
    run([source, work / "input", "README.md"], **settings)
    run([row, work / "input", stem[:2], stem[3:], work / "row.csv"], **settings)
    found, = rows_in(work / "row.csv")
    if found["correct"] != "yes":
        raise Wrong(f"the solution of chapter {chapter} is not right with {words}")
    return found
