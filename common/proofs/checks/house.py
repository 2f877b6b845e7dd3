"""house.py - proves that everything is in its room, above all in common/, and that make rules are plain.

A newcomer shall predict where a thing is: no folder of two languages, no two files of one name;
and common/ knows no chapter by its number, so that a new one needs only new files. No limit on
lines or files decides where a thing is. Who may use whom is proved by uses.py. And clang-format 14 would change nothing
in the C and CUDA C (kind "layout"); where it is not installed a line says so, and counts as nothing.
"""
import re
import subprocess
from collections import defaultdict
from functools import partial
from pathlib import Path

from pygments.lexers import PythonLexer
from pygments.token import Comment, String

import course
from proof import Proof, lines_of

WIDEST = 100  # columns of the Makefile and of common/make

# What stands at the top; what else a checkout keeps there for a tool begins with a dot.
AT_THE_TOP = {"chapters", "common", "docs", "solutions", "tests", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md"}

# The two halves of a CUDA program are one language here: host and device live side by side.
LANGUAGES = {".c": "C", ".h": "C", ".cu": "C", ".cuh": "C", ".mk": "make",
             ".sh": "shell", "": "shell", ".gp": "gnuplot",
             ".py": "Python", ".ini": "Python", ".txt": "Python",  # and what its programs are told
             # The three parts of a page.
             ".html": "page", ".css": "page", ".js": "page"}
SCRIPTS = ("shell", "gnuplot")
# One program, the front door of the simulator.
PROGRAMS = ("common/sim/simcc", "common/sim/kernel_flags.sh", "common/sim/closed.sh")
# What each contract says of itself.
OF_A_CONTRACT = ("contract", "kernel", "cases", "causes", "traced", "timed", "harness")
# NVIDIA chose their names, and how much is in one.
CUDA_HEADERS = ("common/sim/include", "common/tools/editor/include")

# A file may say the number of a chapter in these words.
KNOWN_CHAPTERS = {
    "common/bench/cpu/yardstick.c": ("the loop of chapter 1",),  # recorded so in docs/results/host
    "common/proofs/checks/house.py": ("the loop of chapter 1",),
}
CHAPTER = re.compile(r"\b\d\d_(?=[a-z*%])|\bchapter[ _]?\d", re.IGNORECASE)
TOKENS_OF_C = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*',
                         re.DOTALL)
FORMATTED = ("common/**/*.[ch]", "common/**/*.cu", "tests/**/*.[ch]", "tests/**/*.cu",
             "chapters/*/*.c*", "solutions/**/*.c*")
OTHERS = "tests/right/"  # kernels in other people's styles


def by_folder(files):
    """{folder: its files}, of Paths; without CUDA's headers."""
    folders = defaultdict(list)
    for path in map(Path, files):
        if not str(path).startswith(CUDA_HEADERS):
            folders[str(path.parent)].append(path)
    return folders


def strangers(files):
    """Names at the top of the tree that nobody expects there, such as what a shell's redirection has left."""
    return [f"{name} stands at the top" for name in sorted({Path(path).parts[0] for path in files} - AT_THE_TOP)
            if not name.startswith(".")]


def mixed(files):
    """Folders of two languages, but for a script that has the name of a program there."""
    wrong = []
    for folder, inside in by_folder(files).items():
        stems = defaultdict(set)
        for path in inside:
            if str(path) in PROGRAMS:
                continue
            stems[path.stem].add(LANGUAGES.get(path.suffix, path.suffix))
        languages = {language for found in stems.values() for language in found
                     if language not in SCRIPTS or len(found) == 1}
        if len(languages) > 1:
            wrong.append(f"{folder}: {' and '.join(sorted(languages))} side by side")
    return wrong


def twins(files):
    """Names of files that stand in two folders; a .c and its .h are one name.

    A part of the build may have the name of what it builds, and a proof that of what it proves in another language;
    each contract has its own of the files in OF_A_CONTRACT, and the simulator is a house of its own.
    """
    named = defaultdict(list)
    for inside in by_folder(path for path in files if not path.startswith("common/sim/")).values():
        for path in inside:
            if path.suffix != ".mk":
                named[path.stem].append(path)
    places = {stem: sorted({str(path.parent) for path in paths if not has_own_name(path, paths)})
              for stem, paths in sorted(named.items())}
    return [f"{stem} stands twice: in {' and '.join(folders)}" for stem, folders in places.items() if len(folders) > 1]


def has_own_name(path, paths):
    """Whether a file may have the name that these files have."""
    if path.parent == Path("common/proofs/checks"):
        return all(other == path or other.suffix != path.suffix for other in paths)
    return path.parent.parent == Path("common/contracts") and path.stem in OF_A_CONTRACT


def without_comments(path, text):
    """The code of a file without comments and docstrings, on the same lines."""
    suffix = Path(path).suffix
    if suffix in (".c", ".h", ".cu", ".cuh", ".js", ".css"):
        return TOKENS_OF_C.sub(lambda token: token.group() if token.group()[0] in "\"'" else
                               "\n" * token.group().count("\n"), text)
    if suffix == ".py":
        return python_code(text)
    return re.sub(r"(?<!\\)#.*" if suffix == ".mk" else r"(?<!\S)#.*", "", text)


def python_code(text):
    """Python without its comments, and without strings that are statements."""
    found = PythonLexer(stripnl=False, ensurenl=False).get_tokens(text)
    return "".join("\n" * words.count("\n") if kind in Comment or kind in String.Doc else words for kind, words in found)


def chapters_known(files):
    """Places where code, not a comment, has the number of a chapter."""
    wrong = []
    for path in files:
        code = without_comments(path, Path(path).read_text(errors="replace"))
        for words in KNOWN_CHAPTERS.get(path, ()):
            code = code.replace(words, "")
        wrong += [f"{path}:{number}: knows a chapter by its number: {line.strip()}"
                  for number, line in enumerate(code.split("\n"), 1) if CHAPTER.search(line)]
    return wrong


def hard_to_read(makefiles):
    """Lines of make that are too wide, or that make rules."""
    wrong = []
    for path in makefiles:
        for number, line in enumerate(Path(path).read_text().splitlines(), 1):
            if len(line) > WIDEST:
                wrong.append(f"{path}:{number}: {len(line)} columns, more than {WIDEST}")
            if re.search(r"\$[({]eval\b|^\s*define\b", line):
                wrong.append(f"{path}:{number}: makes rules with eval or define")
    return wrong


def formatter():
    """The command of clang-format 14, or None."""
    for command in ("clang-format-14", "clang-format"):
        try:
            output = subprocess.run([command, "--version"], text=True, capture_output=True).stdout
        except OSError:
            continue
        if "version 14" in output:
            return command
    return None


def unformatted(command, files):
    """The files that clang-format would change."""
    run = subprocess.run([command, "--dry-run", *files], text=True, capture_output=True)
    found = re.findall(r"^([^:\n]*):.*clang-format-violations", run.stderr, re.MULTILINE)
    return sorted(set(found))


def prove_layout(files):
    command = formatter()
    if not command:
        return ["not checked: the format of the code, since clang-format 14 is not installed"]
    wrong = unformatted(command, files)
    return lines_of(f"{len(files)} files are formatted as .clang-format says",
                    [f"{file}: not formatted; run {command} -i {file}" for file in wrong])


def prove(right, find, *arguments):
    return lines_of(right, find(*arguments))


def proofs():
    files = course.files("common/**/*")
    makefiles = ["Makefile", *course.files("common/make/*")]
    rules = (("top", "nothing stands at the top that is not expected there", strangers, course.files("*", "*/*")),
             ("mixed", "no folder of common/ mixes languages", mixed, files),
             ("twins", "no two files of common/ have one name", twins, files),
             ("chapters", "nothing in common/ knows a chapter by its number", chapters_known,
              files),
             ("build", f"no line of make has more than {WIDEST} columns, eval or define",
              hard_to_read, makefiles))
    formatted = [file for file in course.files(*FORMATTED) if not file.startswith(OTHERS)]
    return [*(Proof("house", name, partial(prove, right, find, where), reads=tuple(where))
              for name, right, find, where in rules),
            Proof("layout", "all", partial(prove_layout, formatted), reads=(".clang-format", *formatted))]
