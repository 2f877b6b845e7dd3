"""style.py - proves of docs/style.md what a program can: that lessons do not become harder to read.

It counts in the prose of each lesson, as markdown-it reads it: sentences of more than 25 words; terms that
say less than the field's own, or nothing (BANNED); and sentences that begin with a place and put the verb
before its subject ("Between these are barriers"). Code, tables, headings, comments, heads of what is
folded, descriptions of pictures, the targets of links and the list of the literature are no prose; what
is in code within a sentence is one word.

tests/style.txt has a line for each lesson that is not there yet: its page, and how many of the three it
may have. More of one is a failure, fewer is said. What has no line may have none, nor a younger lesson.
"""
import re
from functools import lru_cache, partial
from pathlib import Path

from markdown_it import MarkdownIt

import course
from proof import Proof

LIST = "tests/style.txt"
GUIDE, MOST_WORDS = "docs/style.md", 25
PAGES = ("docs/[0-9]*_*.md",
         *map("docs/{}.md".format, "claims divergence fusion labs lectures libraries scan syllabus timing tutors".split()))
OLDER = {*range(1, 15), *range(20, 34), *range(40, 48), 60, 61}  # the lessons that may have a line
LAST = "Where this stands"
BANNED = re.compile(r"(?<![\w-])(?:crowd(?:s|ed|ing)?|in vain|meets?|met|far end|hostile|dear(?:er|est|ly)?|"
                    r"of course|obviously|simply|clearly|naturally|merely|actually|really|basically|just|"
                    r"trivial(?:ly)?|very|needless to say|as we all know|note that|magic|suffers?|so kind|kind text|"
                    r"(?:do|does|did) not (?:care|mind)|cares a little|isn't it|has it not)(?![\w-])", re.I)
SENTENCE = re.compile(r"(?<=[.?!])[*_)\"]*\s+(?=[A-Z0-9*`\[\"(])")
# "After" and "before" are missing: a clause may begin with them, whose verb is where it belongs.
PLACE = "(?:In|On|At|Of|Behind|Between|Below|Above|Under|Beside|Among|Beyond|From|With)"
WORD = r"(?: (?!(?:it|they|each|one|all|there|that|this)\b)[\w`-]+)"
HEAD = "(?:the|an?|its|their|every|two|three)"
IS, LIES = "(?:is|are|was|were)", "(?:lies?|stands?|comes?|goes)"
INVERTED = re.compile(rf"{PLACE} (?:(?:it|them|these|this) (?:{IS}|{LIES})\b|{HEAD}{WORD} {IS} (?:an?|the|no)\b|"
                      rf"{HEAD}{WORD}{{1,2}} {LIES} (?:an?|the|no)\b)")
WORDS = ("long sentences", "banned terms", "inverted sentences")


def paragraphs(text):
    """The paragraphs of a page, each as one line without code and marks."""
    found, last, depth = [], False, 0
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for before, token in zip([None, *tokens], tokens):
        depth += token.nesting if token.type.endswith("list_open") or token.type.endswith("list_close") else 0
        if token.type != "inline":
            continue
        if before.type == "heading_open":
            last = token.content == LAST
        elif before.type == "paragraph_open" and not (last and depth):
            found.append("".join({"text": part.content, "code_inline": "Code", "softbreak": " "}.get(
                part.type, "") for part in token.children))
    return found


def sentences(text):
    """Those of a page's prose."""
    return [sentence for words in paragraphs(text) for sentence in SENTENCE.split(words.strip()) if sentence]


def found(text):
    """What is wrong with the style of a page: three lists, as WORDS has them."""
    prose = sentences(text)
    return ([sentence for sentence in prose
             if len([word for word in sentence.split() if re.search(r"\w", word)]) > MOST_WORDS],
            [f"{term.group()}: {sentence}" for sentence in prose for term in BANNED.finditer(sentence)],
            [sentence for sentence in prose if INVERTED.match(sentence) and not sentence.endswith("?")])


@lru_cache(maxsize=None)
def listed(path=LIST):
    """{"05_name": (4, 2, 0)}: how many of each a lesson may have."""
    lines = [line.split() for line in Path(path).read_text().splitlines() if line and not line.startswith("#")]
    return {stem: tuple(map(int, numbers)) for stem, *numbers in lines}


def prove(page, allowed):
    wrong = found(Path(page).read_text())
    counts = tuple(map(len, wrong))
    said = [f"FAIL {page}: {len(of_one)} {word}, and {most} are allowed ({GUIDE}): {sentence}"
            for word, of_one, most in zip(WORDS, wrong, allowed) if len(of_one) > most for sentence in of_one]
    if said:
        return said
    line = f"ok {page}: " + ", ".join(f"{count} {word}" for count, word in zip(counts, WORDS))
    lower = f"{LIST}: lower its line: {Path(page).stem} {' '.join(map(str, counts))}"
    return [line] if counts == allowed else [line, lower]


def prove_list(path, lessons):
    """That each line of the list is of an old lesson, has three numbers, and is needed."""
    said = [f"FAIL {path}: {stem}: " + why for stem, numbers in listed(path).items() for is_wrong, why in (
        (stem not in lessons, "there is no such lesson"),
        (not stem[:2].isdigit() or int(stem[:2]) not in OLDER, "a new lesson has no line here"),
        (len(numbers) != len(WORDS), "three numbers are wanted: " + ", ".join(WORDS)),
        (not any(numbers), "what may have none needs no line")) if is_wrong]
    return said or [f"ok {path}: {len(listed(path))} lessons may have some, "
                    f"{len(lessons) - len(listed(path))} none"]


def proofs():
    pages = course.files(*PAGES)
    allowed = listed() if Path(LIST).exists() else {}
    return [Proof("style", LIST, partial(prove_list, LIST, [Path(page).stem for page in pages]),
                  reads=(LIST, *pages)),
            *(Proof("style", page, partial(prove, page, allowed.get(Path(page).stem, (0, 0, 0))),
                    reads=(page,), knows=str(allowed.get(Path(page).stem)))
              for page in pages)]
