"""book.py - proves the book: that it is made, that its links lead somewhere, that a browser shows it.

It is made as make book makes it, but with one small page in the place of the traces: first as on
a machine without Chromium, then with it. What is not installed, or PyPI out of reach, is a remark.
"""
import html
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import browser
import course
from html_pages import Elements
from proof import Proof, lines_of

FOLDER = Path(course.BUILD, "proofs/book")
SITE, WORK = FOLDER / "site", FOLDER / "site-work"
BIND = "common/book/bind.py"
WITHOUT = "not checked: the book, without Sphinx: "
WIDTH = round(170 / 25.4 * 96)  # of what is printed on A4, in pixels
# Words, and a page that must be found; a lesson must be among the first three for its title.
WORDS = {"grading": "rubric", "bubblewrap": "judge", "Moodle": "quiz", "warp ballot": None,
         "wavefronts": None, "atomicAdd": None, "__syncthreads": None}
LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("link", "href"), ("source", "src")}
NOT_LOADED = ("next", "prev", "canonical", "search", "index", "author")


def lessons():
    return sorted(path.stem for path in Path("docs").glob("[0-9]*_*.md"))


def translated():
    """The lessons in other languages, as names of pages."""
    return sorted(f"{path.parent.name}/{path.stem}" for path in Path("docs/locale").glob("*/[0-9]*_*.po"))


def pages():
    """The pages of the site that the book is made of, without what is only beside them."""
    return [path for path in sorted(SITE.rglob("*.html"))
            if not {"_static", "traces", "slides"} & set(path.relative_to(SITE).parts)]


def bound(*arguments, before="", **settings):
    """Runs bind.py, after some Python that makes this machine a poorer one."""
    code = (f"import sys, runpy; sys.argv = ['bind', {', '.join(map(repr, arguments))}]; {before}\n"
            f"sys.path.insert(0, 'common/book'); runpy.run_path('{BIND}', run_name='__main__')")
    return subprocess.run([sys.executable, "-B", "-c", code], text=True, capture_output=True,
                          env=course.environment(**settings))


def make_book():
    """Makes the book. (what is missing, as a remark, or None; failures)."""
    traces = FOLDER / "traces"
    shutil.rmtree(FOLDER, ignore_errors=True)
    traces.mkdir(parents=True)
    (traces / f"{lessons()[1]}-solution.html").write_text(
        "<!doctype html><html lang='en'><head><title>Trace</title></head><body>Trace</body></html>")
    given = ("--site", str(SITE), "--traces", str(traces))
    (FOLDER / "empty").mkdir()
    done = bound(*given, PATH=str(FOLDER / "empty"))
    if "from PyPI" in done.stderr or "sudo apt-get install" in done.stderr:
        return WITHOUT + done.stderr.strip(), []
    if done.returncode != 0 or not (SITE / "index.html").is_file():
        return None, [f"the book is not made: {done.stdout}{done.stderr}"]
    wrong = []
    if done.stdout.splitlines()[-1] != \
            "no PDF: that needs Chromium: sudo apt-get install -y chromium":
        wrong.append(f"without Chromium it says: {done.stdout}")
    if browser.missing():
        return None, wrong
    done = bound(*given)
    if done.returncode != 0 or "histogram-ladder.pdf: " not in done.stdout:
        wrong.append(f"no PDF is made: {done.stdout}{done.stderr}")
    again = bound(*given)
    if "making" in again.stdout or "printing" in again.stdout:
        wrong.append("what has not changed is made anew")
    return None, wrong


def missing_parts():
    """What is said where Python's venv is missing, or PyPI out of reach."""
    spare = ("--site", str(FOLDER / "spare"), "--traces", str(FOLDER), "--no-pdf", "--venv",
             str(FOLDER / "spare-venv"))
    away = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": "", "PIP_NO_CACHE_DIR": "1"}
    cases = (("sys.modules['ensurepip'] = None", {}, "sudo apt-get install -y python3-venv"),
             ("sys.version_info = (3, 9)", {}, "needs Python 3.11 or newer, and this is 3.9"),
             ("", away, "from PyPI, and pip could not get them: ERROR"))
    wrong = []
    for before, settings, words in cases:
        done = bound(*spare, before=before, **settings)
        output = re.sub("^installing packages .*\n", "", done.stderr.strip())
        if done.returncode != 1 or words not in output or "\n" in output:
            wrong.append(f"it says not: {words}; but: {output or done.stdout}")
    return wrong


# What can be read in the files.

def leads_nowhere():
    """Links to files and places that are not there, and whatever comes from another host."""
    elements = {path: Elements(path.read_text()).found for path in SITE.rglob("*.html")}
    names = {path: {attributes.get("id") for _, attributes in found}
             for path, found in elements.items()}
    wrong = []
    for path, found in elements.items():
        for tag, attributes in found:
            for name in ("href", "src", "data-page"):
                address = attributes.get(name)
                if address is None or address.startswith(("data:", "mailto:")):
                    continue
                if re.match(r"(\w+:)?//", address):
                    if (tag, name) in LOADS and attributes.get("rel") not in NOT_LOADED:
                        wrong.append(f"{path}: loads {address}")
                    continue
                file, _, place = html.unescape(address).partition("#")
                target = (path.parent / file.partition("?")[0]).resolve() if file else path.resolve()
                target = Path(os.path.relpath(target))
                if not target.is_file():
                    wrong.append(f"{path}: {address} is not there")
                elif place and target in names and place not in names[target]:
                    wrong.append(f"{path}: there is no place {address}")
    for path in SITE.rglob("*.css"):
        wrong += [f"{path}: loads {address}" for address in
                  re.findall(r"(?:url\(|@import\s)['\"]?((?:https?:)?//[^'\") ]+)", path.read_text())]
    return wrong


def without_words():
    """Pictures that say nothing to who cannot see them, and pages without their pictures."""
    wrong, shown = [], 0
    for path in pages():
        text = path.read_text()
        found = re.findall(r'<div class="picture"[^>]*><svg id="([^"]*)" aria-label="([^"]*)"', text)
        shown += len(found)
        wrong += [f"{path}: the picture {name} has no words" for name, words in found
                  if not words.strip()]
        wrong += [f"{path}: an image has no words" for tag, attributes in Elements(text).found
                  if tag == "img" and not attributes.get("alt")]
    docs = [*Path("docs").rglob("*.md"), *(Path("docs", f"{Path(name).name}.md") for name in translated())]
    asked = sum(len(re.findall(r"^!\[", path.read_text(), re.MULTILINE)) for path in docs)
    return wrong + ([] if shown == asked else [f"{shown} pictures, and docs has {asked}"])


def in_other_languages():
    """Each translated lesson has a page, which says its language; the lesson in English leads to it."""
    wrong = []
    for name in translated():
        language, stem = name.split("/")
        page = SITE / f"{name}.html"
        tags = Elements(page.read_text()).found if page.is_file() else []
        if ("html", language.replace("_", "-")) not in [(tag, attributes.get("lang")) for tag, attributes in tags]:
            wrong.append(f"{page} does not say that it is in {language}")
        if f'href="{name}.html"' not in (SITE / f"{stem}.html").read_text():
            wrong.append(f"{stem} does not lead to {name}")
    return wrong


def broken_chain():
    """Whether "next" leads from the first page through every page, and "previous" back."""
    way, wrong = ["index.html"], []
    while True:
        text = (SITE / way[-1]).read_text()
        after = re.search(r'<a class="next-page" href="([^"]*)"', text)
        if not after or len(way) > len(pages()):
            break
        following = os.path.normpath(os.path.join(os.path.dirname(way[-1]), after.group(1)))
        before = re.search(r'<a class="prev-page" href="([^"]*)"', (SITE / following).read_text())
        back = before and os.path.normpath(os.path.join(os.path.dirname(following), before.group(1)))
        if back != way[-1]:
            wrong.append(f"{following}: previous is {back}, not {way[-1]}")
        way.append(following)
    every = {str(path.relative_to(SITE)) for path in pages()} - {"search.html"}
    wrong += [f"next never leads to {page}" for page in sorted(every - set(way))]
    in_order = [page for page in way if page[:-len(".html")] in lessons()]
    if in_order != [f"{stem}.html" for stem in lessons()]:
        wrong.append(f"the lessons come in the order {in_order}")
    return wrong


def quiz_bank():
    """Every question of every quiz is on the page, and in the file for Moodle with an answer."""
    asked = sum(len(re.findall(r"^\*\*\d+\.\*\*", text[text.find("\n## Quiz"):
                                                      text.find("\n## Where this stands")],
                               re.MULTILINE))
                for text in (Path("docs", f"{stem}.md").read_text() for stem in lessons()))
    page = (SITE / "quiz.html").read_text()
    shown, gift = len(re.findall(r"<strong>\d+\.</strong>", page)), (SITE / "quiz.gift.txt").read_text()
    answered = len(re.findall(r"^::[^\n]*, Quiz \d+::.*\{####.+\}$", gift, re.MULTILINE))
    wrong = [] if shown == asked == answered else \
        [f"{asked} questions in the lessons, {shown} on the page, {answered} in the GIFT file"]
    slides = len(re.findall(r"^## Lecture \d", Path("docs/lectures.md").read_text(), re.MULTILINE))
    if len(list(SITE.glob("slides/*.html"))) != slides:
        wrong.append(f"not the slides of {slides} lectures")
    return wrong


# What a browser shows.

def search(page):
    """Every word is found, on the right page where that is one, with the text around it."""
    wrong = []
    titles = {re.search(r"^# \S+ (.*)", Path("docs", f"{stem}.md").read_text()).group(1): stem
              for stem in lessons()[::4]}
    for words, expected in {**WORDS, **titles}.items():
        page.open(SITE / "search.html", "?q=" + words.replace(" ", "+"))
        page.wait("return document.querySelector('#search-results ul.search li')")
        page.wait("return document.querySelector('ul.sections mark')")
        time.sleep(0.2)
        first = page.run("return [...document.querySelectorAll('ul.search > li > a')]"
                         ".map(a => a.getAttribute('href'))")
        first = first[:3] if words in titles else first
        if expected and not any(link.startswith(expected + ".html") for link in first):
            wrong.append(f"the search for {words} finds {first}")
        wrong += output_of(page, f"the search for {words}")
    page.open(SITE / "search.html", "?q=xyzzyqvw")
    page.wait("return /did not match/.test(document.querySelector('#search-results').innerText)")
    return wrong


def output_of(page, what):
    """What the console says, and what was asked of other hosts."""
    return [f"{what}: {message}" for message in page.errors()] + \
        [f"{what}: asks for {address}" for address in page.requests()]


COLORS = """const color = (selector, name) =>
  getComputedStyle(document.querySelector(selector))[name];
return [color('body', 'backgroundColor'), color('.picture svg text', 'fill')]"""


def themes(page):
    """The switch changes page and picture, whatever the system wants."""
    wrong, seen = [], {}
    with_picture = next(stem for stem in lessons() if "](pictures/" in
                        Path("docs", f"{stem}.md").read_text())
    for system in ("light", "dark"):
        page.emulate(scheme=system)
        page.open(SITE / f"{with_picture}.html")
        page.run("localStorage.clear()")
        page.open(SITE / f"{with_picture}.html")
        seen["auto", system] = page.run(COLORS)
        for _ in range(3):
            page.click(".content-icon-container .theme-toggle")
            seen[page.run("return document.body.dataset.theme"), system] = page.run(COLORS)
    light, dark = seen["light", "light"], seen["dark", "dark"]
    if light[0] == dark[0] or light[1] == dark[1]:
        wrong.append(f"light and dark look the same: {light}, {dark}")
    for (theme, system), colors in seen.items():
        if colors != (dark if (system if theme == "auto" else theme) == "dark" else light):
            wrong.append(f"theme {theme} on a {system} system: {colors}")
    page.emulate(scheme="light")
    page.run("localStorage.clear()")
    return wrong + output_of(page, "themes")


def behaviour(page):
    """Copy buttons, folds, print, the trace in its frame; and nothing is wider than a phone."""
    wrong = []
    traced = lessons()[1]
    page.open(SITE / f"{traced}.html")
    wanted = page.run("return document.querySelector('div.highlight pre').innerText")
    page.click("button.copybtn")
    page.wait("return document.querySelector('button.copybtn.success')")
    page.run("document.querySelector('.sidebar-search').focus()")
    page.keys("Control+v")
    got = page.run("return document.querySelector('.sidebar-search').value")
    if re.sub(r"\s+", "", got) != re.sub(r"\s+", "", wanted):
        wrong.append(f"the copy button copies {got!r}, not {wanted!r}")
    closed = "return document.querySelectorAll('details:not([open]):not(.trace)').length"
    folds = page.run(closed)
    page.click("article details > summary")
    if not folds or page.run(closed) != folds - 1:
        wrong.append("a click does not unfold an answer")
    page.run("addEventListener('beforeprint', () => window.folded = (() => {" + closed + "})())")
    page.printed()
    if page.run("return window.folded") != 0 or page.run(closed) != folds - 1:
        wrong.append("print does not open the folds, or leaves them open")
    page.run("document.querySelector('details.trace').open = true")
    page.wait("return document.querySelector('details.trace iframe')")
    wrong += output_of(page, traced)
    page.size(400, 800)
    for path in pages():
        page.open(path)
        if page.run("return document.documentElement.scrollWidth") > 400:
            wrong.append(f"{path.relative_to(SITE)} is wider than a window of 400 pixels")
    page.size(1280, 900)
    return wrong


def accessible(page):
    """What axe finds wrong on each page, and in the dark on one of each kind."""
    wrong = []
    names = [str(path.relative_to(SITE).with_suffix("")) for path in pages()]
    in_the_dark = ("index", lessons()[4], "quiz", "search", "results/README")
    for name, theme in (*((name, "light") for name in names), *((name, "dark") for name in in_the_dark)):
        page.emulate(scheme=theme)
        page.open(SITE / f"{name}.html", "?q=warp" if name == "search" else "")
        wrong += [f"{name}, {theme}: {words}" for words in
                  page.violations({"exclude": [".picture svg > *"]})]
        wrong += output_of(page, name)
    page.emulate(scheme="light")
    return wrong


TOO_WIDE = """return [...document.querySelectorAll('pre, table, .picture svg')].filter(e =>
  e.getBoundingClientRect().right > arguments[0] + 1 || e.scrollWidth > e.clientWidth + 1)
  .map(e => e.closest('section.page').id + ': ' + e.tagName + ' ' + e.textContent.slice(0, 60))"""


def paper(page):
    """The PDF: every lesson with the number of its page; nothing folded, nothing cut."""
    made = __import__("pdf")
    printed, wrong = SITE / "histogram-ladder.pdf", []
    numbers, count = made.page_numbers(printed), made.count(printed)
    places = [numbers.get(f"{stem}--", 0) for stem in lessons()]
    if sorted(set(places)) != places or not all(places):
        wrong.append(f"the lessons begin on the pages {places}")
    if count < 8 * len(lessons()):
        wrong.append(f"the PDF has {count} pages")
    text = (WORK / "book.html").read_text()
    wrong += [f"the contents do not say that {stem} begins on page {place}"
              for stem, place in zip(lessons(), places)
              if not re.search(rf"href='#{stem}--'>.*<span>{place}</span></a>", text)]
    if re.search(r"<details(?! open)", text):
        wrong.append("an answer is folded on paper")
    page.emulate(media="print", scheme="light")
    page.size(WIDTH, 900)
    page.open(WORK / "book.html")
    wrong += [f"too wide for paper: {words}" for words in page.run(TOO_WIDE, WIDTH)]
    page.emulate(scheme="light")
    page.size(1280, 900)
    return wrong


def prove():
    remark, wrong = make_book()
    if remark or wrong:
        return [remark] if remark else [f"FAIL {words}" for words in wrong]
    results = [("the book is made, and without Chromium its site", wrong),
               ("what is missing for the book is said in one line", missing_parts()),
               ("every link of the book leads somewhere, and nothing to load to another host",
                leads_nowhere()),
               ("every picture of docs is in the book, with words", without_words()),
               ("lessons in other languages say so, and are led to", in_other_languages()),
               ("next and previous lead through the whole book", broken_chain()),
               ("the book has all questions and slides", quiz_bank())]
    if browser.missing():
        return [line for result in results for line in lines_of(*result)] + [browser.missing()]
    with browser.Browser() as page:
        results += [("the search of the book finds, from a file", search(page)),
                    ("light and dark change the pages of the book and their pictures", themes(page)),
                    ("copy buttons, folds and print do what they should", behaviour(page))]
        results += [("axe finds nothing wrong on any page of the book", accessible(page)),
                    ("the PDF has every lesson, and cuts nothing", paper(page))]
    return [line for result in results for line in lines_of(*result)]


def proofs():
    reads = course.files("docs/**/*", "common/book/**/*", "common/packages/*", "common/reports/*.py",
                         "common/course/*", "solutions/**/*.c*")
    return [Proof("book", "book", prove, reads=tuple(reads), knows=str(sys.version_info[:2]),
                  guess=500)]
