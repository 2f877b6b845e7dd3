"""style.py - proves of docs/style.md what a program can: that lessons do not become harder to read.

In the prose of each lesson, as markdown-it reads it, there is no sentence of more than 25 words; no term that says
less than the field's own, or nothing (BANNED); no sentence that begins with a place and puts the verb before its subject
("Between these are barriers"); and none that begins with a pronoun and a passive ("It was measured"), which names
neither who acts nor on what. Code, tables, headings, comments, heads of what is folded, descriptions of pictures, the
targets of links and the list of the literature are no prose; what is in code within a sentence is one word.
"""
import re
from functools import partial
from pathlib import Path

from markdown_it import MarkdownIt

import course
from proof import Proof, lines_of

GUIDE, MOST_WORDS = "docs/style.md", 25
PAGES = ("docs/[0-9]*_*.md",
         *map("docs/{}.md".format, "claims divergence fusion labs lectures libraries scan syllabus timing tutors".split()))
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
TAKES = (r"(?:\w{3,}ed|read|written|made|done|taken|given|sent|kept|said|told|seen|found|lost|held|shown|drawn|built|"
         r"chosen|left|known|set|split|spent|brought|thrown|dealt|paid)")
PASSIVE = re.compile(rf"(?:It|They|This|These|That|Those|There|What) (?:{IS}|has been|have been) "
                     rf"(?:(?:then|also|not|now|only) )?{TAKES}\b")
WORDS = ("long sentence", "banned term", "inverted sentence", "passive start")


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
    """What is wrong with the style of a page: a list for each of WORDS."""
    prose = sentences(text)
    return ([sentence for sentence in prose
             if len([word for word in sentence.split() if re.search(r"\w", word)]) > MOST_WORDS],
            [f"{term.group()}: {sentence}" for sentence in prose for term in BANNED.finditer(sentence)],
            *([sentence for sentence in prose if begins.match(sentence) and not sentence.endswith("?")]
              for begins in (INVERTED, PASSIVE)))


def prove(page):
    wrong = [f"{word} ({GUIDE}): {sentence}"
             for word, of_one in zip(WORDS, found(Path(page).read_text())) for sentence in of_one]
    return lines_of(f"no {', no '.join(WORDS)}", wrong, f"{page}: ")


def proofs():
    return [Proof("style", page, partial(prove, page), reads=(page,)) for page in course.files(*PAGES)]
