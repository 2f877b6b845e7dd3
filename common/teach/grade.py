"""grade.py - judges what a class handed in, and writes what comes of it: make chapter5 grade SUBMISSIONS=dir REPORT=dir.

    grade.py STEM...       in the root of the course; make has built what judges

The environment says the rest: BUILD; SUBMISSIONS and REPORT, folders; POINTS, a file of weights; EXTRA, a folder with
texts of the lecturer's own; DRAW, the number from which inputs are drawn; BINS, OPERATION and SEED. Findings are kept in
REPORT/.judged, by a hash of the text and of all that decides: a second run judges only what is missing or has changed,
and Ctrl-C loses nothing. Status 0 when all are judged, whatever their points; 1 when a run was broken off; 2 with one
line when the command makes no sense.
"""
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

sys.dont_write_bytecode = True

import alike  # noqa: E402
import submissions  # noqa: E402
from gradebook import Gradebook, one_line  # noqa: E402
from judging import Judge, finding  # noqa: E402
from points import USUAL, Wrong, extra_in, items_in, number  # noqa: E402

ROOM = Path(__file__).parent
WORDS = ("BINS", "OPERATION", "SEED")  # settings of make that choose what is judged
ALIKE = """Submissions that share at least 60% of what neither the stub nor many others have. Names, numbers, comments and
blanks make no difference. That proves nothing: a gap of few lines leaves little choice. Read both (docs/grading.md).

"""


def folders():
    """SUBMISSIONS and REPORT; REPORT exists and can be written, and neither lies in the other."""
    handed_in, report = (os.environ.get(name, "") for name in ("SUBMISSIONS", "REPORT"))
    if not handed_in or not report:
        raise Wrong("make chapter5 grade SUBMISSIONS=dir REPORT=dir: both have to name a folder")
    if not os.path.isdir(handed_in):
        raise Wrong(f"SUBMISSIONS={handed_in}: there is no such folder")
    inner, outer = (Path(path).resolve() for path in (report, handed_in))
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise Wrong(f"REPORT={report}: one of it and SUBMISSIONS lies in the other; choose folders beside each other")
    try:
        Path(report, ".judged").mkdir(parents=True, exist_ok=True)
        Path(report, ".judged", "trial").write_text("")
    except OSError as error:
        raise Wrong(f"REPORT={report}: cannot be written: {error.strerror}") from None
    return handed_in, Path(report)


def environment(report):
    """What a verdict is told: the same draw for everybody, and in each run of this report."""
    kept = report / ".judged" / "draw"
    if not kept.exists():
        kept.write_text(os.environ.get("DRAW") or str(1 + secrets.randbelow(65535)))
    names = ("PATH", "HOME", "LANG", "CC", "CXX", "SIM_CFLAGS", "JUDGE_SECONDS", "JUDGE_SANDBOX", "TMPDIR")
    return {**{name: os.environ[name] for name in names if os.environ.get(name)}, "LOCKED": "by grade",
            "DRAW": os.environ.get("DRAW") or kept.read_text()}


class Run:
    """One command: what it judges with, and where results go."""

    def __init__(self, stems):
        self.stems, self.build = stems, os.environ.get("BUILD", "build/sim-gcc")
        handed_in, self.report = folders()
        self.extra = extra_in(os.environ.get("EXTRA", ""))
        self.items = items_in(os.environ.get("POINTS") or USUAL, bool(self.extra))
        self.students = submissions.students_in(handed_in)
        if not self.students:
            raise Wrong(f"SUBMISSIONS={handed_in}: nobody has handed in anything: it has no folders NAME/{self.file(stems[0])}")
        self.settings = {name: os.environ[name] for name in WORDS if os.environ.get(name)}
        self.environment = environment(self.report)
        self.judge = Judge(self.build, self.settings, self.environment, self.given())
        self.texts = {stem: {} for stem in stems}
        self.findings = {student: {} for student in self.students}

    def file(self, stem):
        """histogram.cu: how a chapter's file is called."""
        return next(path.name for path in sorted(Path("chapters", stem).glob("*.c*")) if path.is_file())

    def given(self):
        """The lecturer's texts in a folder of their own, without those that are empty."""
        if not self.extra:
            return None
        folder = Path("build/given")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in self.extra.texts:
            shutil.copy(path, folder)
        return self.extra._replace(folder=str(folder))

    def version(self, stem):
        """Changes with all that a verdict depends on, but for the text."""
        whole = hashlib.sha256(repr([self.settings, self.environment["DRAW"], self.extra and self.extra.seeds]).encode())
        texts = self.extra.texts if self.extra else []
        for path in (f"{self.build}/suites/{stem}", f"{self.build}/tools/ladder", f"{self.build}/libsim.a",
                     ROOM / "judging.py", *sorted(Path(self.build, "common").glob("judge-*.a")), *texts):
            whole.update(hashlib.sha256(Path(path).read_bytes()).digest())
        return whole.hexdigest()

    def go(self, jobs):
        """Judges what is not known, each text once. Returns how many those were."""
        waiting, users = {}, {}
        for stem in self.stems:
            version = self.version(stem)
            for student in self.students:
                source = submissions.source_of(student, stem, self.file(stem), len(self.stems) == 1)
                if source.refused:
                    self.findings[student][stem] = finding("missing", source.refused)
                    continue
                self.texts[stem][student.name] = source.text.decode(errors="replace")
                key = hashlib.sha256(version.encode() + source.text).hexdigest()
                users.setdefault(key, []).append((student, stem, source.told))
                waiting[key] = (stem, self.file(stem), source.text)
        unknown = {key: work for key, work in waiting.items() if not self.note(key, users)}
        with ThreadPoolExecutor(jobs) as pool:
            begun = {pool.submit(self.judge.judged, *work): key for key, work in unknown.items()}
            try:
                for done, future in enumerate(as_completed(begun), 1):
                    (self.report / ".judged" / f"{begun[future]}.json").write_text(json.dumps(future.result()))
                    self.note(begun[future], users)
                    if sys.stderr.isatty():  # a line that is gone at the end
                        print(f"\r\x1b[K{done} of {len(unknown)}" if done < len(unknown) else "\r\x1b[K", end="",
                              file=sys.stderr, flush=True)
            except BaseException:
                self.judge.end()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return len(unknown)

    def note(self, key, users):
        """Gives a finding that is known to all who handed in this text. Returns whether it is known."""
        try:
            found = json.loads((self.report / ".judged" / f"{key}.json").read_text())
        except (OSError, ValueError):
            return False
        for student, stem, told in users[key]:
            self.findings[student][stem] = {**found, "told": told}
        return True

    def write(self):
        """The files of the report."""
        book = Gradebook(self.stems, self.items, self.findings)
        texts = {"grades.csv": book.grades_csv(), "class.txt": book.class_txt(), "alike.txt": ALIKE + self.alike()}
        for lms in ("moodle", "canvas"):
            if any(student.lms == lms for student in self.students):
                texts[f"{lms}.csv"] = getattr(book, f"{lms}_csv")()
        for student in self.students:
            place = re.sub(r"[/\\]", "_", one_line(student.name)) + (f"_{student.number}" if student.number else "")
            place += "_" * (f"{place}.txt" in texts)
            texts[f"{place}.txt"] = book.student_txt(student)
            texts[f"{place}.json"] = book.results_json(student)
        for name, text in texts.items():
            (self.report / name).write_bytes(text.encode("utf-8", "replace"))
        return book

    def alike(self):
        lines = []
        for stem in self.stems:
            stub = Path("chapters", stem, self.file(stem)).read_text(errors="replace")
            lines += alike.told(int(stem[:2]), {one_line(name): text for name, text in self.texts[stem].items()}, stub)
        return "\n".join(lines or ["None."]) + "\n"


def break_off(*_):
    raise KeyboardInterrupt


def main(stems):
    for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(name, break_off)
    try:
        run = Run(stems)
        for path in run.extra.skipped if run.extra else ():
            print(f"{path}: is empty, and skipped, for every verdict has an empty text")
        print(f"{len(run.students):,} submissions", flush=True)
        judged = run.go(len(os.sched_getaffinity(0)))
        book = run.write()
    except Wrong as error:
        print(f"grade: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"grade: {error.filename or 'the report'}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ngrade: broken off; what was judged is kept, and the same command goes on from there", file=sys.stderr)
        return 1
    mean = sum(map(book.points, run.students)) / len(run.students)
    weights = ", ".join(f"{item.name} {number(item.weight)}" for item in run.items)
    print(f"mean {mean:.2f} of {book.most()} points; a chapter has {weights}")
    print(f"{judged:,} texts judged; each other one is the same as one of these, or known from an earlier run")
    print(f"see {run.report}/grades.csv, class.txt, alike.txt, and NAME.txt for each student")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
