#!/usr/bin/env python3
"""handouts.py - a copy for students holds no line that fills a gap.

Makes copies with make handout, for several steps of a course, and looks for lines of the gaps with
other means than the program has. What is refused, and what a student does in a copy, is in
tests/transcripts/copies/handouts.txt. Prints "ok ..." and "FAIL ...", and their sum at the end.

    tests/course/handouts.py        from the root of the course

Depends on: Makefile README.md chapters/**/* common/**/* docs/**/* solutions/**/* tests/**/*"""
import os
import re
import shutil
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

FOLDER = "build/scratch/handouts"
# CHAPTERS, ANSWERS, and the stubs that build on gaps which are still open.
STEPS = (("1-3", "", ()), ("1-4", "1-3", ()), ("1-5", "", ("05",)), ("1-5", "1-4", ()),
         ("6", "1-5", None), ("1-14", "1-13", ()), ("2,4", "", ()), ("1-14", "", tuple(f"{n:02}" for n in range(5, 15))),
         ("21", "", ("21",)), ("41", "", ("41",)), ("60-61", "", ("60",)))
# Of the translations of lesson 5 what is in an answer, and what is in a hint that a copy has.
ANSWER, HINT = "None of those in the table. Sectors", "What changes since chapter 4 is the address"
# What any kernel has, or any loop.
NO_SECRETS = ("__syncthreads();", "done=true;", "booldone=false;", "if(lane==0)", "if(threadIdx.x==0)",
              "constbin_tmost=(1u<<24)-1;", "CHECK(cudaGetLastError());",
              "for(intbin=0;bin<NUM_BINS;bin++)")
MARKS = re.compile(r"//.*|/\*.*?\*/|\s|^[\s>+-]+")


def bare(line):
    return MARKS.sub("", line)


def gaps(path):
    """{bare line} between TODO and its end, of eight signs and more."""
    found, inside = set(), False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if "TODO(" in line:
                inside = "end of TODO(" not in line
            elif inside and len(bare(line)) >= 8 and not bare(line).startswith("#"):
                found.add(bare(line))
    return found - set(NO_SECRETS)


def kernels(folder, stems):
    for stem in stems:
        place = os.path.join(folder, stem)
        yield next(os.path.join(place, name) for name in sorted(os.listdir(place))
                   if name.endswith((".c", ".cu")))


def bare_lines(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return {bare(line) for line in file}


def secret_lines(stems, answered):
    """What fills the gaps of all chapters without an answer, and stands in no answered solution,
    nor in its own stub."""
    secret = set()
    closed = [stem for stem in stems if stem not in answered]
    for stub, solution in zip(kernels("chapters", closed), kernels("solutions", closed)):
        secret |= gaps(solution) - bare_lines(stub)
    return secret.difference(*map(bare_lines, kernels("solutions", answered)))


def numbers(words):
    """1-3 and 1,2 as a list of numbers."""
    ends = [part.partition("-") for part in words.split(",") if part]
    return [n for first, _, last in ends for n in range(int(first), int(last or first) + 1)]


def files(folder):
    return sorted(os.path.relpath(os.path.join(where, name), folder)
                  for where, _, names in os.walk(folder) for name in names)


def hand_out(chapters, answers, to):
    return scratch.make(os.getcwd(), f"handout CHAPTERS={chapters} ANSWERS={answers} TO={to}")


def tell_of_step(chapters, answers, building, stems):
    """No secret line is in the copy, but in the stubs that build on earlier gaps."""
    name, to = f"CHAPTERS={chapters} ANSWERS={answers}", f"{FOLDER}/{chapters}_{answers}"
    status, output = hand_out(chapters, answers, to)
    if building is None:  # answers of chapters that it does not have
        scratch.tell(f"{name} is refused", None if status and "ANSWERS: there are" in output else output)
        return
    answered = [stem for stem in stems if int(stem[:2]) in numbers(answers)]
    secret = secret_lines(stems, answered)
    shown = {}
    for path in files(to) if status == 0 else ():
        held = bare_lines(os.path.join(to, path)) & secret
        if held:
            shown[path] = held
    allowed = {path for path in shown for stub in building if path.startswith((f"chapters/{stub}_", f"tests/stubs/{stub}_"))}
    allowed |= {path for path in shown if path.startswith("common/contract/given/")}  # for later chapters
    wrong = [f"{path}: {line}" for path in sorted(set(shown) - allowed) for line in shown[path]]
    unsaid = [path for path in allowed if path.startswith("chapters/")
              and f"{path} builds on" not in output]
    problem = output if status else "; ".join(wrong) or \
        (f"does not name {unsaid[0]}" if unsaid else None)
    lines = sum(map(len, shown.values()))
    scratch.tell(f"{name}: of {len(secret)} lines in gaps none is handed out, "
                 f"but for {lines} in {len(allowed)} later stubs", problem)
    tell_of_files(name, to, numbers(chapters), answered)


def tell_of_files(name, to, chapters, answered):
    """Only what belongs there, and no link that leads nowhere."""
    wrong, dead = [], []
    for path in files(to):
        stem = re.search(r"(?:^|/)(\d\d)_\w+", path)
        is_answer = path.startswith(("solutions/", "tests/mutants/"))
        if stem and not path.startswith("docs/pictures/") and int(stem.group(1)) not in chapters:
            wrong.append(path)
        if is_answer and not any(f"/{one}/" in path for one in answered):
            wrong.append(path)
        if path.split("/")[0] in (".git", ".ci") or path.startswith(("common/proofs", "common/handout")):
            wrong.append(path)
        if path.endswith(".md"):
            dead += [f"{path}: {link}" for link in links(to, path)]
        if path.endswith("/05_privatized_global.po"):
            wrong += wrong_entries(to, path, "05_privatized_global" in answered)
    scratch.tell(f"{name}: has the files of its chapters, and whole links",
                 "; ".join(wrong + dead) or None)


def wrong_entries(to, path, answered):
    """What a catalog has of an answer that is held back, and what it lacks of a lesson that is there."""
    with open(os.path.join(to, path), encoding="utf-8") as file:
        english = file.read().replace('"\n"', "")
    return ([f"{path} has {ANSWER}"] if (ANSWER in english) != answered else []) + (
        [] if HINT in english else [f"{path} lacks {HINT}"])


def links(to, page):
    """The links and pictures of a page that lead nowhere."""
    with open(os.path.join(to, page), encoding="utf-8") as file:
        targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", file.read())
    return [link for link in targets if "://" not in link
            and not os.path.exists(os.path.join(to, os.path.dirname(page), link))]


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    stems = sorted(name for name in os.listdir("chapters") if re.match(r"\d\d_", name))
    for chapters, answers, building in STEPS:
        tell_of_step(chapters, answers, building, stems)
    shutil.rmtree(FOLDER)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
