"""test_pages.py - the pages quote code and measurements as they are, and their links lead somewhere.

An excerpt is a fenced block marked c or cuda. A line of nothing but dots (...) parts it into pieces; all of them must
stand in one file, in this order, each in consecutive lines. Indentation does not count. A
lesson may quote its own stub and its planted mistakes, and every page the solutions and what all chapters share.

After a line `<!-- from docs/results/FILE.csv -->` every number up to the next blank line must be one of that file,
rounded as the page likes: 5.6 for 5.5939. Several files may be named. Not numbers of that kind: what is glued to
letters (H200, 32-byte), what stands in backquotes, and the numbers of chapters ("chapter 5"). "64 MiB" may stand there
as 67108864. What is folded is not looked at.
"""
import functools
import re
from pathlib import Path

import pytest
from kernels import files, placed, source

PAGES = files("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/results/**/*.md")
SHARED = ("common/contract/**/*.h", "common/contracts/**/*.[ch]", "common/judge/**/*.[ch]", "common/kernel/**/*.[ch]",
          "common/run/*.[ch]", "common/course/*.[ch]", "common/trace/*.[ch]",
          "common/programs/**/*.[ch]", "common/ladder/**/*.[ch]", "common/tools/**/*.[ch]", "common/bench/cpu/*.[ch]",
          "solutions/**/*.c", "solutions/**/*.cu", "tests/[0-9]*_*.c")
DOTS = re.compile(r"[ \t]*(?:// )?\.\.\.$")
EXCERPT = re.compile(r"^( *)``` *(?:c|cuda)$\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- from ([^ ]+.*?) -->")
NUMBER = re.compile(r"(?<![\w.])(?<!\d,)(\d+(?:,\d{3})*(?:\.\d+)?)(?![\w]|-[A-Za-z])(?: ([KMG])iB)?")
NO_NUMBERS = re.compile(r"`[^`]*`|(?<=\])\([^)]*\)|[Cc]hapters? \d+(?:(?:, | and | to )\d+)*")
LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)|\b(?:src|href)=\"(?!\w+:)([^\"]+)\"")


# Excerpts.

@functools.cache
def code_of(path):
    return [line.strip() for line in Path(path).read_text(errors="replace").split("\n")]


def stands_in(pieces, lines):
    """Whether all pieces stand there, one after the other."""
    at = 0
    for piece in pieces:
        found = (begin + len(piece) for begin in range(at, len(lines) - len(piece) + 1)
                 if lines[begin] == piece[0] and lines[begin:begin + len(piece)] == piece)
        at = next(found, None)
        if at is None:
            return False
    return True


def pieces_of(excerpt):
    pieces = [[]]
    for line in excerpt.split("\n"):
        if DOTS.match(line):
            pieces.append([])
        else:
            pieces[-1].append(line.strip())
    pieces = [[line for line in "\n".join(piece).strip("\n").split("\n")] for piece in pieces]
    return [piece for piece in pieces if any(piece)]


def quotable(page):
    """The files of which a page may have excerpts."""
    stem = Path(page).stem
    is_lesson = source("solutions", stem) is not None
    mutants = [placed(patch, "mutants").source for patch in files(f"tests/mutants/{stem}/*.patch")] if is_lesson else []
    return [*files(*SHARED, f"chapters/{stem if is_lesson else '*'}/*.c*"), *mutants]


@pytest.mark.parametrize("page", PAGES)
def test_excerpts(page):
    excerpts = [excerpt for _, excerpt in EXCERPT.findall(Path(page).read_text())]
    paths = quotable(page) if excerpts else []
    for excerpt in excerpts:
        pieces = pieces_of(excerpt)
        assert any(stands_in(pieces, code_of(path)) for path in paths), f"stands nowhere in the code: {excerpt}"


# Figures.

@functools.cache
def numbers_of(path):
    """The numbers of a file, as they are written there."""
    return frozenset(field for field in re.split(r"[^0-9.]+", Path(path).read_text()) if re.fullmatch(r"\d+(?:\.\d+)?", field))


@functools.cache
def rounded(path, digits):
    """The numbers of a file with so many digits after the point."""
    return frozenset(f"{float(number):.{digits}f}" for number in numbers_of(path))


def is_known(number, unit, paths):
    """Whether one of the files has a number that reads so when it is rounded."""
    digits = len(number.partition(".")[2])
    in_bytes = str(int(float(number) * 1024 ** ("KMG".index(unit) + 1))) if unit else number
    return any(in_bytes in numbers_of(path) or number in numbers_of(path) or number in rounded(path, digits) for path in paths)


def unknown_figures(text):
    """(line, number) of those below a mark that none of its files has."""
    paths, begun, depth = [], False, 0
    for place, line in enumerate(text.split("\n"), 1):
        depth = max(0, depth + line.count("<details") - line.count("</details"))
        mark = MARK.search(line)
        if mark:
            paths, begun = ([] if depth else re.split(r"[ ,]+", mark.group(1))), False
        elif paths and line.strip():
            begun = True
            for number, unit in NUMBER.findall(NO_NUMBERS.sub(" ", line)):
                if not is_known(number.replace(",", ""), unit, paths):
                    yield place, number
        elif begun:
            paths, begun = [], False


@pytest.mark.parametrize("page", PAGES)
def test_figures(page):
    text = Path(page).read_text()
    missing = [path for mark in MARK.findall(text) for path in re.split(r"[ ,]+", mark) if not Path(path).is_file()]
    assert not missing, f"these files are not there: {missing}"
    assert not list(unknown_figures(text)), "these lines have numbers that their files have not"


# Links.

@functools.cache
def anchors_of(page):
    """The names of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.*)$", Path(page).read_text(), re.MULTILINE)
    plain = (re.sub(r"\]\([^)]*\)", "", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES)
def test_links(page):
    text = re.sub(r"^( *)```.*?^\1```$|`[^`\n]*`", "", Path(page).read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in map("".join, LINK.findall(text)):
        path, _, anchor = link.partition("#")
        target = Path(page).parent / path if path else Path(page)
        assert target.exists(), f"leads nowhere: {link}"
        assert not anchor or target.suffix != ".md" or anchor in anchors_of(target), f"there is no such heading: {link}"


def test_what_is_wrong_is_found():
    """Planted: another line in an excerpt, a figure that no file has, an anchor."""
    lines = ["a();", "b();", "c();", "d();"]
    assert stands_in(pieces_of("  a();\n  b();\n...\n  d();"), lines)
    assert not stands_in(pieces_of("a();\nc();"), lines) and not stands_in(pieces_of("b();\n// ...\na();"), lines)
    file = files("docs/results/h200/bench*.csv")[0]
    known = next(number for number in sorted(numbers_of(file)) if "." in number)
    assert not list(unknown_figures(f"<!-- from {file} -->\n{known} in chapter 77, `99.123`, H200, 32-byte\n\n99.123"))
    assert list(unknown_figures(f"<!-- from {file} -->\n\n99.123 ms")) == [(3, "99.123")]
    assert "for-lecturers" in anchors_of("docs/README.md")
