"""grade.py - judges what a class handed in, and writes what comes of it: make chapterN grade.

    grade.py KIT... [JOBS]       KIT is what make has built to judge with (kit.py)

The environment says the rest: SUBMISSIONS and REPORT, folders; POINTS, a file of weights; EXTRA, a
folder with texts of the lecturer's own, and in its file `seeds` the schedules to run them on; DRAW,
the number from which inputs are drawn; LATE and TIMES, files of dates (late.py). Findings are kept in REPORT/.judged, by a hash of the text
and of all that decides: a second run judges only what is missing or has changed, and Ctrl-C loses
nothing. Status 0 when all are judged, whatever their points; 1 when a run was broken off; 2 with one
line when the command makes no sense.
"""
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import alike
import extra_texts
import formats
import judging
import late
import submissions
import webpages
from isolation import WORDS, Isolation
from judging import Judge
from remembered import Remembered, write
from kit import Kit
from points import Graded, Wrong, items_of, most, number

RESERVED = ("grades.csv", "counted.csv", "junit.xml", "index.html", "alike.html")


def folder_named(variable, example):
    path = os.environ.get(variable, "")
    if not path:
        raise Wrong(f"{variable}= names no folder: make chapterN grade {example}")
    return path


def folders():
    """SUBMISSIONS and REPORT; REPORT exists and can be written."""
    example = "SUBMISSIONS=dir REPORT=dir"
    handed_in = folder_named("SUBMISSIONS", example)
    report = folder_named("REPORT", example)
    if not os.path.isdir(handed_in):
        what = "is no folder" if os.path.exists(handed_in) else "there is no such folder"
        raise Wrong(f"SUBMISSIONS={handed_in}: {what}")
    inner, outer = os.path.realpath(report), os.path.realpath(handed_in)
    if inner == outer or inner.startswith(outer + "/"):
        raise Wrong(f"REPORT={report}: lies in SUBMISSIONS, where it would be taken for one; "
                    "choose a folder beside it")
    if outer.startswith(inner + "/"):
        raise Wrong(f"SUBMISSIONS={handed_in}: lies in REPORT, which could write over it; "
                    "choose a folder beside it")
    try:
        os.makedirs(os.path.join(report, ".judged"), exist_ok=True)
        trial = Path(report, ".judged", "trial")
        write(trial, "")
        trial.unlink()
    except OSError as error:
        raise Wrong(f"REPORT={report}: cannot be written: {error.strerror}")
    return handed_in, report


def everybody_in(handed_in, chapters):
    """[(Graded without findings, path)]."""
    try:
        found = submissions.names_in(handed_in, chapters)
    except OSError as error:
        raise Wrong(f"SUBMISSIONS={handed_in}: {error.strerror}")
    if not found:
        raise Wrong(f"SUBMISSIONS={handed_in}: nobody has handed in anything: it has no folders "
                    f"NAME/{'/'.join(submissions.places('', chapters[0], len(chapters) == 1)[0])}")
    names = {name for name, _ in found}
    return [(Graded(name, place_of(name, names)), path) for name, path in found]


def place_of(name, names):
    """The folder of a submission in the report: its name, unless a file of the report has it."""
    while name in RESERVED or (name.endswith("_") and name.rstrip("_") in RESERVED
                               and name in names):
        name += "_"
    return name


class Run:
    """One command: what it judges with, and where results go."""

    def __init__(self, kit, jobs):
        self.kit, self.jobs = kit, jobs
        self.handed_in, report = folders()
        self.report = Path(report)
        self.extra = extra_texts.extra_in(os.environ.get("EXTRA", ""))
        if self.extra and not any(chapter.extra for chapter in kit.chapters):
            raise Wrong("EXTRA: is for chapters that count a text on one device, and none of these does")
        self.items = items_of(os.environ.get("POINTS") or
                              kit.root / "common" / "grading" / "points", bool(self.extra))
        self.everybody = everybody_in(self.handed_in, kit.chapters)
        self.late = self.dates()
        self.kept = Remembered(self.report / ".judged")
        self.isolation = Isolation()
        self.settings = self.settings_of_judge()
        self.how = WORDS[self.isolation.how]
        self.judge = Judge(kit, self.isolation, self.settings, self.extra)
        self.versions = {chapter.stem: kit.hash_of(chapter) for chapter in kit.chapters}
        self.judged, self.texts = 0, {}
        self.students = []  # of LATE, each with the tries that count

    def dates(self):
        """What LATE and TIMES say; None when the lecturer has no dates."""
        policy, times = os.environ.get("LATE"), os.environ.get("TIMES")
        if not policy:
            if times:
                raise Wrong("TIMES: has the dates of submissions, and LATE= names no file that says what is late")
            return None
        known = {int(path.name[:2]) for path in (self.kit.root / "chapters").glob("[0-9][0-9]_*")}
        return late.Late(policy, times, [graded.name for graded, _ in self.everybody], self.kit.chapters, known)

    def settings_of_judge(self):
        """The same draw and seeds for everybody, and in each run of this report."""
        settings = {"DRAW": os.environ.get("DRAW") or self.kept.draw(),
                    "SIM_SEED": os.environ.get("SIM_SEED") or "1"}
        for name in "JUDGE_SECONDS", "KEY_BINS":
            if os.environ.get(name):
                settings[name] = os.environ[name]
        inside = {"bwrap": "bwrap", "outside": "filter"}.get(self.isolation.how)
        return {**settings, **({"JUDGE_SANDBOX": inside} if inside else {})}

    def key(self, chapter, source):
        return self.kept.key(chapter.stem, source.text, self.versions[chapter.stem],
                             self.settings, self.extra and self.extra.hash)

    def go(self):
        """Judges what is not known, each text once; writes pages as soon as they are complete."""
        waiting, users = {}, {}
        for graded, path in self.everybody:
            again = self.kept.is_to_be_judged_anew(graded.place)
            for chapter in self.kit.chapters:
                self.take(graded, path, chapter, again, waiting, users)
        for graded, _ in self.everybody:
            self.write_if_complete(graded)
        self.judge_all(waiting, users)

    def take(self, graded, path, chapter, again, waiting, users):
        """Takes what is known of a submission in a chapter, or puts it into the queue."""
        source = submissions.source_of(path, chapter, len(self.kit.chapters) == 1)
        if source.refused:
            graded.findings[chapter.stem] = vars(judging.missing(source.refused))
            return
        if self.late:
            self.late.note(graded.name, chapter.stem, source.seconds)
        self.texts.setdefault(chapter.stem, {})[graded.name] = source.text.decode(errors="replace")
        key = self.key(chapter, source)
        found = None if again else self.kept.read(key)
        if found and key not in waiting:
            graded.findings[chapter.stem] = found
            return
        waiting[key] = (chapter, source.text)
        users.setdefault(key, []).append((graded, chapter.stem))

    def judge_all(self, waiting, users):
        progress = Progress(len(waiting))
        with ThreadPoolExecutor(self.jobs) as pool:
            begun = {pool.submit(self.judge.finding, *work): key
                     for key, work in waiting.items()}
            try:
                for done in as_completed(begun):
                    self.note(begun[done], done.result(), users)
                    progress.step()
            except BaseException:
                self.isolation.stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
            finally:
                progress.end()

    def note(self, key, found, users):
        self.kept.write(key, found)
        self.judged += 1
        for graded, stem in users[key]:
            graded.findings[stem] = found
            self.write_if_complete(graded)

    def write_if_complete(self, graded):
        if len(graded.findings) < len(self.kit.chapters):
            return
        folder = self.report / graded.place
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / "results.json",
              formats.results_json(graded, self.kit.chapters, self.items, self.how))
        write(folder / "index.html",
              webpages.student_page(graded, self.kit.chapters, self.items, self.late))
        self.kept.note_written(graded.place)

    def write_of_class(self):
        """The files about all whose results are complete."""
        complete = [graded for graded, _ in self.everybody
                    if len(graded.findings) == len(self.kit.chapters)]
        if not complete:
            return complete
        chapters = self.kit.chapters
        write(self.report / "junit.xml", formats.junit_xml(complete, chapters, self.items))
        write(self.report / "index.html",
              webpages.class_page(complete, chapters, self.items, self.how, self.late))
        write(self.report / "alike.html", alike.alike_page(self.texts, chapters, self.kit.root, self.kit.verdict[0]))
        write(self.report / "grades.csv", formats.grades_csv(complete, chapters, self.items))
        if self.late:
            self.students = self.late.students(complete, self.items)
            write(self.report / "counted.csv",
                  formats.counted_csv(self.students, chapters, most(self.items, chapters)))
        return complete


class Progress:
    """How far it is, on a terminal."""

    def __init__(self, total):
        self.total, self.done, self.begun = total, 0, time.monotonic()
        self.shown = sys.stderr.isatty() and total > 0

    def step(self):
        self.done += 1
        if self.shown:
            left = (time.monotonic() - self.begun) / self.done * (self.total - self.done)
            print(f"\r{self.done} of {self.total} verdicts, {minutes(left)} left \x1b[K",
                  end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def counted(count, what):
    return f"{count:,} {what}" + "s" * (count != 1)


def minutes(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def tell(run, complete, seconds):
    chapters = run.kit.chapters
    best = most(run.items, chapters)
    mean = sum(graded.points(run.items, chapters) for graded in complete) / len(complete)
    weights = ", ".join(f"{item.name} {number(item.weight)}" for item in run.items)
    print(f"mean {mean:.2f} of {best} points; a chapter has {weights}")
    if run.late:
        print(dates_summary(run.students, run.report))
    print(f"{counted(run.judged, 'text')} judged in {minutes(seconds)}, {run.jobs} at a time; the "
          "others were known")
    print(f"see {run.report}/index.html, grades.csv, junit.xml, NAME/index.html, "
          "NAME/results.json")


def dates_summary(students, report):
    before, after = (sum(late.total(tries, what) for _, tries in students) / len(students)
                     for what in ("before", "after"))
    return (f"by dates {before:.2f} points become {after:.2f} in the mean of {counted(len(students), 'student')}: "
            f"{report}/counted.csv")


def break_off(*_):
    raise KeyboardInterrupt


def main(arguments):
    signal.signal(signal.SIGTERM, break_off)
    signal.signal(signal.SIGHUP, break_off)
    *kits, jobs = arguments if arguments[-1].isdigit() else (*arguments, "0")
    kit = Kit(kits, Path.cwd())
    begun = time.monotonic()
    run = Run(kit, int(jobs) or len(os.sched_getaffinity(0)))
    with run.kept.locked():
        print(f"{counted(len(run.everybody), 'submission')}, judged {run.how}", flush=True)
        try:
            run.go()
        except KeyboardInterrupt:
            run.write_of_class()
            print(f"\ngrade: broken off; {run.judged} new verdicts are kept, and the same command "
                  "goes on from there", file=sys.stderr)
            return 1
        tell(run, run.write_of_class(), time.monotonic() - begun)
    return 0


def guarded(arguments):
    try:
        return main(arguments)
    except Wrong as error:
        print(f"grade: {error}", file=sys.stderr)
    except OSError as error:
        print(f"grade: {error.filename or 'the report'}: {error.strerror}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(guarded(sys.argv[1:]))
