"""conf.py - how Sphinx makes the site of the book; bind.py calls it."""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "Histogram Ladder"
html_title = "Histogram Ladder"
copyright = "its authors, under the MIT license"  # noqa: A001 (Sphinx wants this name)
language = "en"
root_doc = "index"
extensions = ["myst_parser", "sphinx_copybutton", "inlined"]

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
