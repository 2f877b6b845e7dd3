"""folded.py - whether the numbers of a lesson's exercises are known: of all that is folded, and of
the questions in Predict and Quiz.

A number is known there when

- a file has it that a mark `<!-- from FILE -->` names, above it or in its section (figures.py);
- the section says how it is calculated: 256 x 5 makes 1,280 known, and so do times, /, +, -,
  plus and minus, with brackets;
- it is an integer up to 12, a power of two or one less, 100, a number of bins, bits, or stands in the code
  of the chapter, or in code or an output that the section quotes;
- it is a size, an integer below 1,000, that the text above has given: 132 multiprocessors;
- it is what a question assumes: a round integer there, such as 300 or 20,000.

Code, quoted outputs, names and the numbers of questions are no such numbers. Only lessons have
exercises: a page without a quiz is none.
"""
import ast
import operator
import re

from quotes import figures

EXERCISES = ("Predict", "Quiz")
FREE = frozenset(str(number) for number in (*range(13), 26, 100)) | frozenset(
    str(number) for power in range(64) for number in (2 ** power, 2 ** power - 1))
ITEM = re.compile(r"^\s*(?:[-*] )?(?:\*\*)?\d+\.(?:\*\*)?(?=\s)")
NO_NUMBERS = re.compile(r"<[^>]*>|\b2\^\d+|\b\d+\.\d+\.\d+|\b(?:TODO|[Ll]ines?|[Bb]ugs?|[Ss]ections?|"
                        r"Hint|[Aa]nswers?|[Qq]uestions?) ?\(?[0-9.]+\)?(?:(?:, | and | to )[0-9.]+)*")
WORDS = ((r"(?<=\d),(?=\d{3})", ""), (r"\s+(?:times|x|×)\s+", "*"), (r"\s+plus\s+", "+"),
         (r"\s+minus\s+", "-"), (r"\s*([-+*/])\s+(?=[\d(])", r"\1"))
SUM = re.compile(r"\(*\d[\d.]*(?:\)*[-+*/]\(*\d[\d.]*)+\)*")
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv}


def calculated(node):
    """The value of an expression of numbers."""
    if isinstance(node, ast.Expression):
        return calculated(node.body)
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](calculated(node.left), calculated(node.right))
    return node.value


def results(text):
    """The values of all calculations in a text, each of their beginnings included."""
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text)
    values = []
    for match in SUM.finditer(text):
        words = match.group().rstrip(".")
        for brackets in (words, words.strip("()"), words.lstrip("("), words.rstrip(")")):
            try:
                values.append(calculated(ast.parse(brackets, mode="eval")))
                break
            except (SyntaxError, ZeroDivisionError, AttributeError):
                continue
    return values


def numbers(line):
    """The numbers of a line: (as it is looked up, as it is written, its unit: "M" of 64 MiB)."""
    for pattern in (NO_NUMBERS, *figures.NO_NUMBERS):
        line = pattern.sub(" ", line)
    return figures.numbers(ITEM.sub("", line))


def is_round(number):
    """Whether it is an integer of at most two digits, but for zeros behind them."""
    return number.isdigit() and len(number.rstrip("0")) <= 2


def is_free(number):
    return number in FREE or set(number) <= {"0", "1"}


def is_result(number, values):
    digits = len(number.partition(".")[2])
    return any(f"{value:.{digits}f}" == number for value in values)


def of_code(paths):
    """The numbers that stand in files of code."""
    return frozenset(number for path in paths for number in figures.numbers_of(path))


class Section:
    """What lies between two headings: its lines, and those that are to be known."""

    def __init__(self, heading):
        self.heading = heading
        self.lines = []  # (place, line, whether it is folded)
        self.marks = []
        self.quoted = set()  # numbers of code and outputs

    def text(self):
        return "\n".join(line for _, line, _ in self.lines)

    def sizes(self):
        """The sizes that the text gives, before any exercise."""
        if self.heading in EXERCISES:
            return set()
        return {number for _, line, folded in self.lines if not folded
                for number, _ in numbers(line) if number.isdigit() and len(number) <= 3}

    def unknown(self, paths, constants):
        """(place, number) of those that are not known, with the files named above."""
        values = results(self.text())
        return [(place, number) for place, line, folded in self.lines
                if folded or self.heading in EXERCISES for number, unit in numbers(line)
                if not (is_free(number) or number in constants | self.quoted or unit
                        or figures.is_known(number, paths) or is_result(number, values)
                        or (not folded and is_round(number)))]


def sections(lines):
    """The sections of a page, without its code and its quoted outputs."""
    found, depth, fenced = [Section("")], 0, False
    for place, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        if fenced:
            found[-1].quoted |= {number for number, _ in numbers(line)}
            continue
        if line.startswith("## "):
            found.append(Section(line[3:].strip()))
        depth += line.count("<details")
        mark = figures.MARK.search(line)
        if mark:
            found[-1].marks += figures.files_of(mark)
        elif "<summary" not in line:
            found[-1].lines.append((place, line, depth > 0))
        depth = max(0, depth - line.count("</details"))
    return found


def wrong(page, lines, code):
    """A sentence for each number of an exercise that is not known."""
    sentences, paths, constants, all_sections = [], [], of_code(code), sections(lines)
    if not any(section.heading == "Quiz" for section in all_sections):
        return []
    for section in all_sections:
        paths += [path for path in section.marks if figures.is_file(path)]
        constants |= section.sizes()
        sentences += [f"{page}:{place}: {number} is in no file that is named above it, and nothing "
                      "in its section says how it is calculated"
                      for place, number in section.unknown(paths, constants)]
    return sentences
