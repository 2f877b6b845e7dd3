"""submissions.py - finds what was handed in, whose it is, and reads it without trusting it.

One chapter: DIR/NAME/histogram.cu, or DIR/NAME.cu. Several: DIR/NAME/06_name/histogram.cu; a whole copy of the course
does as well, DIR/NAME/chapters/06_name/histogram.cu, and DIR/NAME/06_name.cu. Moodle names a folder `Ada
Lovelace_12345_assignsubmission_file_`, Canvas a file `lovelaceada_123_456_histogram.cu`: both have the student's number.
"""
import os
import re
import stat
from collections import namedtuple
from pathlib import Path

MOST_BYTES = 1 << 20  # of a source file
SKIPPED = ("__MACOSX", "lost+found")
MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_\w+$")
CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)$")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")

# A student: `lms` is "moodle", "canvas" or "", and `files` are (path in the submission, path on this machine).
Student = namedtuple("Student", "name lms number email files")
# The text of a chapter, or why there is none; `told` is what the student should know of the file's name.
Source = namedtuple("Source", "text refused told", defaults=("",))


def students_in(folder):
    """All who handed in something, by name."""
    found = {}
    for entry in sorted(Path(folder).iterdir()):
        if entry.name.startswith(".") or entry.name in SKIPPED:
            continue
        canvas = None if entry.is_dir() else CANVAS.match(entry.name)
        if entry.is_dir():
            add(found, entry.name, MOODLE.match(entry.name), "moodle", tuple(files_below(entry)))
        elif canvas:  # which numbers a file that was handed in again: histogram-1.cu
            add(found, entry.name, canvas, "canvas", ((re.sub(r"-\d+(?=\.\w+$)", "", canvas["file"]), entry),))
        elif entry.suffix in (".c", ".cu"):
            add(found, entry.stem, None, "", ((entry.name, entry),))
    return sorted(found.values())


def add(found, name, known, lms, files):
    """Notes files of a student, who is told from others by name and number."""
    email = EMAIL.search(name)
    one = Student(known["name"] if known else name, lms if known else "", known["id"] if known else "",
                  email.group() if email else "", files)
    before = found.get(one[:3])
    found[one[:3]] = one._replace(files=before.files + files) if before else one


def files_below(folder):
    """The files of a submission, and what only looks like one; no link is followed."""
    for place, folders, names in os.walk(folder):
        for name in sorted(names) + [name for name in folders if name.endswith((".c", ".cu"))]:
            path = Path(place, name)
            yield str(path.relative_to(folder)), path


def source_of(student, stem, file, alone):
    """The Source of a chapter: of the file that lies where it should, or else of one that only it can be."""
    extension, named = Path(file).suffix, dict(student.files)
    places = [f"{stem}/{file}", f"chapters/{stem}/{file}", f"{stem}{extension}"]
    for place in [file, *places] if alone else places:
        if place in named:
            return read(named[place], place)
    likely = [place for place in named if place.endswith(extension)
              and (alone or stem in place or re.search(rf"(?<!\d)0?{int(stem[:2])}(?!\d)", place))]
    if len(likely) == 1:
        told = f"handed in as {likely[0]}, and judged as {file}" if likely[0] != f"{student.name}{extension}" else ""
        return read(named[likely[0]], likely[0])._replace(told=told)
    there = f"; there is {', '.join(sorted(likely or named)[:3])}" if named else ""
    return Source(b"", f"nothing was handed in: no file {file if alone else places[0]}{there}")


def read(path, name):
    """The Source of a file: of a plain one that is not too large."""
    if path.is_symlink():
        return Source(b"", f"{name}: is a link, and was not followed; hand in the file itself")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return Source(b"", f"{name}: cannot be read: {error.strerror}")
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return Source(b"", f"{name}: is no plain file")
        text = os.read(descriptor, MOST_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(text) > MOST_BYTES:
        return Source(b"", f"{name}: no kernel needs more than {MOST_BYTES:,} bytes")
    return Source(text, "" if text.strip() else f"{name}: is empty")
