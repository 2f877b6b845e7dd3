"""html_pages.py - what a program sees in the HTML of a page: its elements, and whether they close where they should."""
from html.parser import HTMLParser

WITHOUT_END = ("meta", "br", "link", "img", "input", "hr", "source", "wbr", "col")


class Elements(HTMLParser):
    """Of a page: `found` are its start tags, [(tag, attributes)], `wrong` are sentences about tags that do not close."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open, self.wrong = [], [], []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> is never closed" for tag in self.open]

    def handle_startendtag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open[-1:] != [tag]:
            self.wrong.append(f"line {self.getpos()[0]}: </{tag}> closes nothing")
        else:
            self.open.pop()
