"""pdf.py - the book as a PDF: the pages of the site as one, which Chromium prints.

Chromium makes the bookmarks and the links. It does not know on which page a heading comes to lie,
so the book is printed twice: the first time tells, and the second has the numbers in its contents.
"""
import html
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import sources  # whoever imports it has the packages
from pypdf import PdfReader

HERE = Path(__file__).resolve().parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 900
COLUMNS, WIDEST = 102, 132  # of code in its usual size, and in the smallest that one can read
SHORT = 20  # lines of code that stay on one sheet
ARTICLE = re.compile(r'<article role="main"[^>]*>(.*)</article>', re.DOTALL)
PRE = re.compile(r"<pre>(.*?)</pre>", re.DOTALL)
LONG = re.compile(r'<span class="pre">([^<]{24,})</span>')
LINK = re.compile(r'<a ([^>]*?)href="([^"]*)"')


class Failed(Exception):
    """Why there is no PDF."""


def browser():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def anchor(page, fragment=""):
    """The name that a place in a page of the site has in the one page."""
    return f"{page.replace('/', '-')}--{fragment}"


def target(page, address, printed):
    """Where a link of a page leads to in the one page; None when it leads to nothing there."""
    if re.match(r"[a-z]+:", address):
        return address
    path, _, fragment = address.partition("#")
    if path:
        path = os.path.normpath(os.path.join(os.path.dirname(page), path))
    name = re.sub(r"\.html$", "", path) if path else page
    return "#" + anchor(name, fragment) if name in printed else None


def relinked(text, page, printed):
    """The HTML of a page, with names and links that are right in the one page."""
    def link(found):
        leads = target(page, html.unescape(found.group(2)), printed)
        return f'<a {found.group(1)}href="{html.escape(leads)}"' if leads else "<a "

    def named(found):
        return f' id="{anchor(page, found.group(1))}"'

    pieces = re.split(r"(<svg.*?</svg>)", text, flags=re.DOTALL)  # their names are their own
    for place in range(0, len(pieces), 2):
        pieces[place] = re.sub(r' id="([^"]+)"', named, LINK.sub(link, pieces[place]))
    return "".join(pieces)


def fitted(found):
    """Code in a size at which its longest line fits, where there is one; a little on one sheet."""
    text = html.unescape(re.sub("<[^>]*>", "", found.group(1)))
    lines = text.rstrip("\n").split("\n")
    columns = max(map(len, lines))
    small = COLUMNS / columns if COLUMNS < columns <= WIDEST else 1
    stays = "break-inside:avoid;" if len(lines) <= SHORT else ""
    return f"<pre style='{stays}font-size:{7.6 * small:.2f}pt'>{found.group(1)}</pre>"


def breakable(found):
    """A long name in code that may go on in the next line, behind one of its _ or /."""
    name = re.sub(r"([_/]+)", r"\1<wbr>", found.group(1))
    return f'<span class="pre">{name}</span>'


def content(site, page):
    """What a page of the site says, without the theme around it, and with its folds open."""
    found = ARTICLE.search((site / f"{page}.html").read_text())
    text = re.sub(r'<(div|p) class="see">.*?</\1>', "", found.group(1), flags=re.DOTALL)
    text = re.sub(r'<a class="headerlink".*?</a>', "", text, flags=re.DOTALL)
    text = LONG.sub(breakable, text)
    return PRE.sub(fitted, text.replace("<details>", "<details open>"))


def parts(site):
    """[(title of the part, [(page, its heading)])] of what is printed."""
    found = []
    for part in sources.contents():
        pages = [page for page in part.pages if part.printed and page != "quiz"
                 and (site / f"{page}.html").is_file()]
        if pages:
            found.append((part.title, [(page, heading(site, page)) for page in pages]))
    return found


def heading(site, page):
    """The heading of a page as text."""
    found = re.search(r"<h1>(.*?)<a ", (site / f"{page}.html").read_text(), re.DOTALL)
    return html.unescape(re.sub("<[^>]*>", "", found.group(1))) if found else page


def table_of_contents(found, numbers):
    listed = ["<nav class='contents'><h1>Contents</h1>"]
    for title, pages in found:
        listed.append(f"<h2>{html.escape(title)}</h2><ul>")
        listed += [f"<li><a href='#{anchor(page)}'><span>{html.escape(words)}</span>"
                 f"<span class='dots'></span><span>{numbers.get(anchor(page), '')}</span></a></li>"
                 for page, words in pages]
        listed.append("</ul>")
    return "\n".join(listed) + "</nav>"


def one_page(site, numbers):
    """The whole book as one HTML page."""
    found = parts(site)
    printed = {page for _, pages in found for page, _ in pages}
    style = [(site / "_static/pygments.css").as_uri(), (HERE / "look/sheet.css").as_uri()]
    links = "".join(f"<link rel='stylesheet' href='{address}'>" for address in style)
    heads, bodies = [], []
    for _, pages in found:
        for page, words in pages:
            name = "page-" + re.sub(r"\W", "-", page)
            heads.append(f"@page {name} {{ @top-right {{ content: {quoted(words)} }} }}")
            bodies.append(f"<section class='page' id='{anchor(page)}' style='page: {name}'>"
                          f"{relinked(content(site, page), page, printed)}</section>")
    return (f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
            f"<title>Histogram Ladder</title>{links}<style>{' '.join(heads)}</style></head>\n"
            "<body data-theme='light'><section class='cover'><p class='title'>Histogram Ladder</p>"
            "<p>The parallel histogram, from a sequential loop to the speed of the memory,<br>in C "
            "and CUDA C</p></section>\n"
            + table_of_contents(found, numbers) + "\n".join(bodies) + "</body></html>\n")


def quoted(words):
    """A string of CSS."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def count(pdf):
    """How many pages a PDF has."""
    return len(PdfReader(pdf).pages)


def page_numbers(pdf):
    """{name of a place: number of its page} of all places that a link leads to."""
    book = PdfReader(pdf)
    return {name.removeprefix("/"): book.get_destination_page_number(place) + 1
            for name, place in book.named_destinations.items()}


def printed_by(browser_path, page, pdf):
    """Lets Chromium print a page; the PDF is there, and whole, or Failed says why not."""
    with tempfile.TemporaryDirectory(prefix="book-", ignore_cleanup_errors=True) as profile:
        command = [browser_path, "--headless=new", "--disable-gpu", "--no-first-run",
                   f"--user-data-dir={profile}", "--disable-background-networking",
                   "--disable-dev-shm-usage", "--no-pdf-header-footer",
                   "--generate-pdf-document-outline", f"--print-to-pdf={pdf.resolve()}"]
        if os.geteuid() == 0:  # Chromium refuses to be root inside its sandbox
            command.append("--no-sandbox")
        try:
            done = subprocess.run([*command, page.resolve().as_uri()], capture_output=True,
                                  text=True, errors="replace", timeout=SECONDS,
                                  env={**os.environ, "HOME": profile})
        except subprocess.TimeoutExpired:
            raise Failed(f"{browser_path} did not print within {SECONDS} seconds; "
                         "the site is made") from None
    if not pdf.is_file():
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise Failed(f"{browser_path} printed nothing; the site is made. It said: "
                     f"{(lines or ['nothing'])[-1][:200]}")


def print_book(site, work, pdf, browser_path):
    """Prints the pages of the site into the file pdf."""
    page, draft = work / "book.html", work / "draft.pdf"
    numbers = {}
    for _ in range(2):
        page.write_text(one_page(site.resolve(), numbers))
        draft.unlink(missing_ok=True)
        printed_by(browser_path, page, draft)
        numbers = page_numbers(draft)
    draft.replace(pdf)
