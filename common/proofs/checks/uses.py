"""uses.py - proves who may use whom in common/: contract nobody, judge and sandbox no tools; and the
kernel's process nothing that knows what is right.

Once for the headers that a file includes; and once for what the program is linked with in which a
kernel runs: nm says which symbols it has, and which objects of ours they are from.
"""
import re
import subprocess
from functools import partial
from pathlib import Path

import course
import judge
from proof import Proof, Target, lines_of

# A kernel's program holds the sandbox, and of these rooms nothing but the kernel's half: the call, what
# is watched of it, and the bytes of what it is given.
ALLOWED = {"contract": {"contract"},  # whose headers files of a room may include
           **dict.fromkeys(("judge", "sandbox"), {"contract", "contracts", "judge", "sandbox", "sim"})}
FOLDERS = ("judge", "run", "contracts")
KERNELS_HALF = {"kernel", "call", "operations", "letters", "bins", "l2_rounds", "text_watch", "origins",
                "narrow_sums", "grouped"}


def headers_used(files, homes):
    """Headers that a file includes and that lie in a room that is none of its business. Of several of
    one name (an editor's folder has a cooperative_groups/reduce.h) it may mean that of a room of its own."""
    wrong = []
    for room, path in files:
        text = Path(path).read_text()
        for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE):
            places = homes.get(Path(name).name, ALLOWED[room])
            if not places & ALLOWED[room]:
                wrong.append(f"{path}: includes {name}, which is of {' and '.join(sorted(places))}")
    return wrong


def symbols(path):
    """The global symbols that a program or an object defines."""
    output = subprocess.run(["nm", "-P", "--defined-only", path], text=True, capture_output=True,
                          check=True).stdout
    return {line.split()[0] for line in output.splitlines() if line.split()[1].isupper()} - {"main"}


def judges_half(program):
    """Objects of the judge's half that a kernel's program is linked with: it has all their symbols."""
    has, wrong = symbols(program), []
    for objects in Path(course.BUILD).glob("common*"):
        for path in sorted(path for room in FOLDERS for path in Path(objects, room).rglob("*.o")):
            known = symbols(path) if path.stem not in KERNELS_HALF else ()
            wrong += [f"{program}: has {', '.join(sorted(known))} of {path.stem}, which is the "
                      "judge's"] if known and known <= has else []
    return wrong


def prove(right, find, *arguments):
    return lines_of(right, find(*arguments))


def program_of(stem):
    """(The variant, the program) in which the kernel of a solution runs."""
    bins = course.variants(stem)[0]
    return bins, judge.kernels_in(f"{course.BUILD}/solution-{bins}/{stem}")[0]


def proofs():
    headers = course.files("common/**/*.h")
    files = [(room, path) for room in ALLOWED for path in course.files(f"common/{room}/**/*.[ch]*")]
    homes = {}
    for path in headers:
        homes.setdefault(Path(path).name, set()).add(Path(path).parts[1])
    found = [Proof("uses", "headers", partial(
        prove, "contract includes no header of others, judge and sandbox none of tools", headers_used,
        files, homes), reads=tuple({*headers, *(path for _, path in files)}))]
    on_gpu = [stem for stem in course.stems("solutions") if course.source("solutions", stem).endswith(".cu")]
    for contract, stem in course.first_of_each(on_gpu, course.kind).items():
        bins, program = program_of(stem)
        found.append(Proof("uses", contract, partial(
            prove, f"{contract}: the kernel's process holds nothing of what is right", judges_half,
            program), builds=(Target("solution", bins, program),
                              Target("solution", bins, program.rsplit("/", 1)[0] + "/row"))))
    return found
