"""handout.py - a copy of the course for students, without what they are to find: make handout CHAPTERS=1-5.

    CHAPTERS=1-5 ANSWERS=1-3 TO=folder handout.py        in the root of the course

CHAPTERS   those that the copy has: 5, 1-5 or 1,2,5-7
ANSWERS    those of them with solution, planted mistakes and the whole lesson; none without it
TO         the folder, which is new, or empty but for .git; without it build/handout-1-5, which is made anew

Before anything is written, all files are searched for lines that fill the gaps of chapters without answers (telling.py).
A stub that builds on an earlier gap shows lines of it, and is named. Code of judge and simulator may have some line of a
gap by chance, but not half of its lines. Any other such line is a mistake of the course, and nothing is written. Prints what was made; a problem is one line, and status 1.
"""
import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

sys.dont_write_bytecode = True

import shortened  # noqa: E402
import telling  # noqa: E402

# What stays at home: the solutions and planted mistakes of chapters without answers, the tests of the course itself, the
# proofs, the lecturer's tools and pages. A `*` also stands for slashes.
LEFT_OUT = (".ci/*", ".github/*", "CONTRIBUTING.md", "build/*", "compile_commands.json", "chapters/*/further/*",
            "chapters/*/break/*", "chapters/*/*.[0-9]*", "chapters/*/predictions.txt*", "chapters/*/best.csv*",
            "chapters/*/verdicts.txt", "common/teach/*", "common/make/help-teach.txt", "common/make/help-build.txt",
            "common/bench/*.py", "common/bench/gpu/keys*",
            "common/bench/gpu/arrays*", "common/bench/gpu/inputs.*", "common/bench/gpu/plain*.cu", "common/bench/gpu/calls.c",
            "common/ladder/*", "docs/exam*", "docs/labs*", "docs/lectures*", "docs/rubric*", "docs/solutions*", "docs/style.md",
            "docs/grading.md", "docs/tutors*", "docs/results/*", "docs/pictures/*", "tests/*.py", "tests/*.ini",
            "tests/advice", "tests/arm64/*", "tests/bare/*", "tests/cheats/*", "tests/course/*", "tests/fidelity/*",
            "tests/given/*", "tests/grading/*", "tests/ladder/*", "tests/litmus/*", "tests/proofs/*", "tests/card/*",
            "tests/right/*", "tests/sim/*", "tests/teach/*", "tests/transcripts/*", "tests/exceptions.txt")
# With which make chapterN score compares, and what a chapter gives, which make progress says.
READ_IN_COPIES = ("docs/results/sim/english-*.csv", "common/teach/points.txt")
WITH_ANSWERS = ("solutions/", "tests/mutants/")
GIVEN = "common/contract/given/"  # code of earlier chapters
STEM = re.compile(r"(?:^|/)(\d\d_[a-z0-9_]+)(?=[./]|$)")


class Refused(Exception):
    """One line for the lecturer."""


# Chapters.

def number(stem):
    return int(stem[:2])


def chosen(words, stems, what):
    """The chapters that 1,3-5 means."""
    here = {number(stem): stem for stem in stems}
    those = f"{what}: the chapters have numbers from {min(here)} to {max(here)}"
    if not re.fullmatch(r"\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*", words):
        raise Refused(f"{those}; say {what}=1-5, for instance, or 1,2,5" + f", and not '{words}'" * bool(words))
    numbers = set()
    for part in words.split(","):
        first, _, last = part.partition("-")
        if int(last or first) < int(first):
            raise Refused(f"{what}={words}: {part} runs backwards: {last}-{first}?")
        for end in {int(first), int(last or first)} - set(here):
            raise Refused(f"{those}, and there is no {end}")
        numbers |= set(range(int(first), int(last or first) + 1)) & set(here)
    return [here[one] for one in sorted(numbers)]


def source(folder, stem):
    """The kernel's file of a chapter in chapters or solutions, or None."""
    return next((str(path) for path in sorted(Path(folder, stem).glob("*.c*")) if path.is_file()), None)


def text_of(folder, stem):
    path = source(folder, stem)
    return Path(path).read_text(errors="replace") if path else ""


def check_whole(stems, released):
    """The course is whole, and the stubs are stubs: a lecturer's own solution is none."""
    for stem in stems:
        if not source("solutions", stem):
            raise Refused(f"solutions/{stem}: is not here; a handout is made of a whole course")
    for stem in released:
        around = {telling.bare(line) for line in text_of("chapters", stem).splitlines()}
        filled = next((gap for gap, line in telling.lines_in_gaps(text_of("solutions", stem)) if line in around
                       and line in dict.fromkeys(line for _, line in telling.lines_in_gaps(text_of("chapters", stem)))), None)
        if filled:
            raise Refused(f"{source('chapters', stem)}: the gap {filled} is filled, so this is no stub: make "
                          f"chapter{number(stem)} reset keeps your file, and puts the stub there")


# Which files, and what becomes of them.

def course_files():
    """All files of the course, as git knows them; where it does not, or is not here, those that lie here."""
    names = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-z"], capture_output=True,
                           text=True).stdout.split("\0") if shutil.which("git") else []
    if "Makefile" not in names:  # no clone, or it lies in somebody else's, or no git
        names = [str(path) for path in Path().rglob("*") if path.parts[0] not in ("build", ".git")]
    return sorted(name for name in names if "__pycache__" not in name and Path(name).is_file())


def is_included(name, released):
    """Whether a kernel of these chapters includes a header of given code, or one that does: it may hold what fills the
    gaps of an earlier chapter."""
    header = Path(name)
    return (any(f'"{header.relative_to("common/contract")}"' in text_of("chapters", stem) for stem in released)
            or any(f'"{header.name}"' in other.read_text() and is_included(other, released)
                   for other in Path(GIVEN).glob("*.h") if other != header))


def is_handed_out(name, released, answered):
    """Whether a copy with these chapters has the file; pictures come with the pages that show them."""
    if any(fnmatch(name, pattern) for pattern in READ_IN_COPIES):
        return True
    if any(fnmatch(name, pattern) for pattern in LEFT_OUT):
        return False
    if name.startswith(GIVEN):
        return is_included(name, released)
    stem, with_answers = STEM.search(name), name.startswith(WITH_ANSWERS)
    if stem:
        return stem.group(1) in (answered if with_answers else released)
    return not with_answers


def pages_of(names, released, answered, secret):
    """{page: text}, with those that are made for the copy."""
    pages = {}
    for name in (name for name in names if name.endswith(".md") and name != "README.md"):
        text, stem = Path(name).read_text(), STEM.search(name)
        if stem and stem.group(1) in released and stem.group(1) not in answered:
            text = shortened.without_answers(text)
        pages[name] = shortened.without_code(shortened.without_lecturers(text), secret)
    titles = {stem: Path(f"docs/{stem}.md").read_text().partition("\n")[0].partition(". ")[2]
              for stem in released if Path(f"docs/{stem}.md").exists()}
    begin = next((stem for stem in released if stem not in answered), released[-1])
    pages["README.md"] = shortened.readme(released, answered, titles, source("chapters", begin))
    help_page = "common/make/help.txt"
    pages[help_page] = shortened.help_of(Path(help_page).read_text(), answered)
    return pages


def copy_of(released, answered, secret):
    """{file: (bytes, mode)} of the copy."""
    names = [name for name in course_files() if is_handed_out(name, released, answered)]
    pages = pages_of(names, released, answered, secret)
    shown = set().union(*(shortened.images(page, text) for page, text in pages.items()))
    names = sorted({*names, *(name for name in shown if Path(name).is_file())} - set(pages))
    there = {*names, *pages, *(str(parent) for name in (*names, *pages) for parent in Path(name).parents)}
    copy = {name: (Path(name).read_bytes(), Path(name).stat().st_mode & 0o777) for name in names}
    for stem in set(released) - set(answered):  # for make reset, which in the whole course asks the solutions
        path = Path(source("chapters", stem))
        copy[f"tests/stubs/{stem}/{path.name}"] = (path.read_bytes(), 0o644)
    for page, text in pages.items():
        copy[page] = (shortened.without_links(page, text, there.__contains__).encode(), 0o644)
    return copy


def is_half(gap, places, secret):
    """Whether half of the lines that fill a gap are at these places, or more."""
    return 2 * len({place.secret for place in places if place.gap == gap}) >= sum(one == gap for one in secret.values())


def told_in(copy, secret):
    """(Places of secret lines in stubs of later chapters, those in answers, which may tell of a later chapter). The
    answers with such lines are taken out of the copy; any other place is refused."""
    in_stubs, in_answers = [], []
    for name, (content, _) in sorted(copy.items()):
        found = telling.places(name, content.decode(errors="replace"), secret)
        if name.startswith(("common/", "tests/")) and not STEM.search(name):
            found = [place for place in found if is_half(place.gap, found, secret)]
        for place in found:
            stem = STEM.search(name)
            if name.startswith(WITH_ANSWERS):
                in_answers.append(place)
            elif name.startswith(("chapters/", "tests/stubs/")) and stem and number(stem[1]) > int(place.gap.split(".")[0]):
                in_stubs.append(place)
            else:
                raise Refused(f"{name}:{place.line}: fills the gap {place.gap}, and may not be handed out: {place.text}")
    for name in {place.file for place in in_answers}:
        del copy[name]
    return in_stubs, in_answers


# The folder.

def check_place(to):
    """Whether the folder may become the copy."""
    if to.is_symlink() or (to.exists() and not to.is_dir()):
        raise Refused(f"{to}: is there, and is no folder")
    if to.is_dir() and any(path.name != ".git" for path in to.iterdir()):
        raise Refused(f"{to}: is not empty; name another folder with TO=")


def write(copy, to):
    for name, (content, mode) in copy.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)


def summary(to, copy, released, answered, secret, in_stubs, in_answers):
    """What was made, in lines."""
    with_answers = f"the answers of {shortened.listed(answered)}" if answered else "no answers"
    yield f"{to}: chapters {shortened.listed(released)}, with {with_answers}; {len(copy)} files"
    for file in sorted({place.file for place in in_answers}):
        gaps = sorted({place.gap for place in in_answers if place.file == file}, key=float)
        yield f"left out: {file}, which shows how {' and '.join(gaps)} is filled"
    yield f"none of the {len(secret)} lines that fill gaps without an answer is in it" + ", but for these:" * bool(in_stubs)
    for file in sorted({place.file for place in in_stubs if place.file.startswith("chapters/")}):
        found = [place for place in in_stubs if place.file == file]
        gaps, lines = sorted({place.gap for place in found}, key=float), len({place.text for place in found})
        yield (f"  {file} builds on {' and '.join(gaps)}, and has {lines} line{'s' * (lines > 1)} of what is filled in "
               "there: release it when that is handed in")


def main():
    stems = sorted({path.name for path in Path("chapters").glob("[0-9][0-9]_*") if path.is_dir()})
    words = os.environ.get("CHAPTERS") or ""
    released = chosen("" if words == "chapters" else words, stems, "CHAPTERS")
    answered = chosen(os.environ["ANSWERS"], released, "ANSWERS") if os.environ.get("ANSWERS") else []
    to = Path(os.environ.get("TO") or f"build/handout-{words}")
    if not os.environ.get("TO"):
        shutil.rmtree(to, ignore_errors=True)
    check_place(to)
    check_whole(stems, released)
    given = (Path(name).read_text() for name in course_files() if name.startswith("common/contract/")
             and (not name.startswith(GIVEN) or is_included(name, released)))
    secret = telling.secrets([(text_of("solutions", stem), text_of("chapters", stem)) for stem in stems if stem not in answered],
                             [*(text_of("solutions", stem) for stem in answered), *given])
    copy = copy_of(released, answered, secret)
    in_stubs, in_answers = told_in(copy, secret)
    write(copy, to)
    print(*summary(to, copy, released, answered, secret, in_stubs, in_answers), sep="\n")


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        sys.exit(f"handout: {refused}")
    except OSError as error:
        sys.exit(f"handout: {error.filename or 'what it says'}: {error.strerror}")
