"""glossary.py - proves that docs/glossary.md and the lessons agree.

A term is `**term** (chapter 2): explanation. [Lesson 2](02_name.md)`, and terms are sorted. The
lesson uses the term; and where lessons print it in italics, which they do where they introduce it,
the first of them is the one that the glossary names.
"""
import re
from functools import partial
from pathlib import Path

import course
from proof import Proof

PAGE = "docs/glossary.md"
TERM = re.compile(r"\*\*([^*]+)\*\* \(chapter (\d+)\): (.+?) \[Lesson (\d+)\]\((\d+_\w+\.md)\)$")
MOST_SENTENCES = 3


def prose(path):
    """A lesson without its code, on one line."""
    text = re.sub(r"^ *```.*?^ *```", "", Path(path).read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\s+", " ", text)


def forms(term):
    """How a term may be written: bank, banks; privatization; fold, folds, folded."""
    return rf"{re.escape(term)}(?:s|es|d|ed)?"


def first_in_italics(term, lessons):
    """The number of the first lesson that prints the term in italics, or None."""
    words = re.compile(rf"(?<!\*)\*{forms(term)}\*(?!\*)", re.IGNORECASE)
    return next((course.number(Path(path).name) for path, text in lessons.items()
                 if words.search(text)), None)


def wrong_term(entry, lessons):
    """What is wrong with one entry; its term."""
    parts = TERM.match(entry)
    if not parts:
        return entry[:40], [f"not of the form **term** (chapter N): ... [Lesson N](...): {entry}"]
    term, chapter, said, linked, page = parts.groups()
    path, wrong = f"docs/{page}", []
    if path not in lessons:
        return term, [f"{term}: there is no {path}"]
    if not int(chapter) == int(linked) == course.number(page):
        wrong.append(f"{term}: chapter {chapter}, lesson {linked} and {page} are not one")
    if not re.search(rf"\b{forms(term)}\b", lessons[path], re.IGNORECASE):
        wrong.append(f"{term}: {path} does not use it")
    first = first_in_italics(term, lessons)
    if first not in (None, int(chapter)):
        wrong.append(f"{term}: lesson {first} introduces it, not {chapter}")
    if len(re.findall(r"[.!?](?:\s|$)", said)) > MOST_SENTENCES:
        wrong.append(f"{term}: more than {MOST_SENTENCES} sentences")
    return term, wrong


def prove(pages):
    lessons = {path: prose(path) for path in pages}
    entries = [re.sub(r"\s+", " ", entry).strip() for entry in
               Path(PAGE).read_text().split("\n\n") if entry.startswith("**")]
    terms, wrong = [], []
    for entry in entries:
        term, sentences = wrong_term(entry, lessons)
        terms.append(term.lower().replace("-", " "))
        wrong += sentences
    wrong += [f"{two} does not come after {one}" for one, two in zip(terms, terms[1:]) if one >= two]
    return [f"FAIL {PAGE}: {sentence}" for sentence in wrong] or [
        f"ok {PAGE}: {len(terms)} terms, each in the lesson that it names"]


def proofs():
    pages = course.files("docs/[0-9]*_*.md")
    return [Proof("glossary", PAGE, partial(prove, pages), reads=(PAGE, *pages))]
