"""glossary.py - proves that docs/glossary.md and the lessons agree, and that each term is explained where it comes first.

A term is `**term** (chapter 2): explanation. [Lesson 2](02_name.md)`, and terms are sorted. Lesson 2 introduces it: it
has it in italics, and no lesson before it has it at all. Capitals and plurals do not matter, nor do code, headings,
names of chapters in tables, the heads of what is folded, and the last section, which is about the literature and the
next chapter; but for italics, of which that of lesson 2 is the first. A word that everybody uses may come earlier in
its everyday sense; and whoever programs in C knows threads and registers, so that the lessons of chapters in plain C
may speak of them.
"""
import re
from collections import namedtuple
from functools import partial
from pathlib import Path

import course
from proof import Proof, lines_of

PAGE = "docs/glossary.md"
TERM = re.compile(r"\*\*([^*]+)\*\* \(chapter (\d+)\): (.+?) \[Lesson (\d+)\]\((\d+_\w+\.md)\)$")
MOST_SENTENCES = 3
LAST = "\n## Where this stands\n"
EVERYDAY = {"chunk", "column", "copy", "fence", "flush", "head", "host", "mask", "merge", "overflow",
            "reduction", "round", "row", "run", "section", "seed", "shuffle", "stream", "tail", "technique", "tree",
            "word"}
ITALICS = re.compile(r"(?<![*\w])\*(?![*\s])([^*]+?)\*(?![*\w])")
NO_TEXT = (re.compile(r"^ *```.*?^ *```", re.M | re.S), re.compile(r"^    .*$", re.M),
           re.compile(r"<!--.*?-->", re.S), re.compile(r"<summary>.*?</summary>", re.S), re.compile(r"`[^`]*`"),
           re.compile(r"(?<=\])\([^)]*\)"), re.compile(r"^#.*$", re.M), re.compile(r"<[^>]*>"),
           re.compile(r"\| \d+\. [^|]*"))

# Of a lesson: its words, in small letters with one blank between two, and all that is in italics.
Lesson = namedtuple("Lesson", "words italics")


def words_of(text):
    for pattern in NO_TEXT:
        text = pattern.sub(" ", text)
    return " ".join(text.lower().split())


def lesson_of(text):
    return Lesson(words_of(text.partition(LAST)[0]), ITALICS.findall(words_of(text)))


def pattern_of(term):
    """Finds a term as a whole word, its plural and its past: latencies, conflicts, flushed."""
    word = re.escape(term.lower())
    forms = [word + r"(?:e?s|e?d)?"]
    if term.endswith("y"):
        forms.append(re.escape(term.lower()[:-1]) + "ies")
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])")


def wrong_place(term, number, lessons, of_c=()):
    """Whether lesson `number` introduces a term: sentences. lessons are {number: Lesson}, `of_c` the numbers of
    chapters in plain C."""
    pattern = pattern_of(term)
    if number not in lessons:
        yield f"{term}: there is no lesson {number}"
    elif not any(pattern.search(words) for words in ITALICS.findall(lessons[number].words)):
        yield f"{term}: lesson {number} does not have it in italics"
    for earlier in sorted(one for one in lessons if one < number):
        found = pattern.search(lessons[earlier].words)
        if found and term not in EVERYDAY and earlier not in of_c:
            around = lessons[earlier].words[max(0, found.start() - 30):found.end() + 20]
            yield f"{term}: lesson {earlier} has it, before lesson {number} explains it: ... {around} ..."
        elif any(map(pattern.fullmatch, lessons[earlier].italics)):
            yield f"{term}: lesson {earlier} introduces it, not {number}"


def wrong_entry(entry, lessons, of_c=()):
    """What is wrong with one entry; its term."""
    parts = TERM.match(entry)
    if not parts:
        return entry[:40], [f"not of the form **term** (chapter N): ... [Lesson N](...): {entry}"]
    term, chapter, meaning, linked, page = parts.groups()
    wrong = [*wrong_place(term, int(chapter), lessons, of_c)]
    if not int(chapter) == int(linked) == course.number(page) or not Path("docs", page).is_file():
        wrong.append(f"{term}: chapter {chapter}, lesson {linked} and {page} are not one")
    if len(re.findall(r"[.!?](?:\s|$)", meaning)) > MOST_SENTENCES:
        wrong.append(f"{term}: more than {MOST_SENTENCES} sentences")
    return term, wrong


def prove(pages):
    lessons = {course.number(Path(path).stem): lesson_of(Path(path).read_text()) for path in pages}
    of_c = [course.number(stem) for stem in course.stems("solutions") if course.source("solutions", stem).endswith(".c")]
    entries = [re.sub(r"\s+", " ", entry).strip() for entry in
               Path(PAGE).read_text().split("\n\n") if entry.startswith("**")]
    found = [wrong_entry(entry, lessons, of_c) for entry in entries]
    terms, wrong = [term.lower().replace("-", " ") for term, _ in found], [one for _, meaning in found for one in meaning]
    wrong += [f"{two} does not come after {one}" for one, two in zip(terms, terms[1:]) if one >= two]
    return lines_of(f"{len(terms)} terms, each in italics where it comes first, in the lesson that it names", wrong,
                    f"{PAGE}: ")


def proofs():
    pages = course.files("docs/[0-9]*_*.md")
    return [Proof("glossary", PAGE, partial(prove, pages), reads=(PAGE, *pages))]
