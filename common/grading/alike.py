"""alike.py - which submissions are alike beyond what the stub gives them: a page for who grades.

Of a text remain its tokens, where all names but those of the language are one, and so are all numbers; comments
and blanks are none. Of each WINDOW runs of LENGTH tokens that with the least hash is kept (winnowing: Schleimer,
Wilkerson and Aiken, 2003). Left out is what stands in the stub, and what many have. What two share of the rest,
as a part of the shorter, is how much they are alike.
"""
import re
import subprocess
import zlib
from collections import Counter
from html import escape
from itertools import combinations
from pathlib import Path

from points import printable
from webpages import page, row

LENGTH, WINDOW = 14, 4  # tokens of a run; runs
LEAST, SHARE = 6, 0.6   # runs that are left of a text; the share from which on a pair is shown
MOST = 1 << 16          # characters of a text that are compared
MANY = 5                # so many may have a run, or a quarter of the class
TOKEN = re.compile(
    r"(?P<none>//[^\n]*|/\*.*?(?:\*/|\Z)|\s+|\\\n)|(?P<name>[A-Za-z_]\w*)|"
    r"(?P<one>\.?\d[\w.]*|\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?)|"
    r"<<<|>>>|[-+*/%&|^<>=!]=|\+\+|--|<<|>>|&&|\|\||.", re.DOTALL)
LANGUAGE = re.compile(
    r"__\w+|(?:atomic|cuda)[A-Z]\w*|(?:thread|block)(?:Idx|Dim)|gridDim|if|else|for|while|do|switch|case|break|"
    r"continue|return|sizeof|const|static|unsigned|signed|int|char|long|size_t|float|double|struct|enum|volatile|"
    r"template|auto|void")


def tokens(text):
    """[(token, its line)]; a name and a number are a letter."""
    found, line = [], 1
    for token in TOKEN.finditer(text[:MOST]):
        word, kind = token.group(), token.lastgroup
        if kind != "none":
            named = kind == "name" and not LANGUAGE.fullmatch(word)
            found.append(("n" if named else "1" if kind == "one" else word, line))
        line += word.count("\n")
    return found


def runs(text):
    """[(hash, line)] of all runs of tokens."""
    found = tokens(text)
    return [(zlib.crc32(" ".join(word for word, _ in found[i:i + LENGTH]).encode()), found[i][1])
            for i in range(len(found) - LENGTH + 1)]


def kept(text):
    """{hash: line} of those that stand for a text."""
    found = runs(text)
    return dict(min(reversed(found[i:i + WINDOW])) for i in range(max(1, len(found) - WINDOW + 1)) if found)


def stub_of(root, chapter, ladder):
    """What is given: the solution with empty gaps, or nothing where it is not here. `ladder` is the program."""
    path = Path(root, "solutions", chapter.stem, chapter.file)
    return subprocess.run([ladder, "gaps", "--stub", path], text=True, capture_output=True,
                          check=True).stdout if path.is_file() else ""


def pairs(texts, stub):
    """[(share, name, name, lines of the one, lines of the other)] of those that are alike, most alike first; texts
    are {name: text}."""
    given = {value for value, _ in runs(stub)}
    own = {name: {value: line for value, line in kept(text).items() if value not in given}
           for name, text in texts.items()}
    of_many = {value for value, number in Counter(value for found in own.values() for value in found).items()
               if number > max(MANY, len(texts) / 4)}
    own = {name: {value: found[value] for value in found.keys() - of_many} for name, found in own.items()}
    found = []
    for one, other in combinations(sorted(name for name in own if len(own[name]) >= LEAST), 2):
        shared = own[one].keys() & own[other].keys()
        share = len(shared) / min(len(own[one]), len(own[other]))
        if share >= SHARE:
            found.append((share, one, other, *(sorted(own[name][value] for value in shared) for name in (one, other))))
    return sorted(found, key=lambda pair: (-pair[0], pair[1:3]))


def alike_page(handed_in, chapters, root, ladder):
    """The page; handed_in is {chapter's stem: {name: text}}, and `root` the course's."""
    found = [(chapter.number, *pair) for chapter in chapters
             for pair in pairs(handed_in.get(chapter.stem, {}), stub_of(root, chapter, ladder))]
    rows = "".join(row([number, escape(printable(one)), f"{lines[0]} to {lines[-1]}", escape(printable(other)),
                        f"{others[0]} to {others[-1]}", f"{share:.0%}"])
                   for number, share, one, other, lines, others in found)
    head = row(["chapter", "name", "lines", "name", "lines", "alike"], "th")
    return page("Alike", f"<p>Pairs of submissions that share at least {SHARE:.0%} of what neither the stub nor "
                "many others have. Names, numbers, comments and blanks make no difference. That proves nothing: a gap "
                "of few lines leaves little choice. Read both.</p>\n"
                + (f"<table>{head}{rows}</table>\n" if rows else "<p>None.</p>\n"))
