"""lectures.py - proves that the slides of docs/lectures.md can be made: every line names something
that is there, each slide fits, and a lecture has neither too few nor too many. The files are HTML
whose tags close, and ask for nothing that is not in them.
"""
import re
import subprocess
import sys
import tempfile
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import course
from proof import Proof

PAGE = "docs/lectures.md"
WITHOUT_END = ("meta", "br")
ASKS = re.compile(r"""(?:src|href)=['"](?!#)|url\((?!['"]?#)|@import|<link|<iframe|fetch\(""")


class Tags(HTMLParser):
    """Collects the tags that do not close where they should."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, _attributes):
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open[-1:] != [tag]:
            self.wrong.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")
        else:
            self.open.pop()


def wrong_file(text):
    """What is wrong with the HTML of a lecture."""
    tags = Tags()
    tags.feed(text)
    tags.close()
    asks = ASKS.search(text)
    return (tags.wrong + [f"<{tag}> is never closed" for tag in tags.open]
            + ([f"it asks for another file: {asks.group()}"] if asks else []))


def prove():
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([sys.executable, "-B", "common/reports/slides.py", folder],
                              text=True, capture_output=True)
        if made.returncode != 0:
            said = made.stdout.splitlines() or made.stderr.splitlines()[-1:]
            return [f"FAIL {sentence}" for sentence in said]
        files = sorted(Path(folder).glob("*.html"))
        wrong = [f"FAIL {PAGE}: {file.name}: {sentence}" for file in files
                 for sentence in wrong_file(file.read_text())]
        return wrong or [f"ok {PAGE}: {len(files)} lectures, whose slides are there and fit"]


def proofs():
    reads = course.files(PAGE, "docs/[0-9]*.md", "docs/pictures/*.svg", "docs/results/h200/*.svg",
                         "solutions/*/*", "common/reports/*.py")
    return [Proof("lectures", PAGE, partial(prove), reads=tuple(reads))]
