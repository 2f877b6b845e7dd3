"""translations.py - proves of each catalog in docs/locale what a program can, and tells what is to do in it.

A translation may be behind: what is missing or stale is a remark, and English is shown there. What it says has to
be right: the figures, the code, the links and the conversions of the English (common/book/catalogs.py). The program
of the terminal has to read each catalog without a word, and what it says of a lesson without one is the lesson.
"""
import subprocess
from functools import partial
from pathlib import Path

import course
import judge
from proof import Proof, lines_of

BOOK = "common/book"
READER = ("common/course/language.c", "common/course/units.c", "common/course/lesson.c")


def prove(path):
    import catalogs  # its packages are there once pytest runs
    try:
        entries = catalogs.entries(catalogs.read(path))
    except ValueError as error:
        return [f"FAIL {error}"]
    spoken = Path(path).stem == catalogs.SPOKEN
    wrong = [f"FAIL {path}: {sentence}: {english}" for english, translated in entries.items()
             for sentence in catalogs.wrong(english, translated, spoken)]
    if wrong:
        return wrong
    translated, missing, stale = catalogs.compared(Path(path), judge.VERDICT)
    counted = f"ok {path}: {len(translated)} translated, {len(missing)} missing, {len(stale)} stale"
    return [counted, *(f"{path}: missing: {unit}" for unit in missing), *(f"{path}: stale: {unit}" for unit in stale)]


def read_by_terminal(path):
    """A lesson in the language of a catalog; the sentences of the terminal are read to translate one."""
    language, name = Path(path).parts[-2:]
    lesson = f"docs/{Path(name).stem}.md"
    command = ["lesson", lesson] if Path(lesson).is_file() else ["hint", "none.cu", "none.md", "1", "5", "none"]
    done = subprocess.run([judge.VERDICT, *command], text=True, capture_output=True,
                          env=course.environment(LANGUAGE=language, LC_ALL=""))
    return [f"FAIL {path}: the terminal says {done.stderr.strip()}"] if done.stderr else [
        f"ok {path}: the terminal reads it"]


def prove_lessons(pages):
    """That a lesson without a catalog is what `make chapterN lesson` prints."""
    wrong = [page for page in pages if subprocess.run([judge.VERDICT, "lesson", page], capture_output=True,
                                                      env=course.environment()).stdout != Path(page).read_bytes()]
    return lines_of(f"{len(pages)} lessons are printed as they are",
                    [f"{page}: in English, ladder lesson prints something else" for page in wrong])


def proofs():
    pages, catalogs = course.files("docs/[0-9]*_*.md"), course.files("docs/locale/*/*.po")
    sources = course.files("common/course/*", "common/judge/*", "common/contracts/**/*", "common/sandbox/*",
                           "common/sim/**/*", "common/run/*", "tests/*.c", "chapters/*/*.c*", f"{BOOK}/catalogs.py")
    return [*(Proof("translations", path, partial(prove, path), reads=(*catalogs, *pages, *sources))
              for path in catalogs),
            *(Proof("translations", f"{path} at the terminal", partial(read_by_terminal, path),
                    reads=(path, *pages, *READER)) for path in catalogs),
            Proof("translations", "lessons in English", partial(prove_lessons, pages), reads=(*pages, *READER))]
