"""submissions.py - finds what was handed in, and reads it without trusting it.

One chapter: DIR/NAME/histogram.cu, or DIR/NAME.cu. Several: DIR/NAME/06_name/histogram.cu; a whole
copy of the course does as well, DIR/NAME/chapters/06_name/histogram.cu, and DIR/NAME/06_name.cu.
"""
import os
import stat
from dataclasses import dataclass

MOST_BYTES = 1 << 20    # of a source file
SKIPPED = ("__MACOSX", "lost+found")


@dataclass(frozen=True)
class Source:
    """The text that was handed in for a chapter, or why there is none."""
    text: bytes = b""
    refused: str = ""
    seconds: float = 0  # since 1970: when the file was written


def names_in(folder, chapters):
    """[(name, path)] of all who handed in something, sorted."""
    found = {}
    flat = {os.path.splitext(chapter.file)[1] for chapter in chapters} \
        if len(chapters) == 1 else set()
    for entry in sorted(os.scandir(folder), key=lambda entry: (not is_folder(entry), entry.name)):
        if entry.name.startswith(".") or entry.name in SKIPPED:
            continue
        stem, extension = os.path.splitext(entry.name)
        if is_folder(entry):
            found[entry.name] = entry.path
        elif extension in flat and stem:
            found[entry.name if stem in found else stem] = entry.path
    return sorted(found.items())


def is_folder(entry):
    try:
        return entry.is_dir()
    except OSError:
        return False


def places(path, chapter, alone):
    """Where a chapter's file may lie, the likeliest first."""
    inside = [(chapter.stem, chapter.file), ("chapters", chapter.stem, chapter.file),
              (chapter.stem + os.path.splitext(chapter.file)[1],)]
    return [(chapter.file,), *inside] if alone else inside


def source_of(path, chapter, alone):
    """The Source of a chapter in a submission; `alone` when it is the only one."""
    if alone and not os.path.isdir(path):
        return read(path, os.path.basename(path))
    for place in places(path, chapter, alone):
        source = read_below(path, place)
        if source:
            return source
    wanted = "/".join(places(path, chapter, alone)[0])
    return Source(refused=f"nothing was handed in: no file {wanted}{others(path, chapter)}")


def others(path, chapter):
    """What lies there instead, for a file that has another name."""
    extension = os.path.splitext(chapter.file)[1]
    found = sorted(os.path.relpath(os.path.join(folder, file), path)
                   for folder, _, files in os.walk(path) for file in files
                   if file.endswith(extension) or file.lower() == chapter.file)[:3]
    return f"; there is {', '.join(found)}" if found else ""


def read_below(path, place):
    """The Source at a place in a folder; None when nothing is there. No link is followed."""
    for depth in range(1, len(place)):
        folder = os.path.join(path, *place[:depth])
        if os.path.islink(folder):
            return Source(refused=f"{'/'.join(place[:depth])}: is a link, and was not followed; "
                                  "hand in the folder itself")
    file = os.path.join(path, *place)
    return read(file, "/".join(place)) if os.path.lexists(file) else None


def read(path, name):
    """The Source of a file: of a plain one that is not too large."""
    if os.path.islink(path):
        return Source(refused=f"{name}: is a link, and was not followed; hand in the file itself")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                return Source(refused=f"{name}: is a folder, not a file")
            if not stat.S_ISREG(status.st_mode):
                return Source(refused=f"{name}: is no plain file")
            if status.st_size > MOST_BYTES:
                return Source(refused=f"{name}: has {status.st_size:,} bytes; no kernel needs more "
                                      f"than {MOST_BYTES:,}")
            text = file.read(MOST_BYTES)
    except IsADirectoryError:
        return Source(refused=f"{name}: is a folder, not a file")
    except OSError as error:
        return Source(refused=f"{name}: cannot be read: {error.strerror}")
    if not text.strip():
        return Source(refused=f"{name}: is empty")
    return Source(text=text, seconds=status.st_mtime)
