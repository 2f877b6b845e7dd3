"""terms.py - proves that each term of docs/glossary.md is explained where it comes first.

A line `**term** (chapter 2): ...` says that lesson 2 introduces the term: it has it in italics,
and no lesson before it has it at all. Capitals and plurals do not matter, nor do code, headings,
names of chapters in tables, the heads of what is folded, and the last section, which is about the
literature and the next chapter. A word that everybody uses may come earlier in its everyday
sense; and whoever programs in C knows threads and registers, so that the lessons of chapters in
plain C may speak of them. The form of the page itself: glossary.py.
"""
import re
from functools import partial
from pathlib import Path

import course
from proof import Proof

GLOSSARY = "docs/glossary.md"
LAST = "\n## Where this stands\n"
EVERYDAY = {"chunk", "column", "copy", "fence", "flush", "head", "host", "mask", "merge", "overflow",
            "reduction", "round", "row", "run", "section", "seed", "shuffle", "stream", "tail", "technique", "tree",
            "word"}
TERM = re.compile(r"^(?:\| |[-*] )?\*\*([^*\n]+)\*\*(?: \|)? \(?chapter (\d+)\)?", re.MULTILINE)
ITALICS = re.compile(r"(?<![*\w])\*(?![*\s])([^*]+?)\*(?![*\w])")
NO_TEXT = (re.compile(r"^ *```.*?^ *```", re.M | re.S), re.compile(r"^    .*$", re.M),
           re.compile(r"<!--.*?-->", re.S), re.compile(r"<summary>.*?</summary>", re.S), re.compile(r"`[^`]*`"),
           re.compile(r"(?<=\])\([^)]*\)"), re.compile(r"^#.*$", re.M), re.compile(r"<[^>]*>"),
           re.compile(r"\| \d+\. [^|]*"))


def text_of(page):
    """The words of a page in small letters, one blank between two."""
    text = Path(page).read_text().partition(LAST)[0]
    for pattern in NO_TEXT:
        text = pattern.sub(" ", text)
    return " ".join(text.lower().split())


def pattern_of(term):
    """Finds a term as a whole word, its plural and its past: latencies, conflicts, flushed."""
    word = re.escape(term.lower())
    forms = [word + r"(?:e?s|e?d)?"]
    if term.endswith("y"):
        forms.append(re.escape(term.lower()[:-1]) + "ies")
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])")


def wrong(terms, lessons, of_c=()):
    """What is wrong; lessons are {number: text}, terms are pairs of a term and its number; `of_c` are
    the numbers of chapters in plain C."""
    sentences = []
    for term, number in terms:
        pattern = pattern_of(term)
        italics = ITALICS.findall(lessons.get(number, ""))
        if number not in lessons:
            sentences.append(f"{term}: there is no lesson {number}")
        elif not any(pattern.search(words) for words in italics):
            sentences.append(f"{term}: lesson {number} does not have it in italics")
        sentences += [f"{term}: lesson {earlier} has it, before lesson {number} explains it: "
                      f"... {around(lessons[earlier], pattern)} ..."
                      for earlier in sorted(set(lessons) - set(of_c))
                      if earlier < number and term not in EVERYDAY and pattern.search(lessons[earlier])]
    return sentences


def around(text, pattern):
    found = pattern.search(text)
    return text[max(0, found.start() - 30):found.end() + 20]


def prove(page, pages):
    terms = [(term, int(number)) for term, number in TERM.findall(Path(page).read_text())]
    lessons = {course.number(Path(path).stem): text_of(path) for path in pages}
    of_c = [course.number(stem) for stem in course.stems("solutions")
            if course.source("solutions", stem).endswith(".c")]
    if not terms:
        return [f"FAIL {page}: it has no term"]
    return [f"FAIL {page}: {sentence}" for sentence in wrong(terms, lessons, of_c)] or [
        f"ok {page}: {len(terms)} terms are in italics where they come first"]


def proofs():
    pages = course.files("docs/[0-9]*_*.md")
    if not Path(GLOSSARY).exists():
        return []
    return [Proof("terms", GLOSSARY, partial(prove, GLOSSARY, pages), reads=(GLOSSARY, *pages))]
