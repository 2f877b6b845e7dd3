"""conf.py - how Sphinx makes the site of the lessons: website.py calls it."""
project = html_title = "Histogram Ladder"
copyright = "its authors, under the MIT license"  # noqa: A001 (Sphinx wants this name)
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 4
smartquotes = False         # code, commands and outputs are quoted as they are
highlight_language = "text"
html_theme = "furo"
html_use_index = False
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # it would fetch pages, which a file:// may not
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
