"""layout.py - proves that clang-format 14 would change nothing in the C and CUDA C.

Where clang-format 14 is not installed a line says so, and counts as nothing.
"""
import re
import subprocess
from functools import partial

import course
from proof import Proof, lines_of

FORMATTED = ("common/**/*.[ch]", "common/**/*.cu", "tests/**/*.[ch]", "tests/**/*.cu",
             "chapters/*/*.c*", "solutions/**/*.c*")
OTHERS = "tests/right/"  # kernels in other people's styles


def formatter():
    """The command of clang-format 14, or None."""
    for command in ("clang-format-14", "clang-format"):
        try:
            said = subprocess.run([command, "--version"], text=True, capture_output=True).stdout
        except OSError:
            continue
        if "version 14" in said:
            return command
    return None


def unformatted(command, files):
    """The files that clang-format would change."""
    run = subprocess.run([command, "--dry-run", *files], text=True, capture_output=True)
    found = re.findall(r"^([^:\n]*):.*clang-format-violations", run.stderr, re.MULTILINE)
    return sorted(set(found))


def prove(files):
    command = formatter()
    if not command:
        return ["not checked: the format of the code, since clang-format 14 is not installed"]
    wrong = unformatted(command, files)
    return lines_of(f"{len(files)} files are formatted as .clang-format says",
                    [f"{file}: not formatted; run {command} -i {file}" for file in wrong])


def proofs():
    files = [file for file in course.files(*FORMATTED) if not file.startswith(OTHERS)]
    return [Proof("layout", "all", partial(prove, files), reads=(".clang-format", *files))]
