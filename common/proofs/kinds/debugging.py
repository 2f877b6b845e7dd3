"""debugging.py - proves what an editor and a debugger show of a kernel.

The patterns of .vscode/tasks.json find the place in what a compiler and a verdict really say, and
.gdbinit shows the lane at which gdb has stopped. Without gdb a line says so, and counts as nothing.
"""
import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import course
from proof import Proof

KERNELS = f"{course.BUILD}/editor/kernels"
COUNTS = re.compile(r"atomicAdd\(&(\w+)\[(\w+)\], 1\);")
TIMEOUT = 600
MAKE = [course.MAKE, "-s", "--no-print-directory", "-f", "common/make/variant.mk", "BINS=5",
        f"CC={course.CC}", f"CXX={course.CXX}"]


def with_shared_bins():
    """(stem, text) of the first solution that counts by ones in shared memory."""
    for stem in course.of_texts("solutions"):
        text = Path(course.source("solutions", stem)).read_text()
        if "__shared__" in text and COUNTS.search(text):
            return stem, text
    return None


def line_of(text, pattern):
    return text[:pattern.search(text).start()].count("\n") + 1


def said_of(stem, text):
    """What make says of a kernel with this text, judged as one of another's."""
    source = Path(KERNELS, stem, "histogram.cu")
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    run = subprocess.run([*MAKE, "KIND=right", f"FROM={KERNELS}", f"STEMS={stem}", "test"],
                         text=True, errors="replace", capture_output=True,
                         env=course.environment(), timeout=TIMEOUT)
    return source, (run.stdout + run.stderr).splitlines()


def places(task, lines):
    """{(file, line)} that the task's matchers find."""
    patterns = [matcher["pattern"] for matcher in task["problemMatcher"]]
    found = [(re.match(pattern["regexp"], line), pattern) for line in lines
             for pattern in patterns]
    return {(match[pattern["file"]], int(match[pattern["line"]])) for match, pattern in found
            if match}


def prove_matchers(stem, text):
    tasks = {task["label"]: task for task in json.loads(Path(".vscode/tasks.json").read_text())
             ["tasks"]}
    line, failures = line_of(text, COUNTS), []
    for what, wrong in (("an error of the compiler", COUNTS.sub(r"atomicAdd(\1, );", text, 1)),
                        ("a race", COUNTS.sub(r"\1[\2]++;", text, 1))):
        source, said = said_of(stem, wrong)
        if places(tasks["test this chapter"], said) != {(str(source), line)}:
            failures.append(f"FAIL .vscode/tasks.json: of {what} in {source}:{line} it finds "
                            f"{sorted(places(tasks['test this chapter'], said))} in {said}")
    return failures or ["ok .vscode/tasks.json finds the line of an error and of a race"]


def prove_tasks():
    """Every task calls a program that is there with a goal that make help names."""
    known = Path("Makefile").read_text().split("MAKEFLAGS")[0]
    failures = []
    for name in ("tasks", "extensions", "settings"):
        json.loads(Path(f".vscode/{name}.json").read_text())
    for task in json.loads(Path(".vscode/tasks.json").read_text())["tasks"]:
        program = task["command"].replace("${workspaceFolder}/", "")
        goal = task["args"][-1]
        if not shutil.which(program) or not re.search(rf"\b{goal}\b", known):
            failures.append(f"FAIL .vscode/tasks.json: {task['label']}: {program} {goal}")
    return failures or ["ok .vscode has tasks that make knows, extensions and settings"]


def gdb(stem, *commands):
    """What gdb says, in batch mode."""
    subprocess.run([*MAKE, "KIND=solution", f"STEMS={stem}", "DEBUG=yes", "debug"], check=True,
                   capture_output=True, env=course.environment(TEXT="english", SIZE="2K"),
                   timeout=TIMEOUT)
    words = [word for command in commands for word in ("-ex", command)]
    run = subprocess.run(["gdb", "-nx", "-q", "-batch", "-x", "build/debug.gdb", *words], text=True,
                         errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    return run.stdout


def prove_gdb(stem, text):
    if not shutil.which("gdb"):
        return ["not checked: .gdbinit, for gdb is not installed: apt-get install gdb"]
    line, shared = line_of(text, COUNTS), COUNTS.search(text)[1]
    said = gdb(stem, f"break {Path(course.source('solutions', stem)).name}:{line}", "when 0 37",
               "run", "lane", "info locals", "delete", f"tbreak {line + 1}", "block", "bins")
    wanted = {"the lane at a stop": r"block \(0,0,0\), thread \(37,0,0\): lane 5 of warp 1\n"
                                    r"\s*Breakpoint 1, ",
              "where the others wait": r"lanes [\d -]+ (wait at|go on next, from) \w",
              "a place in the source": rf"at solutions/{stem}/\w+\.cu:\d+",
              "a variable": r"\n\w+ = 37\n",
              "every warp of the block": r"\nwarp 0\n(.*\n)+warp 7\n",
              "the bins": r"\nbins: \{\d+, \d+, \d+, \d+, \d+\}\n",
              "shared memory": rf"\n{shared} in shared memory of this block: \{{\d+, "}
    lacking = [what for what, pattern in wanted.items() if not re.search(pattern, said)]
    return [f"FAIL .gdbinit does not show {what}: gdb says, at its end: "
            f"{said[-300:]!r}" for what in lacking] or [
        "ok gdb shows block, thread and lane at a stop, who waits where, and the bins"]


def proofs():
    stem, text = with_shared_bins()
    common = (course.source("solutions", stem), "common/make/variant.mk")
    return [Proof("debugging", "tasks", prove_tasks, reads=(
                "Makefile", *course.files(".vscode/*", "common/tools/editor/chapter/*"))),
            Proof("debugging", "matchers", partial(prove_matchers, stem, text),
                  reads=(*common, ".vscode/tasks.json", "common/course/verdict.c")),
            Proof("debugging", "gdb", partial(prove_gdb, stem, text),
                  reads=(*common, ".gdbinit", "common/tools/editor/for_gdb.c",
                         *course.files("common/sim/machine/*")))]
