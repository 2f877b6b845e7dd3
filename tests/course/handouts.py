#!/usr/bin/env python3
"""handouts.py - a copy for students holds no line that fills a gap, and its stubs are judged.

Makes copies with make handout, for several steps of a course; looks for lines of the gaps with
other means than the program has; judges the stubs of one copy and the references in their place.
Prints "ok ..." and "FAIL ...", and their sum at the end.

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


def hand_out(chapters, answers, to, *more):
    return scratch.make(os.getcwd(), f"handout CHAPTERS={chapters} ANSWERS={answers} TO={to} "
                        + " ".join(more))


def tell_of_step(chapters, answers, building, stems):
    """No secret line is in the copy, but in the stubs that build on earlier gaps."""
    name, to = f"CHAPTERS={chapters} ANSWERS={answers}", f"{FOLDER}/{chapters}_{answers}"
    status, said = hand_out(chapters, answers, to)
    if building is None:  # answers of chapters that it does not have
        scratch.tell(f"{name} is refused", None if status and "ANSWERS: there are" in said else said)
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
              and f"{path} builds on" not in said]
    problem = said if status else "; ".join(wrong) or \
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
    scratch.tell(f"{name}: has the files of its chapters, and whole links",
                 "; ".join(wrong + dead) or None)


def links(to, page):
    """The links and pictures of a page that lead nowhere."""
    with open(os.path.join(to, page), encoding="utf-8") as file:
        targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", file.read())
    return [link for link in targets if "://" not in link
            and not os.path.exists(os.path.join(to, os.path.dirname(page), link))]


def reset(to, stub):
    """A copy has no solutions, and brings the stub back; the solved file is put in its place again."""
    given, mine = os.path.relpath(stub, to), stub + ".1"
    number = int(given.split(os.sep)[1][:2])
    scratch.expect(to, f"chapter{number} reset", True, f"{given}: the stub anew")
    with open(stub, "rb") as back, open(given, "rb") as ours:
        scratch.tell(f"make chapter{number} reset in a copy brings back what it was given",
                     None if back.read() == ours.read() else "it is another text")
    os.replace(mine, stub)


def judge(to, stems):
    """Each stub says that it is not done yet; the reference in its place passes, and so does what
    a student types besides."""
    build = os.path.join("build", "sim-" + os.path.basename(os.environ.get("CC", "gcc")))
    shutil.copytree(build, os.path.join(to, build), symlinks=True,
                    ignore=lambda _, names: filter(scratch.is_of_a_chapter, names))
    for stem in stems:
        number = int(stem[:2])
        stub, = kernels(os.path.join(to, "chapters"), [stem])
        solution, = kernels("solutions", [stem])
        scratch.expect(to, f"chapter{number} test", False, f"not done yet: TODO({number}.1)")
        scratch.expect(to, f"chapter{number} hint", True, f"hint 1 of 3 for TODO({number}.1), the idea")
        shutil.copy(solution, stub)
        scratch.expect(to, f"chapter{number} test", True, f"chapter {number}: right on")
        reset(to, stub)
    scratch.expect(to, f"chapter{int(stems[-1][:2])} run profile TEXT=english SIZE=64K", True,
                   "launch 1: histogram_kernel")
    scratch.expect(to, "", False, "there are no kernels in solutions/")
    for goal in ("test", "check", "handout CHAPTERS=1", "slides", "bench"):
        scratch.expect(to, goal, False, "this copy of the course is for students")


def take_the_next_step(to, stems):
    """A student's copy, in which all is solved, takes the next chapter and the first answers."""
    next_step = f"{FOLDER}/next"
    hand_out(f"1-{len(stems) + 1}", "1", next_step)
    with open(f"{to}/chapters/notes.txt", "w", encoding="utf-8") as file:
        file.write("mine\n")
    status, printed = scratch.make(to, f"update COURSE={os.path.abspath(next_step)}")
    kept = all(bare_lines(*kernels(f"{to}/chapters", [stem])) ==
               bare_lines(*kernels("solutions", [stem])) for stem in stems)
    missing = [path for path in files(next_step) if not os.path.exists(f"{to}/{path}")]
    scratch.tell("make update takes the next step, and leaves what the student wrote",
                 None if status == 0 and kept and not missing and "chapters/notes.txt" in files(to)
                 else f"{missing}: {printed}")
    scratch.expect(to, "chapter1 solution test", True, "chapter 1: right on")


def refuse():
    """Nonsense is one line, and nothing is written or lost."""
    to = f"{FOLDER}/refused"
    for words, said in (("9-3", "9-3 runs backwards: 3-9?"), ("1-99", "and no 99"), ("0", "and no 0"),
                        ("x", "and not 'x'"), ("", "and not ''"), ("1-", "and not '1-'"),
                        ("99999999999999999999", "and not '9")):
        status, printed = hand_out(words, "", to)
        ours = [line for line in printed.splitlines() if line.startswith("handout: ")]
        scratch.tell(f"CHAPTERS={words}: {said}",
                     None if status and len(ours) == 1 and said in ours[0] and not os.path.exists(to)
                     else printed)
    os.makedirs(to)
    with open(f"{to}/mine.txt", "w", encoding="utf-8") as file:
        file.write("mine\n")
    status, printed = hand_out("1", "", to)
    scratch.tell("a folder that is not empty stays as it is",
                 None if status and "is not empty" in printed and files(to) == ["mine.txt"] else printed)
    status, printed = hand_out("1", "", f"{to}/mine.txt")
    scratch.tell("a file is no folder", None if status and "is no folder" in printed else printed)


def hand_out_again(stems):
    """The next step over the last one; not over a file that somebody changed."""
    to = f"{FOLDER}/again"
    hand_out("1-2", "", to)
    status, printed = hand_out("1,3", "1", to)
    second = [stem for stem in stems if stem.startswith("02_")][0]
    gone = not os.path.exists(f"{to}/docs/{second}.md") and not os.path.exists(f"{to}/chapters/{second}")
    scratch.tell("a copy is made anew with other chapters", None if status == 0 and gone else printed)
    os.remove(f"{to}/.course")
    os.remove(f"{to}/LICENSE")
    scratch.add(to, "README.md.making", "half of it")
    status, printed = hand_out("1,3", "1", to)
    scratch.tell("a copy that was cut off is completed", None if status == 0 and
                 os.path.exists(f"{to}/LICENSE") and not os.path.exists(f"{to}/README.md.making")
                 else printed)
    page = f"{to}/docs/README.md"
    with open(page, "a", encoding="utf-8") as file:
        file.write("A remark of the lecturer's.\n")
    before = bare_lines(page)
    status, printed = hand_out("1-3", "", to)
    scratch.tell("a copy with a changed file stays as it is",
                 None if status and "docs/README.md is not as it was handed out" in printed
                 and bare_lines(page) == before else printed)


def refuse_a_solved_stub(stems):
    """A course whose lecturer has filled a gap makes no copy."""
    target = scratch.copy(os.getcwd(), "handouts/solved")
    stub, = kernels(os.path.join(target, "chapters"), stems[:1])
    solution, = kernels("solutions", stems[:1])
    shutil.copy(solution, stub)
    scratch.expect(target, "handout CHAPTERS=1-2", False, f"the gap {int(stems[0][:2])}.1 is filled")


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    stems = sorted(name for name in os.listdir("chapters") if re.match(r"\d\d_", name))
    for chapters, answers, building in STEPS:
        tell_of_step(chapters, answers, building, stems)
    refuse()
    hand_out_again(stems)
    refuse_a_solved_stub(stems)
    judge(f"{FOLDER}/1-3_", stems[:3])
    take_the_next_step(f"{FOLDER}/1-3_", stems[:3])
    shutil.rmtree(FOLDER)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
