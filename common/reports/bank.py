"""bank.py - reads the questions of docs/exam.md, and draws the numbers of those that have a comment `drawn`.

The head of that page tells the form of a question and of such a comment.
"""
import re
from collections import namedtuple

import counters
import pages
from counters import Counter, Wrong

PAGE = "docs/exam.md"
HEAD = re.compile(r"### (\d+\.\d+) (.+) \((G\d), (\d+) points?, (\d+) minutes?\)$")
DRAWN = re.compile(r"<!-- drawn\n(.*?)\n\n(.*?)\n\nAnswer: (.*?)\n-->", re.DOTALL)
RULE = re.compile(r"^(\w[\w; ]*) =\s+(.*(?:\n  .*)*)", re.MULTILINE)
COUNTED = re.compile(r"([\w.]+) (?:in chapter (\d+),|of) (.*)$")
LETTER = re.compile(r"\*\*([a-z])\b\.?\*\*")

# `chapter` is a number, `title` the chapter's; `asked` and `answer` are blocks; `drawn` is a match of DRAWN, or
# None; `value` is the one number that is asked for, where a comment says that there is one.
Question = namedtuple("Question", "name chapter title kind goal points minutes asked answer drawn value")


def questions(text):
    """All questions of the page, in their order, with the numbers that stand there."""
    for heading, lines in pages.sections(text):
        chapter = re.fullmatch(r"Chapter (\d+): (.*)", heading)
        for part in re.split(r"^(?=### )", "\n".join(lines), flags=re.MULTILINE)[1:] if chapter else ():
            yield question_of(part, int(chapter.group(1)), chapter.group(2))


def question_of(part, chapter, title):
    first, _, rest = part.partition("\n")
    head, found, drawn_by = HEAD.match(first), pages.blocks(rest.split("\n")), DRAWN.search(rest)
    answers = [block for block in found if block.kind == "fold"]
    if not head or [block.text for block in answers] != ["Answer"] or bool(drawn_by) != ("<!-- drawn" in rest):
        raise Wrong(f"{PAGE}: this has not the form of a question: {first}")
    name, kind, goal, points, minutes = head.groups()
    return Question(name, chapter, title, kind.lower(), goal, int(points), int(minutes),
                    [block for block in found if block.kind != "fold"], answers[0].inside, drawn_by, None)


def choices(question):
    """{letter: (the choice, what the answer says of it)} of a multiple choice, and the right letter."""
    listed = [item[0].text for block in question.asked if block.kind == "list" for item in block.inside]
    right, *sentences = re.split(r"(?<=\.\*\*) |(?<=\.) (?=\*\*|[A-Z])", " ".join(
        block.text for block in question.answer))
    of = letters = LETTER.findall(right)
    found = {LETTER.match(text).group(1): (text, []) for text in listed}
    for sentence in sentences:  # one without a letter goes on about those of the sentence before
        of = LETTER.findall(sentence) or of
        for letter in of:
            found[letter][1].append(sentence)
    return {letter: (text, " ".join(said)) for letter, (text, said) in found.items()}, letters[0]


def calculated(words, values):
    """What stands in braces, of these values."""
    return eval(" ".join(words.split()), {"__builtins__": {}, "round": round}, values)


def filled(text, values, form="{}"):
    """A text with what its braces say; `form` is how a whole number is written."""
    def shown(found):
        value = calculated(found.group(1), values)
        return form.format(value) if isinstance(value, int) else str(value)
    return re.sub(r"\{(.*?)\}", shown, text, flags=re.DOTALL)


def drawn(asked, choose):
    """The questions with numbers that choose(question, choices) has drawn, and the answers to these."""
    values, wanted = {question.name: {} for question in asked}, {}
    rules = [(one, *rule) for one in asked if one.drawn for rule in RULE.findall(one.drawn.group(1))]
    for one, names, rule in rules:
        counted = COUNTED.match(rule)
        if counted:
            wanted[one.name, names] = Counter(*counted.groups()[:2], filled(counted.group(3), values[one.name]))
        elif not rule.startswith("{"):
            fields = [field.strip() for field in choose(one, rule.split("|")).split(";")]
            values[one.name].update((name, int(field) if field.isdigit() else field)
                                    for name, field in zip(names.split("; "), fields, strict=True))
    for (name, names), value in zip(wanted, counters.count(list(wanted.values()))):
        values[name][names] = value
    for one, names, rule in rules:
        if rule.startswith("{"):
            values[one.name][names] = calculated(rule[1:-1], values[one.name])
    return [with_values(one, values[one.name]) if one.drawn else one for one in asked]


def with_values(question, values):
    asked, answer = (pages.blocks(filled(text, values, "{:,}").split("\n"))
                     for text in question.drawn.groups()[1:])
    return question._replace(asked=asked, answer=answer, value=values.get("number"))
