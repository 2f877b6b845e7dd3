"""conf.py - how Sphinx makes the site of the book; bind.py calls it. And what Sphinx does besides: pictures inside the
pages, their language, and the text that the search shows.

A picture that is loaded by <img> follows the system alone; one that is part of the page follows
the switch for light and dark, too. Its names and its style are made its own.
"""
import html
import json
import re
import sys
from pathlib import Path

from docutils import nodes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "reports"))

import deck  # noqa: E402

project = "Histogram Ladder"
html_title = "Histogram Ladder"
copyright = "its authors, under the MIT license"  # noqa: A001 (Sphinx wants this name)
language = "en"
root_doc = "index"
extensions = ["myst_parser", "sphinx_copybutton"]

myst_heading_anchors = 4
smartquotes = False         # code, commands and outputs are quoted as they are
highlight_language = "text"
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

html_theme = "furo"
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#9a3412", "color-brand-content": "#0b57a4",
                            "color-brand-visited": "#6b3fa0"},
    "dark_css_variables": {"color-brand-primary": "#ffb089", "color-brand-content": "#8ab8ff",
                           "color-brand-visited": "#c9a6ff"},
}
html_static_path = [str(HERE / "look"), str(HERE / "script")]
html_css_files = ["screen.css"]
html_js_files = [("reader.js", {"defer": "defer"})]
html_use_index = False
html_show_sourcelink = False
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which file:// forbids: found.js has them
html_permalinks_icon = "#"
html_last_updated_fmt = None

TEXTS = "texts.js"


def own_style(svg, name):
    """The style of a picture for itself alone, and for the theme as furo says it: at the body."""
    def scoped(found):
        style = re.sub(r"svg\.[\w-]+", f"#{name}", found.group())
        return style.replace(":root[data-theme", "body[data-theme")
    return re.sub(r"<style>.*?</style>", scoped, svg, flags=re.DOTALL)


def picture(path, name, words):
    """The picture as HTML, for one place in one page."""
    svg = own_style(deck.svg_of(path, f"{name}-"), name)
    wide = re.search(r"viewBox=['\"]\s*\S+ \S+ (\S+)", svg)
    head = f"<svg id=\"{name}\" aria-label=\"{html.escape(words)}\""
    return (f"<div class=\"picture\" style=\"--wide:{wide.group(1) if wide else 800}px\">"
            f"{svg.replace('<svg', head, 1)}</div>")


def inline_pictures(app, doctree, docname):
    """Puts the SVGs of a page in the place of its images."""
    for number, image in enumerate(list(doctree.findall(nodes.image)), 1):
        if not image["uri"].endswith(".svg"):
            continue
        name = f"p-{re.sub('[^a-z0-9]+', '-', docname.lower())}-{number}"
        drawn = nodes.raw("", picture(image["uri"], name, image.get("alt", "")), format="html")
        whole = isinstance(image.parent, nodes.paragraph) and len(image.parent) == 1
        (image.parent if whole else image).replace_self(drawn)


def drop_empty_heads(app, doctree, docname):
    """A table of Markdown needs a head; one that says nothing is none for the eye, nor the ear."""
    for head in list(doctree.findall(nodes.thead)):
        if not head.astext().strip():
            head.parent.remove(head)


def text_of(section):
    """The text of a section without that of those inside it."""
    parts = [child.astext() for child in section.children
             if not isinstance(child, (nodes.section, nodes.title, nodes.raw, nodes.comment))]
    return re.sub(r"\s+", " ", " ".join(parts)).strip()


def write_texts(app, failed):
    """For the search: {page: [[anchor, heading, text], ...]}, as a script, for file:// has no fetch."""
    if failed or app.builder.name != "html":
        return
    found = {}
    for docname in sorted(app.env.found_docs):
        sections = app.env.get_doctree(docname).findall(nodes.section)
        found[docname] = [[section["ids"][0], section.next_node(nodes.title).astext(),
                           text_of(section)] for section in sections]
    Path(app.outdir, "_static", TEXTS).write_text(
        "const TEXTS = " + json.dumps(found, ensure_ascii=False).replace("</", "<\\/") + ";\n")


def add_search(app, pagename, template, context, doctree):
    if pagename == "search":
        app.add_js_file(TEXTS)
        app.add_js_file("found.js", defer="defer")


def level_captions(app, pagename, template, context, doctree):
    """The theme calls the captions of the contents headings, and does not say of which level."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def name_language(app, pagename, template, context, doctree):
    """A page below a folder of docs/locale is in that language: browsers and screen readers want to know."""
    folder = pagename.partition("/")[0]
    if (Path("docs/locale") / folder).is_dir():
        context["language"] = folder.replace("_", "-")


def setup(app):
    app.connect("doctree-resolved", inline_pictures)
    app.connect("doctree-resolved", drop_empty_heads)
    app.connect("html-page-context", add_search)
    app.connect("html-page-context", name_language)
    app.connect("html-page-context", level_captions, priority=900)  # after the theme's own
    app.connect("build-finished", write_texts)
