"""alike.py - which submissions are alike beyond what the stub gives them.

Of a text remain its tokens, where all names but those of the language are one, and so are all numbers; comments and
blanks are none. Of each WINDOW runs of LENGTH tokens that with the least hash is kept (winnowing: Schleimer, Wilkerson
and Aiken, 2003). Left out is what stands in the stub, and what many have. What two share of the rest, as a part of the
shorter, is how much they are alike. Texts that are the same but for names, numbers and comments are one text then, so
that a copy that goes round is not what many have; they are always told.
"""
import re
import zlib
from collections import Counter, defaultdict
from itertools import combinations

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


def same(texts):
    """{the first name: all names of the same tokens}, but for texts of a line or two."""
    groups = defaultdict(list)
    for name in sorted(texts):
        groups[tuple(word for word, _ in tokens(texts[name]))].append(name)
    return {names[0]: names for words, names in groups.items() if len(words) > LENGTH}


def pairs(texts, stub):
    """[(share, name, name, lines of the one, lines of the other)] of those that are alike, most alike first; texts are
    {name: text}, no two of them the same."""
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


def told(number, texts, stub):
    """Lines about those of a chapter that are alike, and those that are the same; an untouched stub is nobody's."""
    stubs = [word for word, _ in tokens(stub)]
    texts = {name: text for name, text in texts.items() if [word for word, _ in tokens(text)] != stubs}
    groups = same(texts)
    lines = [f"chapter {number}: the same but for names, numbers and comments: {', '.join(names)}"
             for names in groups.values() if len(names) > 1]
    for share, one, other, lines_of_one, lines_of_other in pairs({name: texts[name] for name in groups}, stub):
        lines.append(f"chapter {number}: {share:.0%}: {one} (lines {lines_of_one[0]} to {lines_of_one[-1]}), "
                     f"{other} (lines {lines_of_other[0]} to {lines_of_other[-1]})")
    return lines
