"""programs.py - proofs that are programs of their own.

- Nonsense for the rewriting step, under AddressSanitizer and UBSan, and for simcc's arguments.
  Longer runs: the heads of the two files.
- Each tests/course/*.py that has a main program. It prints lines "ok ..." and "FAIL ..."; or it is a test_*.py, which pytest runs. A line "Depends on: PATTERN ..." in its head names the files
  that it reads; without one it is proved anew when any file of the course has changed.
- tests/course/transcripts.py, which compares what a reader sees of the goals with what tests/transcripts holds (kind
  "transcripts"): one proof for each file of programs and of copies, and one for each chapter's; each but those of
  programs has a copy of the course to itself.
"""
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import course
import pinned
from proof import Proof

COURSE = ("Makefile", "*.md", ".ci/run", ".devcontainer/*", "chapters/**/*", "common/**/*", "docs/**/*", "solutions/**/*",
          "tests/**/*")
REWRITE = "tests/sim/fuzz_rewrite.c"
BROKEN = ("tests/sim/language.cu", "solutions/*/*.cu")
ARGUMENTS = "tests/sim/fuzz_arguments.sh"
SUITES_BEGIN = "tests/course/conftest.py"
TRANSCRIPTS = "tests/course/transcripts.py"
SINGLE = ("copies", "programs")  # folders of files that have nothing in common


def run(command, out=None):
    """Runs a command. Returns its status and what it printed, which is kept in a file."""
    done = subprocess.run(command, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=course.environment())
    if out:
        Path(out).write_text(done.stdout)
    return done.returncode, done.stdout


def rewriting_sources():
    """The rewriting step without its main()."""
    return [file for file in course.files("common/sim/rewrite/**/*.c")
            if Path(file).stem != "rewrite"]


def withstands(what, status, out):
    return [f"ok {what}" if status == 0 else f"FAIL {what}: no; see {out}"]


def prove_rewrite():
    folder = Path(course.BUILD, "proofs", "fuzz")
    folder.mkdir(parents=True, exist_ok=True)
    program, out = str(folder / "rewrite"), str(folder / "rewrite.out")
    status, _ = run([course.CC, "-g", "-O1", "-fsanitize=address,undefined",
                     "-fno-sanitize-recover", "-Icommon/sim/rewrite", "-o", program, REWRITE,
                     *rewriting_sources()], out)
    if status == 0:
        status, _ = run([program, "500", "1", *course.files(*BROKEN)], out)
    return withstands("the rewriting step withstands 500 broken files", status, out)


def prove_arguments():
    out = Path(course.BUILD, "proofs", "fuzz", "arguments.out")
    out.parent.mkdir(parents=True, exist_ok=True)
    status, _ = run([ARGUMENTS, "40", "1"], out)
    return withstands("simcc withstands 40 senseless command lines", status, out)


def lines_of(name, status, printed):
    """The lines of a script; one that prints only a sum is one line."""
    lines = [line for line in printed.splitlines() if line.startswith(("ok ", "FAIL "))]
    failed = any(line.startswith("FAIL ") for line in lines)
    last = (printed.splitlines() or ["it prints nothing"])[-1]
    if not lines and status == 0 and re.match(r"[1-9]\d* passed", last):
        return [f"ok {name}: {last}"]
    if not lines or (status != 0 and not failed):
        last_lines = [line for line in printed.splitlines() if "Error" in line or "FAIL" in line]
        return lines + [f"FAIL {name}: status {status}: {'; '.join(last_lines[-3:] + [last])}"]
    return lines


def prove_script(script):
    out = Path(course.BUILD, "proofs", "scripts", Path(script).name + ".out")
    out.parent.mkdir(parents=True, exist_ok=True)
    runner = [pinned.python("make check"), "-B", "-m", "pytest", "-q", "--tb=short", "-p",
              "no:cacheprovider"] if is_suite(script) else [sys.executable]
    return lines_of(script, *run([*runner, script], out))


def is_suite(script):
    return Path(script).name.startswith("test_")


def scripts():
    """The main programs of tests/course; other modules there are parts of them."""
    return [path for path in course.files("tests/course/*.py") if path != TRANSCRIPTS
            if is_suite(path) or "\nif __name__ ==" in Path(path).read_text()]


def dependencies(script):
    """The files that a script reads, by the line in its head."""
    named = re.search(r"^Depends on: (.*)$", Path(script).read_text(), re.MULTILINE)
    begun = [SUITES_BEGIN] if is_suite(script) else []
    return course.files(*begun, *(named.group(1).split() if named else COURSE))


def proof_of_script(script):
    return Proof("scripts", script, partial(prove_script, script),
                 reads=(script, *dependencies(script)), guess=90)


def prove_transcripts(words):
    return lines_of(words, *run([sys.executable, TRANSCRIPTS, words]))


def proofs_of_transcripts():
    everything = course.files(*COURSE)
    files = sorted(Path("tests/transcripts").glob("*/*.txt"))
    words = sorted({f"{path.parent.name}/" + (path.name if path.parent.name in SINGLE else "") for path in files})
    return [Proof("transcripts", word.removesuffix("/").removesuffix(".txt"), partial(prove_transcripts, word),
                  reads=tuple(everything), knows=course.CC, guess=60) for word in words]


def proofs():
    return [
        Proof("fuzz", "rewrite", prove_rewrite, knows=course.CC,
              reads=(REWRITE, *course.files(*BROKEN, "common/sim/rewrite/**/*.[ch]")), guess=20),
        Proof("fuzz", "arguments", prove_arguments, reads=(ARGUMENTS, *course.files("common/sim/**/*"))),
        *map(proof_of_script, scripts()), *proofs_of_transcripts()]
