"""installed.py - the file .course: what was handed out, so that what a student changed is known.

A line for each file: the FNV-1a hash of its content, 64 bits in 16 hexadecimal digits, and its
path. make update reads it (common/course/update), and make handout, before it makes a folder anew.
"""
from pathlib import Path

NAME = ".course"
HEAD = "# what was installed here; make update compares your files with it\n"
MAKING = ".making"  # ends the name of a file that is being written
OURS = (".git", "build", NAME)  # at the top of a copy: no files of the course


def digest(content):
    """FNV-1a with 64 bits."""
    value = 0xcbf29ce484222325
    for byte in content:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return f"{value:016x}"


def read(folder):
    """{path: hash} of what was handed out in this folder; empty when nothing was."""
    try:
        lines = Path(folder, NAME).read_text().splitlines()
    except OSError:
        return {}
    return {line[17:]: line[:16] for line in lines if line and not line.startswith("#")}


def write(folder, copy):
    """Notes the files of a copy: {path: (bytes, mode)}."""
    lines = [f"{digest(content)} {name}\n" for name, (content, _) in sorted(copy.items())]
    new = Path(folder, NAME + MAKING)
    new.write_text(HEAD + "".join(lines))
    new.replace(Path(folder, NAME))


def changed(folder, copy):
    """The files in a folder that are neither as they were handed out, nor as in a copy, nor half
    made."""
    noted = read(folder)
    here = [str(path.relative_to(folder)) for path in sorted(Path(folder).rglob("*"))
            if path.is_file() and path.relative_to(folder).parts[0] not in OURS]
    return [name for name in here if not name.endswith(MAKING) and digest(
        Path(folder, name).read_bytes()) not in (noted.get(name), new_digest(copy, name))]


def new_digest(copy, name):
    """The hash of a file in a copy, or None."""
    return digest(copy[name][0]) if name in copy else None
