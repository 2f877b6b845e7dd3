"""late.py - when a submission was handed in, which of a student's tries counts, and what lateness costs.

LATE is a CSV file of the lecturer's, with a row for each chapter; * is every chapter without one:

    chapter,due,cutoff,percent,tries
    *,2026-11-02 18:00,2026-11-09,10,best
    21,2026-11-16,2026-11-16,0,last

Each day that has begun after `due` takes `percent` of the points earned. What comes after `cutoff` does not count.
Of a student's tries the `best` counts, after lateness, or the `last`. A day without a time is until its end.

TIMES is a CSV file that says who handed in what, and when; it names all submissions:

    submission,student,time
    ada-2,ada,2026-11-04 09:00

Without it each submission is a student's only one, and each of its files has the time that the file system says.
A date without an offset is of this machine's time zone (TZ).
"""
import csv
import io
import math
import os
import stat
from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone

from points import Wrong, number, points_of, printable

MOST_BYTES = 1 << 22  # of a CSV file
POLICY = ("chapter", "due", "cutoff", "percent", "tries")
TIMES = ("submission", "student", "time")
DAY = timedelta(days=1)
LATEST = 4_102_444_800  # 2100: whoever sets the time of a file may set it to what no calendar has


@dataclass(frozen=True)
class Rule:
    """What lateness costs in a chapter."""
    due: datetime
    cutoff: datetime
    percent: float  # of the points earned, a day
    tries: str      # best or last

    def days(self, when):
        """How many days have begun since it was due."""
        return max(0, math.ceil((when - self.due) / DAY))

    def part(self, when):
        """The part of its points that a try keeps, from 0 to 1; None when it came too late to count."""
        return None if when > self.cutoff else max(0.0, 1 - self.days(when) * self.percent / 100)


@dataclass(frozen=True)
class Try:
    """One submission in one chapter."""
    name: str
    when: datetime
    days: int      # late
    before: float  # points earned
    after: float   # points that count
    counts: bool   # came before the cutoff


# The files, which anybody may have written.

def rows_of(path, variable, heads):
    """[(where, {head: cell})] of a CSV file with these columns, and no other."""
    try:
        table = csv.reader(io.StringIO(text_of(path)), strict=True)
        rows = [(f"{variable}={path}:{table.line_num}", [cell.strip() for cell in row]) for row in table]
    except UnicodeDecodeError:
        raise Wrong(f"{variable}={path}: is no text in UTF-8")
    except csv.Error as error:
        raise Wrong(f"{variable}={path}:{table.line_num}: is no row of a CSV file: {error}")
    except OSError as error:
        raise Wrong(f"{variable}={path}: {error.strerror}")
    rows = [(where, row) for where, row in rows if any(row)]
    wanted = ",".join(heads)
    if not rows or tuple(rows[0][1]) != heads:
        raise Wrong(f"{variable}={path}:1: the first row is not {wanted}")
    for where, row in rows[1:]:
        if len(row) != len(heads):
            raise Wrong(f"{where}: has {len(row)} cells; a row is {wanted}")
    return [(where, dict(zip(heads, row))) for where, row in rows[1:]]


def text_of(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe would wait for ever
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "is no plain file")
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise OSError(0, f"has more than {MOST_BYTES:,} bytes")
    return text.decode("utf-8-sig")  # spreadsheets write a mark at the begin


def date_of(cell, where, what, end_of_day=False):
    """The time of a cell, with its offset. With `end_of_day` a day without a time is one, too."""
    try:
        when = datetime.fromisoformat(cell)
        if len(cell) <= len("2026-11-02"):
            if not end_of_day:
                raise ValueError
            when = datetime.combine(when, time.max)
        return when.astimezone()
    except (ValueError, OverflowError, OSError):
        hour = "" if end_of_day else ", with an hour"
        raise Wrong(f"{where}: '{shown(cell)}' is no date for {what}{hour}: 2026-11-02 18:00 is one")


def shown(cell):
    cell = printable(cell)
    return cell if len(cell) <= 40 else cell[:40] + "..."


def rule_of(row, where):
    due = date_of(row["due"], where, "due", end_of_day=True)
    cutoff = date_of(row["cutoff"], where, "cutoff", end_of_day=True)
    if cutoff < due:
        raise Wrong(f"{where}: cutoff is before due")
    try:
        percent = float(row["percent"])
    except ValueError:
        percent = math.nan
    if not 0 <= percent <= 100:
        raise Wrong(f"{where}: '{shown(row['percent'])}' is no percent from 0 to 100")
    if row["tries"] not in ("best", "last"):
        raise Wrong(f"{where}: '{shown(row['tries'])}' is not best or last, of a student's tries")
    return Rule(due, cutoff, percent, row["tries"])


def rules_of(path, chapters, known):
    """{stem: Rule} of the chapters that are graded; `known` are the numbers of all chapters of the course."""
    found = {}
    for where, row in rows_of(path, "LATE", POLICY):
        word = row["chapter"]
        if word != "*" and not (word.isascii() and word.isdigit() and len(word) < 4 and int(word) in known):
            raise Wrong(f"{where}: '{shown(word)}' is no chapter, and * is all that have no row")
        key = word if word == "*" else int(word)
        if key in found:
            raise Wrong(f"{where}: chapter {key} stands there twice")
        found[key] = rule_of(row, where)
    for chapter in chapters:
        if chapter.number not in found and "*" not in found:
            raise Wrong(f"LATE={path}: has no row for chapter {chapter.number}, and none for *")
    return {chapter.stem: found.get(chapter.number, found.get("*")) for chapter in chapters}


def times_of(path, names):
    """{submission: (student, time)} of all of these names."""
    found = {}
    for where, row in rows_of(path, "TIMES", TIMES):
        name = row["submission"]
        if name not in names:
            raise Wrong(f"{where}: there is no submission '{shown(name)}'")
        if name in found:
            raise Wrong(f"{where}: {shown(name)} stands there twice")
        if not row["student"]:
            raise Wrong(f"{where}: {shown(name)} has no student")
        found[name] = row["student"], date_of(row["time"], where, "time")
    for name in names:
        if name not in found:
            raise Wrong(f"TIMES={path}: has no row for the submission '{shown(name)}'")
    return found


# What counts.

class Late:
    """The dates of a class. Raises Wrong."""

    def __init__(self, policy, times, names, chapters, known):
        self.rules = rules_of(policy, chapters, known)
        self.times = times_of(times, names) if times else {}
        self.files = {}  # {(submission, stem): seconds since 1970}

    def note(self, name, stem, seconds):
        """Keeps the time of a file that was handed in."""
        self.files[name, stem] = seconds

    def when(self, name, stem):
        """When a submission was handed in, in a chapter."""
        if name in self.times:
            return self.times[name][1]
        return datetime.fromtimestamp(min(max(self.files[name, stem], 0), LATEST), timezone.utc).astimezone()

    def sentence(self, name, stem):
        """A sentence for the student; "" where nothing was handed in."""
        if (name, stem) not in self.files:
            return ""
        rule, when = self.rules[stem], self.when(name, stem)
        words = f"Handed in {minute(when)}, "
        if rule.part(when) is None:
            return words + f"after the cutoff {minute(rule.cutoff)}: it does not count."
        days = rule.days(when)
        taken = number(round(100 * (1 - rule.part(when)), 6))
        return words + (f"{days} day{'s' * (days != 1)} late: {taken}% of the points are taken." if days
                        else "in time.")

    def student(self, graded):
        """Who has handed it in."""
        return printable(self.times[graded.name][0]) if graded.name in self.times else graded.shown

    def tried(self, graded, stem, points):
        """The Try of a submission that has earned these points; None where nothing was handed in."""
        if (graded.name, stem) not in self.files:
            return None
        rule, when = self.rules[stem], self.when(graded.name, stem)
        part = rule.part(when)
        return Try(graded.shown, when, rule.days(when), number(points), number(points * (part or 0)), part is not None)

    def counted(self, stem, tries):
        """Which of a student's tries counts; where all came after the cutoff, one of them, for no points."""
        in_time = [one for one in tries if one.counts]
        if self.rules[stem].tries == "best" and in_time:
            return max(in_time, key=lambda one: (one.after, one.before, one.when))
        return max(in_time or tries, key=lambda one: one.when, default=None)

    def students(self, everybody, items):
        """[(student, {stem: the Try that counts, or None})], sorted by student."""
        tries = {}
        for graded in everybody:
            of_student = tries.setdefault(self.student(graded), {stem: [] for stem in self.rules})
            for stem, finding in graded.findings.items():
                tried = self.tried(graded, stem, points_of(finding, items))
                of_student[stem] += [tried] if tried else []
        return sorted((student, {stem: self.counted(stem, found) for stem, found in of_student.items()})
                      for student, of_student in tries.items())


def minute(when):
    return when.strftime("%Y-%m-%d %H:%M")


def total(tries, what):
    """The sum of `before` or `after` of the tries that count in all chapters."""
    return number(sum(getattr(one, what) for one in tries.values() if one))
