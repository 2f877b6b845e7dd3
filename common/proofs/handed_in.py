"""handed_in.py - a class that hands in a chapter, for the proofs of grading: good, wrong, hostile; and what grades it."""
import csv
import os
import re
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import build
import course

# name of the folder; what is in it; the kind of finding; points for right, no report, technique
Student = namedtuple("Student", "name source kind points")
PATIENCE = "3"    # seconds that a kernel may take: JUDGE_SECONDS
LIMIT = 900       # seconds for a run
FULL, NOTHING = (2, 1, 2), (0, 0, 0)
NAMES = ("Ada Lovelace_12345_assignsubmission_file_", "-rf", "=cmd|' C calc'!A0",
         "<script>alert(1)<b>", "new\nline", "\"Zoë & O'Neil\"", "a..b", "index.html")


def kernel_of(stem, folder="solutions"):
    return Path(course.source(folder, stem)).read_text()


def text_of(path, folder):
    """The text of a file, or what a patch makes of the solution."""
    return Path(build.kernel_of(path, folder)).read_text()


def mutant(stem, name, folder):
    """A solution with a planted mistake."""
    return text_of(f"tests/mutants/{stem}/{name}.patch", folder)


def students(stem, other, folder):
    """The class of a chapter; `other` is one with another technique."""
    solution = kernel_of(stem)
    first = solution.index("\n__global__")
    host = solution.index("{", solution.index("\nvoid histogram(")) + 1

    def before(code):
        return solution[:first] + "\n" + code + solution[first:]

    def begins(code):
        return solution[:host] + code + solution[host:]

    cheats = course.files(f"tests/cheats/{stem}/*for_show.*")
    rights = course.files(f"tests/right/{stem}/*")[:1]
    return [
        *(Student(name, f"#error {number}\n", "compile", NOTHING)
          for number, name in enumerate(NAMES)),
        Student("solved", solution, "solved", FULL),
        Student("a twin", solution, "solved", FULL),
        *(Student(Path(path).stem, text_of(path, folder), "solved", FULL) for path in rights),
        Student("stub", kernel_of(stem, "chapters"), "unfinished", NOTHING),
        Student("naive", kernel_of(other), "technique", (2, 1, 0)),
        Student("naive int", mutant(other, "int_index", folder), "technique", (0, 1, 0)),
        *(Student(Path(path).stem, text_of(path, folder), "technique", (2, 1, 0))
          for path in cheats[:1]),
        Student("race", mutant(stem, "not_zeroed", folder), "report", None),
        Student("no barrier", mutant(stem, "no_barrier_after_zeroing", folder), "report", None),
        Student("block 0", mutant(stem, "block_0_not_committed", folder), "wrong", (0, 1, 0)),
        Student("does nothing", begins(" return;"), "wrong", NOTHING),
        Student("does not compile", begins(" bins ="), "compile", NOTHING),
        Student("crashes", begins(" __builtin_trap();"), "stopped", NOTHING),
        Student("hangs", begins(" for (volatile int i = 0;;) i = 1;"), "stopped", NOTHING),
        Student("forks", before("extern \"C\" int fork();\n") + "\nint two = fork();\n", "refused",
                NOTHING),
        Student("fills the disk", before(
            "#include <cstdio>\nstatic struct filler { filler() { FILE *f = fopen(\"kernel.seen\", "
            "\"w\"); for (long i = 0; f && i < 1 << 30; i++) if (fputs(\"full\", f) < 0) break; } "
            "} filler;\n"), "stopped", NOTHING),
        Student("forges", before(
            "#include <cstdio>\n#include <cstdlib>\nstatic struct forger { forger() { puts(\"chapter"
            f" {course.number(stem)}: right on 99 inputs x 4 schedules\\n99 passed, 0 failed\"); "
            "fflush(stdout); _Exit(0); } } forger;\n"), "stopped", NOTHING),
        Student("reads a secret", before("#include \"/etc/passwd\"\n"), "compile", NOTHING),
        Student("assembles a secret", before("asm(\".incbin \\\"/etc/passwd\\\"\");\n"), "compile",
                NOTHING),
        Student("reads zeros", before("#include \"/dev/zero\"\n"), "compile", NOTHING),
        Student("takes all space", before("unsigned char big[1u << 31] = {1};\n"), "compile",
                NOTHING),
        Student("includes itself", before("#include __FILE__\n"), "compile", NOTHING),
        Student("says html", "#error <script>alert(2)</script> \x1b]0;& ]]>\n", "compile", NOTHING),
        Student("link", lambda file: file.symlink_to("/etc/passwd"), "missing", NOTHING),
        Student("pipe", os.mkfifo, "missing", NOTHING),
        Student("folder", lambda file: file.mkdir(), "missing", NOTHING),
        Student("gigabyte", gigabyte, "missing", NOTHING),
        Student("empty", "", "missing", NOTHING),
        Student("nothing", None, "missing", NOTHING),
        Student("other name", lambda file: file.with_name("Histogram.cu").write_text(solution),
                "missing", NOTHING),
    ]


def gigabyte(file):
    with open(file, "wb") as handle:
        handle.truncate(1 << 30)


def hand_in(everybody, folder, file):
    """Lays the files of all into a folder."""
    for student in everybody:
        place = Path(folder, student.name)
        place.mkdir(parents=True)
        if callable(student.source):
            student.source(place / file)
        elif student.source is not None:
            (place / file).write_text(student.source)


class Class:
    """A class in a folder of its own, which is graded by what the command runs in the end."""

    def __init__(self, folder, stem):
        self.folder = Path(folder)
        self.handed_in, self.report = self.folder / "handed in", self.folder / "report ö"
        self.kit = f"{course.BUILD}/grading-5/kit-{course.number(stem)}"
        subprocess.run([course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk",
                        f"CC={course.CC}", f"CXX={course.CXX}", "KIND=chapter", "BINS=5",
                        f"STEMS={stem}", self.kit], check=True, capture_output=True,
                       env=course.environment())

    def command(self, jobs="2"):
        return [sys.executable, "-B", "common/grading/grade.py", self.kit, jobs]

    def environment(self, **settings):
        return course.environment(**{
            "SUBMISSIONS": str(self.handed_in), "REPORT": str(self.report), "EXTRA": "",
            "POINTS": "", "JUDGE_SECONDS": PATIENCE, **settings})

    def grade(self, **settings):
        """Status, and all that is said."""
        run = subprocess.run(self.command(), text=True, errors="replace", timeout=LIMIT,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env=self.environment(**settings))
        return run.returncode, run.stdout

    def judged(self, said):
        """How many texts a run has judged."""
        found = re.search(r"^(\d+) texts? judged", said, re.MULTILINE)
        return int(found[1]) if found else said.strip()

    def rows(self):
        with open(self.report / "grades.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
