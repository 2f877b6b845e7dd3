"""class_graded.py - a class in a folder of its own, and what grades it, for the proofs of grading."""
import csv
import re
import subprocess
import sys
from pathlib import Path

import course

PATIENCE = "3"    # seconds that a kernel may take: JUDGE_SECONDS
LIMIT = 900       # seconds for a run


class Class:
    """A class in a folder of its own, which is graded by what the command runs in the end."""

    def __init__(self, folder, stem):
        self.folder = Path(folder)
        self.handed_in, self.report = self.folder / "handed in", self.folder / "report ö"
        self.kit = f"{course.BUILD}/grading-5/kit-{course.number(stem)}"
        subprocess.run([course.MAKE, "-s", "--no-print-directory", "-f", "common/make/grading.mk",
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
