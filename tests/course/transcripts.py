#!/usr/bin/env python3
"""transcripts.py - what a reader sees of the goals is what tests/transcripts holds.

    transcripts.py [--write] [WORD...]       only those whose path has all of these words
    transcripts.py --story PAGE              the JSON in a page of make trace, a line for each part; of its
                                             many steps how many do what

A line "$ make chapter5 test" is typed, with lines "> " when it goes on; what follows it was said, and
"(status 2)" when that is not 0. Whoever wants more adds such lines, or files, and runs this with --write,
which writes down what is said now. Times, dates, paths and how far a build is are left out.

- 05_name/KERNEL.txt tells what the goals say for a kernel in the place of a student's file: the `stub`, the
  `solution`, or a planted mistake of tests/mutants/05_name; with untouched chapters and no record of
  verdicts, in a copy of the course. They are of kernels that gcc compiled, whose code meets in other steps.
- copies/NAME.txt tells what the goals say, one after the other, in such a copy, of which each file begins anew.
  One that begins with "=== name (needs mpirun)" is left out without it.
- programs/NAME.txt tells what the programs behind the goals say of courses made for it. Each part, "=== name",
  begins in an empty folder, with the commands of the part "before each". $ROOT is the course. A part called
  "once" comes before all, in $ROOT, and builds. One that ends with "(needs mpirun)" is left out without it.
"""
import collections
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import scratch

ROOT = os.getcwd()
BUILD = os.environ.get("BUILD", "build/sim-gcc")
LONGEST = 400  # columns of a part of a story
FOLDER = Path("tests/transcripts")
LEFT_OUT = re.compile(r"\[ *\d+/\d+\] .*|compiling the simulated GPU.*|"
                      r"make(\[\d+\])?: (\*\*\* (\[|Waiting )|Target |Entering|Leaving|warning: -j).*")
MASKS = ((re.compile(r"\b\d+(\.\d+)? (s|ms|min|seconds?)\b"), r"N \2"),
         (re.compile(r"lessons of \d+ minutes are done, of [\d,]+ in all"), "lessons of some minutes are done, of all"),
         (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b"), "DATE TIME"),
         (re.compile(r'("execution_time":|"output": "Judged) [^"]*(?=,|")'), r"\1 SO"),
         (re.compile(r"/tmp/[\w./-]+"), "PATH"),
         (re.compile(r"(\.mk|\bMakefile):\d+:"), r"\1:NUMBER:"))


def kernel_of(stem, name):
    """The text of a transcript's kernel."""
    solution = next(Path("solutions", stem).glob("*.c*"))
    if name in ("solution", "stub"):
        return (solution if name == "solution" else Path("chapters", stem, solution.name)).read_bytes()
    return subprocess.run(["patch", "--silent", "--fuzz=0", "--output=-", solution,
                           f"tests/mutants/{stem}/{name}.patch"], stdout=subprocess.PIPE,
                          check=True).stdout


def prepare(target, stem, name):
    """Puts the kernel into the copy, and nothing else that a student leaves there."""
    for folder in ("build/progress", "build/hints", "build/breaks", "build/trace", "class",
                   "report", "chapters"):
        shutil.rmtree(Path(target, folder), ignore_errors=True)
    shutil.copytree("chapters", Path(target, "chapters"))
    if stem == "copies":
        return
    place = next(Path(target, "chapters", stem).glob("*.c*"))
    place.write_bytes(kernel_of(stem, name))


COMMAND = re.compile(r"^\$ .*\n(?:>.*\n)*", re.MULTILINE)
PART = re.compile(r"^(=== .*\n)", re.MULTILINE)
BEFORE, ONCE = "=== before each\n", "=== once\n"
NEEDS = re.compile(r"\(needs ([\w ]+)\)\n$")


def output_of(folder, command, **settings):
    """A command and what is kept of what it says, in a folder."""
    words = re.sub(r"\n> ?", "\n", command[2:])
    done = subprocess.run(["sh", "-c", words], cwd=folder, env={**scratch.environment(folder), **settings},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode(errors="backslashreplace").replace(os.path.abspath(folder), ".")
    lines = [line.rstrip() for line in output.split("\n")[:-1 if output.endswith("\n") or not output else None]]
    for pattern, mask in MASKS:
        lines = [pattern.sub(mask, line) for line in lines]
    kept = [line for line in lines if not LEFT_OUT.fullmatch(line)]
    return command + "".join(f"{line}\n" for line in kept + [f"(status {done.returncode})"] * (
        done.returncode != 0))


def of_kernel(target, path):
    """The transcript of a kernel as it would be now."""
    text = path.read_text()
    head = text[:text.index("$ ")]
    if lacks(head):
        return text
    prepare(target, path.parent.name, path.stem)
    # One draw, in which no input comes twice: a verdict says how many there were.
    return head + "".join(output_of(target, command, MAKEFLAGS="-j2", DRAW="3") for command in COMMAND.findall(text))


def of_part(before, commands):
    """What is said in an empty folder, after some commands."""
    with tempfile.TemporaryDirectory(prefix="histogram-ladder-") as folder:
        paths = (f"{folder}/bin", f"{ROOT}/{BUILD}/tools", os.environ["PATH"])
        output = [output_of(folder, command, BUILD=BUILD, ROOT=ROOT, PATH=os.pathsep.join(paths))
                for command in before + commands]
    return "".join(output[:len(before)]), "".join(output[len(before):])


def of_programs(path):
    """The transcript of programs as it would be now."""
    texts = PART.split(path.read_text())[1:]
    texts = dict(zip(texts[::2], texts[1::2]))
    parts = {name: COMMAND.findall(words) for name, words in texts.items() if not lacks(name)}
    once, before = parts.pop(ONCE, []), parts.pop(BEFORE, [])
    now = {ONCE: "".join(output_of(ROOT, command, BUILD=BUILD) for command in once)}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1) as pool:
        output = dict(zip(parts, pool.map(lambda commands: of_part(before, commands), parts.values())))
    now[BEFORE] = next(iter(output.values()))[0]
    now.update((name, words) for name, (_, words) in output.items())
    return "".join(name + now.get(name, words) for name, words in texts.items())


def lacks(part):
    """Whether this machine lacks a program that a part needs."""
    needed = NEEDS.search(part)
    missing = [name for name in needed[1].split() if not shutil.which(name)] if needed else []
    if missing:
        print(f"left out: {part[4:].strip()}")
    return bool(missing)


def compare(path, now):
    """Tells whether a transcript is as it was."""
    changes = difflib.unified_diff(path.read_text().splitlines(), now.splitlines(), str(path), "now",
                                   n=1, lineterm="")
    scratch.tell(f"{path}: what is said is as it was", "; ".join(changes))


def story_of(page):
    """What the JSON in a page of make trace says, in lines."""
    story = json.loads(re.search(r'<script type="application/json" id="trace">(.*?)</script>', page,
                                 re.DOTALL).group(1))
    steps = collections.Counter(f'line {step["n"]} {step["o"]}' for step in story["steps"])
    story["steps"] = {"all": len(story["steps"]), **dict(sorted(steps.items()))}
    return [f"{name}: {json.dumps(part)}"[:LONGEST] for name, part in story.items()]


def main(words):
    if words[:1] == ["--story"]:
        print("\n".join(story_of(Path(words[1]).read_text(encoding="utf-8"))))
        return 0
    write, words = "--write" in words, [word for word in words if word != "--write"]
    chosen = [path for path in sorted(FOLDER.glob("*/*.txt")) if all(word in str(path) for word in words)]
    of_kernels = [path for path in chosen if path.parent.name != "programs"]
    if "gcc" not in os.environ.get("CC", "gcc"):
        scratch.tell("transcripts are of kernels that gcc compiled, and not compared here", None)
        chosen, of_kernels = [path for path in chosen if path not in of_kernels], []
    target = None
    for path in chosen:
        if path in of_kernels and (not target or path.parent.name == "copies"):  # which may add files
            target = scratch.copy(ROOT, re.sub(r"\W", "-", " ".join(["transcripts", *words])))
        now = of_kernel(target, path) if path in of_kernels else of_programs(path)
        if write:
            path.write_text(now)
        else:
            compare(path, now)
    if target:
        shutil.rmtree(target)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
