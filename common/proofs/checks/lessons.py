"""lessons.py - proves that the pages quote code and measurements as they are.

A lesson may quote its solution, its stub, its planted mistakes and what all chapters share;
the other pages may quote all chapters. A lesson that compares, or a page with a table of claims, names its
source near by. What a page quotes of a verdict is said by somebody.
"""
from functools import partial
from pathlib import Path

import course
from checks import mutants
from proof import Proof, lines_of
from quotes import claims, excerpts, figures, folded, verdicts

SHARED = ("common/contract/**/*.h", "common/contracts/**/*.[ch]", "common/judge/**/*.[ch]",
          "common/run/*.[ch]", "common/kernel/**/*.[ch]", "common/course/*.[ch]", "common/driver/*",
          "common/trace/*.[ch]", "common/count/*.[ch]", "common/tools/**/*.[ch]",
          "common/bench/cpu/*.[ch]")
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/results/**/*.md")


def prove(page, code):
    """A failure for each wrong quotation, else one line."""
    text, own = Path(page).read_text(), [path for path in code if Path(page).stem in path]
    wrong = excerpts.wrong(page, code) + figures.wrong(page) + claims.wrong_rows(page) + verdicts.wrong(page)
    wrong += folded.wrong(page, text.split("\n"), own)
    guarded = course.source("solutions", Path(page).stem) or claims.rows(text)
    wrong += claims.wrong_sentences(page) if guarded else []
    return lines_of(f"{page}: {len(excerpts.excerpts_of(text))} excerpts stand in the code, "
                    f"{len(figures.MARK.findall(text)) + len(claims.rows(text))} tables, rows and paragraphs in docs/results",
                    wrong)


def proof_of(page):
    stem = Path(page).stem
    is_lesson = course.source("solutions", stem) is not None
    wrong = mutants.sources(stem) if is_lesson else []
    code = [*course.files(*SHARED, "solutions/**/*", f"chapters/{stem if is_lesson else '*'}/*"),
            *wrong]
    return Proof("lessons", page, partial(prove, page, code),
                 reads=(page, claims.LIST, *code, *verdicts.sources(page), *figures.sources(page),
                        *claims.sources(page)))


def proofs():
    return [proof_of(page) for page in course.files(*PAGES)]
