"""hints.py - proves that the last hints of a lesson compile as they are printed.

Each gap of a stub gets its hint "the line", and nothing else: what a student has who types it in.
"""
import re
import subprocess
from functools import partial
from pathlib import Path

import course
from proof import Proof

LINE = re.compile(r"<summary>Hint (\d+\.\d+), the line</summary>\n+(?:```\w+\n)?(.*?)\n(?:```|</details>)",
                  re.DOTALL)


def last_hints(lesson):
    """{"5.1": the code of its last hint} of a lesson's text."""
    return dict(LINE.findall(lesson))


def filled(stub, hints):
    """The stub's text with the hints in its gaps, and the gaps that have none."""
    missing = []

    def put(match):
        if match.group(2) not in hints:
            missing.append(match.group(2))
        return match.group(1) + hints.get(match.group(2), "") + "\n" + match.group(3)

    gap = r"(TODO\((\d+\.\d+)\):[^\n]*\n(?:[ \t]*//[^\n]*\n)*?)([ \t]*// end of TODO\(\2\))"
    return re.sub(gap, put, stub), missing


def command(stem, source):
    """How the source is compiled, to an object beside it."""
    compiler = [course.CC] if source.endswith(".c") else ["common/sim/simcc"]
    flags = ["-c", "-o", f"{source}.o", "-Icommon/contract"]
    operations = course.operations(stem)
    flags.append(f"-DOPERATION={operations[0]}" if operations else f"-DBINS={course.variants(stem)[0]}")
    if course.is_of_mpi(source):
        flags += subprocess.run(["mpicc", "-showme:compile"], text=True,
                                capture_output=True, check=True).stdout.split()
    return [*compiler, *flags, source]


def prove(stem, stub, lesson):
    text, missing = filled(Path(stub).read_text(), last_hints(Path(lesson).read_text()))
    if missing:
        return [f"FAIL hints {stem}: no last hint for {', '.join(missing)}"]
    copy = Path(course.BUILD, "hints", stem, Path(stub).name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text)
    made = subprocess.run(command(stem, str(copy)), text=True, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, env=course.environment())
    said = next((line for line in made.stderr.splitlines() if "error" in line), "")
    if made.returncode:
        return [f"FAIL hints {stem}: the stub with its last hints does not compile: {said}"]
    return [f"ok hints {stem}: the stub compiles with its {text.count('end of TODO')} last hints"]


def proofs():
    return [Proof("hints", stem, partial(prove, stem, stub, lesson), reads=(stub, lesson))
            for stem in course.stems("chapters")
            for stub, lesson in [(course.source("chapters", stem), f"docs/{stem}.md")]]
