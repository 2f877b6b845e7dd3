"""shortened.py - a page of the course for those who have not solved it yet.

In a lesson whose answers are held back, what is folded goes, and its fold stays, but for the first
two hints of each gap: answers, the lines of the hints, what a student should find. So does what
lies under The kernel and Find the bug, for a kernel that is nearly right is nearly the solution.
On every page goes quoted code that fills a gap, and what is linked and not there becomes plain
words. A line stays in the place of all that goes. From a catalog goes what translates anything of that.
"""
import os
import re

import telling

LATER = "*(Given after the deadline.)*"
HELD_BACK = ("The kernel", "Find the bug")
KEPT_HINT = re.compile(r"<summary>Hint \d+\.\d+, the (?:idea|shape)</summary>")
FOLDED = re.compile(r"^(<details>\s*<summary>[^\n]*</summary>\n).*?^</details>$",
                    re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^( *)```[^\n]*\n.*?^\1```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^(## ([^\n]*)\n)(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
IMAGE = re.compile(r"!\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
FOR_LECTURERS = "For lecturers"
STRING = re.compile(r'"((?:\\.|[^"\\])*)"')  # of a catalog


def without_answers(text):
    """A lesson without what is given after the deadline."""
    def section(found):
        head, heading, body = found.groups()
        return f"{head}\n{LATER}\n\n" if heading in HELD_BACK else head + body

    def fold(found):
        return found.group() if KEPT_HINT.search(found.group(1)) else \
            f"{found.group(1)}\n{LATER}\n\n</details>"
    return FOLDED.sub(fold, SECTION.sub(section, text))


def without_code(text, secret):
    """A page without the quoted code that has a secret line in it."""
    return CODE.sub(lambda found: found.group(1) + LATER
                    if telling.places("", found.group(), secret) else found.group(), text)


def without_lecturers(text):
    """A page without its section for lecturers."""
    return SECTION.sub(lambda found: "" if found.group(2) == FOR_LECTURERS else found.group(), text)


def without_entries(catalog, page):
    """A catalog (common/course/language.h) with those entries alone whose English the page still has."""
    words = " ".join(page.split())

    def stays(entry):
        english = "".join(STRING.findall(entry.partition("msgid")[2].partition("msgstr")[0]))
        return " ".join(english.replace('\\"', '"').replace("\\n", " ").split()) in words
    head, *entries = catalog.strip("\n").split("\n\n")
    return "\n\n".join([head, *filter(stays, entries)]) + "\n"


def target(page, link):
    """The path, from the root of the course, that a link on a page leads to; None when it leads
    elsewhere."""
    path = link.partition("#")[0]
    if not path or "://" in link or link.startswith("mailto:"):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(page), path))


def images(page, text):
    """The pictures that a page shows, as paths from the root of the course."""
    return {target(page, link) for link in IMAGE.findall(text)} - {None}


def without_links(page, text, there):
    """A page whose links lead to something; `there(path)` says what is there. A row of a table
    goes whose first cell with a link leads to nothing."""
    def leads(link):
        return target(page, link) is None or there(target(page, link))

    def row(found):
        link = LINK.search(found.group().split("|")[1]) or LINK.search(found.group())
        return found.group() if not link or leads(link.group(2)) else "\0"
    text = re.sub("\0\n?", "", ROW.sub(row, text))
    return LINK.sub(lambda found: found.group() if leads(found.group(2)) else found.group(1), text)
