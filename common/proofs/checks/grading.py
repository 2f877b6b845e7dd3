"""grading.py - proves that a class gets the points that it has earned, whatever it hands in.

A class of good, wrong and hostile submissions is graded, once more, after a change,
and after it was broken off; the files of the report are read as their readers do. Chapters of other
contracts, and commands that make no sense, are in tests/transcripts/copies/grading.txt, and the
autograder is in autograder.txt there.
"""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from collections import namedtuple
from pathlib import Path

import build
import course
from html_pages import Elements
from proof import Proof

# name of the folder; what is in it; the kind of finding; points for right, no report, technique
Student = namedtuple("Student", "name source kind points")
PATIENCE = "3"    # seconds that a kernel may take: JUDGE_SECONDS
LIMIT = 900       # seconds for a run
FULL, NOTHING = (2, 1, 2), (0, 0, 0)
NAMES = ("Ada Lovelace_12345_assignsubmission_file_", "-rf", "=cmd|' C calc'!A0",
         "<script>alert(1)<b>", "new\nline", "\"Zoë & O'Neil\"", "a..b", "index.html")
ITEMS = ("right", "no-report", "technique")
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
# The fields of results.json and their types, as Gradescope documents them.
FIELDS = {"score": (int, float), "execution_time": int, "output": str, "output_format": str,
          "visibility": str, "stdout_visibility": str, "tests": list, "leaderboard": list}
FIELDS_OF_TEST = {"name": str, "number": str, "score": (int, float), "max_score": (int, float),
                  "status": str, "output": str, "output_format": str, "visibility": str}


def chapters():
    """The chapter that is graded, and another before it: the first two with the mistakes needed."""
    with_mistake = [Path(path).parent.name for path in course.files(
        "tests/mutants/*/block_0_not_committed.patch")]
    naive = [Path(path).parent.name for path in course.files("tests/mutants/*/int_index.patch")]
    stem = [one for one in with_mistake if Path("tests/mutants", one, "not_zeroed.patch").exists()
            and list(Path("tests/cheats", one).glob("*for_show.*"))][-1]
    return stem, naive[0]


def check(lines, name, right, what=""):
    lines.append(f"ok grading: {name}" if right else f"FAIL grading: {name}: {what}")


# The class.

def kernel_of(stem, folder="solutions"):
    return Path(course.source(folder, stem)).read_text()


def text_of(path, folder):
    """The text of a file, or what a patch makes of the solution."""
    return Path(build.kernel_of(path, folder)).read_text()


def mutant(stem, name, folder):
    """A solution with a planted mistake."""
    return text_of(f"tests/mutants/{stem}/{name}.patch", folder)


def a_class(stem, other, folder):
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

    def judged(self, output):
        """How many texts a run has judged."""
        found = re.search(r"^(\d+) texts? judged", output, re.MULTILINE)
        return int(found[1]) if found else output.strip()

    def rows(self):
        with open(self.report / "grades.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


# Points.

def prove_points(stem, students, graded, lines):
    """Everybody has the points expected, and the kind."""
    status, output = graded.grade()
    check(lines, "a class is graded", status == 0, output)
    number = course.number(stem)
    rows = {row["name"].lstrip("'"): row for row in graded.rows()}
    for student in students:
        name = student.name.replace("\n", "\N{REPLACEMENT CHARACTER}")
        row = rows.pop(name, None)
        if not row:
            lines.append(f"FAIL grading: {name!r}: is not in grades.csv")
            continue
        points = tuple(float(row[f"{number} {item}"]) for item in ITEMS)
        found = (row[f"{number} found"], points if student.points is not None else None)
        expected = student.kind, student.points
        check(lines, f"{name}: {student.kind}", found == expected,
              f"{found} instead of {expected}: {row[f'{number} says']}")
        if student.kind == "report":
            check(lines, f"{name}: a report costs a point", not points[1], points)
    check(lines, "nobody else is graded", not rows, sorted(rows))


# The formats.

def prove_formats(graded, students, lines):
    wrong = [f"{path.parent.name}: {what}" for path in sorted(graded.report.glob("*/results.json"))
             for what in faults_of_results(json.loads(path.read_text(encoding="utf-8")))]
    check(lines, "results.json is as Gradescope documents it", not wrong, wrong[:3])
    count = len(list(graded.report.glob("*/results.json")))
    check(lines, "there is a results.json for everybody", count == len(students), count)
    faults = faults_of_junit(xml.parse(graded.report / "junit.xml").getroot(), len(students))
    check(lines, "junit.xml counts what it holds", not faults, faults)
    cells = [cell for row in graded.rows() for cell in row.values()]
    check(lines, "no cell of grades.csv is a formula",
          not any(re.match(r"[=+@]|-\D", cell) for cell in cells), cells)
    pages = [graded.report / "index.html", *graded.report.glob("*/index.html")]
    wrong = [f"{page}: {what}" for page in pages for what in faults_of_page(page.read_text())]
    check(lines, "the pages are well-formed, escaped, and ask no other host", not wrong, wrong[:3])


def faults_of_results(results):
    faults = [f"{name} is missing or of another type" for name, kind in FIELDS.items()
              if name != "leaderboard" and not isinstance(results.get(name), kind)]
    faults += [f"there is no field {name}" for name in set(results) - set(FIELDS)]
    for test in results["tests"]:
        faults += [f"a test's {name}" for name, kind in FIELDS_OF_TEST.items()
                   if not isinstance(test.get(name), kind)]
        faults += [] if test["visibility"] in VISIBILITIES else ["a visibility"]
        faults += [] if test["status"] in ("passed", "failed") else ["a status"]
    for line in results.get("leaderboard", []):
        faults += [] if set(line) == {"name", "value", "order"} else ["a line of the leaderboard"]
    if results["score"] != sum(test["score"] for test in results["tests"]):
        faults.append("the score is not the sum of the tests")
    if results["score"] == 5 and not results.get("leaderboard"):
        faults.append("a full score has no leaderboard")
    return faults


def faults_of_junit(root, students):
    faults = [] if root.tag == "testsuites" and len(root) == students else ["the suites"]
    for suite in root:
        failed = suite.findall("testcase/failure")
        if (suite.tag, int(suite.get("tests")), int(suite.get("failures"))) != \
                ("testsuite", len(suite.findall("testcase")), len(failed)):
            faults.append(f"the numbers of {suite.get('name')}")
        faults += [f"a case of {suite.get('name')} lacks an attribute" for case in suite
                   if not all(case.get(name) for name in ("name", "classname", "time"))]
    if int(root.get("failures")) != len(root.findall("testsuite/testcase/failure")):
        faults.append("the sum of failures")
    return faults


def faults_of_page(text):
    """Tags that are not closed, and what a page would fetch or run."""
    page = Elements(text)
    return page.wrong + [f"<{tag}>" for tag, _ in page.found if tag in ("script", "link", "img", "iframe")] + [
        f"{name}={value}" for _, attributes in page.found for name, value in attributes.items()
        if name.startswith("on") or (name in ("src", "href") and ":" in value)]


# What is judged again, and what is not.

def prove_again(stem, graded, lines):
    before = (graded.report / "grades.csv").read_text()
    status, output = graded.grade()
    check(lines, "a second run judges nothing", (status, graded.judged(output)) == (0, 0), output)
    check(lines, "and says the same", (graded.report / "grades.csv").read_text() == before)
    file = Path(course.source("chapters", stem)).name
    (graded.handed_in / "stub" / file).write_text("#error handed in again\n")
    status, output = graded.grade()
    check(lines, "only what has changed is judged", graded.judged(output) == 1, output)
    points = graded.folder / "points"
    points.write_text("right 10\ntechnique 0.5 hidden # a comment\n")
    status, output = graded.grade(POINTS=str(points))
    row = {row["name"]: row for row in graded.rows()}["naive"]
    check(lines, "other weights need no verdict", (graded.judged(output), row["points"], row["of"])
          == (0, "10", "10.5"), f"{output} {row}")
    page = (graded.report / "naive" / "index.html").read_text()
    check(lines, "a student's page has what is visible", "10 of 10 points" in page, page)


def prove_broken_off(stem, graded, lines):
    """After Ctrl-C what was judged is kept."""
    graded.report = graded.folder / "broken off"
    process = subprocess.Popen(graded.command("1"), text=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, env=graded.environment(),
                               # What a shell starts in the background ignores it.
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    kept = graded.report / ".judged"
    wait_for(lambda: len(list(kept.glob("*.json"))) >= 2)
    process.send_signal(signal.SIGINT)
    _, output = process.communicate(timeout=LIMIT)
    check(lines, "Ctrl-C ends a run with one line", process.returncode == 1
          and output.strip().count("\n") == 0 and "broken off" in output, output)
    check(lines, "and leaves nothing behind", not leftovers(), leftovers())
    written = [path.parent.name for path in graded.report.glob("*/index.html")]
    for path in graded.handed_in.iterdir():  # the rest is a short class
        if path.name not in ("naive", "stub", "does not compile", *NAMES):
            subprocess.run(["rm", "-r", "--", str(path)], check=True)
    rest = {path.name for path in graded.handed_in.iterdir()} - set(written)
    status, output = graded.grade()
    # One more may be known, whose page was not written yet.
    check(lines, "the next run goes on from there", written and status == 0 and
          graded.judged(output) in (len(rest), len(rest) - 1), f"{written} were written: {output}")


def wait_for(condition):
    until = time.monotonic() + LIMIT
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)


def leftovers():
    return sorted(path.name for path in Path("build/grading").glob("*")) \
        if Path("build/grading").is_dir() else []


# A lecturer's own texts, and a machine without bubblewrap.

def a_text_in(folder):
    extra = folder / "extra"
    extra.mkdir()
    (extra / "a text.txt").write_text("a kernel that knows this text" * 9)
    (extra / "seeds").write_text("3 # one schedule\n")
    return extra


def prove_extra(graded, lines):
    status, output = graded.grade(EXTRA=str(a_text_in(graded.folder)))
    rows = {row["name"]: row for row in graded.rows()}
    found = {name: next(value for key, value in rows[name].items() if key.endswith("extra"))
             for name in ("naive", "does not compile")}
    check(lines, "a lecturer's own texts have points of their own",
          (status, found) == (0, {"naive": "1", "does not compile": "0"}), f"{output} {found}")
    page = (graded.report / "naive" / "index.html").read_text()
    check(lines, "which a student's page does not tell", "a text.txt" not in page
          and "shown later" in page, page)


def prove_limits(graded, lines):
    before = (graded.report / "grades.csv").read_text()
    graded.report = graded.folder / "limits"
    status, output = graded.grade(GRADE_SANDBOX="limits", JUDGE_SANDBOX="filter")
    check(lines, "without bubblewrap the points are the same, and it is said", status == 0
          and "limits" in output and results_in(graded) == results_of(before), output)


def results_of(text):
    rows = list(csv.DictReader(text.splitlines()))
    return [(row["name"], value) for row in rows for key, value in row.items()
            if key.endswith("found")]


def results_in(graded):
    return results_of((graded.report / "grades.csv").read_text())


ISOLATED = """
import sys
sys.path.insert(0, "common/grading")
from isolation import Isolation, NotIsolated, Task
isolation = Isolation()
try:
    ended = isolation.run(Task(["true"], sys.argv[1], shown=("/not/there",)))
    print("limits" if isolation.how == "limits" else "it ran")
except NotIsolated as error:
    print(error.filename, error.strerror)
"""


def prove_isolation(folder, lines):
    """What bubblewrap cannot do is no fault of a submission."""
    run = subprocess.run([sys.executable, "-B", "-c", ISOLATED, folder], text=True,
                         capture_output=True)
    check(lines, "a machine that cannot isolate ends the run, and costs nobody points",
          run.stdout.startswith(("bubblewrap bwrap: ", "limits")), run.stdout + run.stderr)


def prove_class():
    stem, other = chapters()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        graded = Class(Path(folder, "class"), stem)
        graded.handed_in.mkdir(parents=True)
        students = a_class(stem, other, folder)
        hand_in(students, graded.handed_in, Path(course.source("chapters", stem)).name)
        prove_points(stem, students, graded, lines)
        prove_formats(graded, students, lines)
        prove_again(stem, graded, lines)
        prove_broken_off(stem, graded, lines)
        prove_extra(graded, lines)
        prove_limits(graded, lines)
        prove_isolation(folder, lines)
    return lines


def proofs():
    stem, other = chapters()
    reads = course.files("common/grading/*", "common/make/*", "tests/given/*", f"tests/mutants/{stem}/*", f"tests/cheats/{stem}/*",
                         f"tests/right/{stem}/*", f"chapters/{stem}/*",
                         *(f"solutions/{one}/*" for one in (stem, other)))
    made = tuple(target for one in (stem, other)
                 for target in build.judged("solution", 5, f"{course.BUILD}/solution-5/{one}"))
    return [Proof("grading", "class", prove_class, reads=tuple(reads), builds=made, guess=60)]
