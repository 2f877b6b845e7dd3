"""deck.py - slides as one HTML file: their size, their look, and how much fits on one.

A slide is 1280 x 720 units, whatever the window; the file scales it. So how high a block is can
be told beforehand, with letters of a middling width.
"""
import html
import math
import re
from collections import namedtuple
from pathlib import Path

import pages

Slide = namedtuple("Slide", "title blocks notes")

WIDE, ROOM = 1160, 530  # for what is below the title, which may have two lines
SIZE, LINE, GAP = 28, 38, 12
LETTER = 0.52           # em, of running text
MONO = 0.61             # em, of code
CODE_SIZES = (32, 26, 22, 19, 16, 14)
TABLE_SIZES = (24, 21, 18, 16)
LARGER = (1.5, 1.25)

STYLE = """
:root { --ink: #1f2328; --paper: #ffffff; --soft: #f0f2f5; --line: #8c959f; --mark: #b3361b; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #0d1117; --soft: #1b212a; --line: #5b6570; --mark: #ffa183; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); }
section { position: relative; width: 1280px; height: 720px; padding: 36px 60px; overflow: hidden;
  font: 28px/38px system-ui, sans-serif; background: var(--paper); break-after: page; }
h1 { font-size: 32px; line-height: 40px; margin: 0 0 24px; }
.large { transform-origin: 0 0; }
p { margin: 0 0 12px; } ul, ol { margin: 0 0 12px; padding-left: 36px; } li { margin: 0 0 12px; }
pre { margin: 0 0 12px; padding: 10px 16px; background: var(--soft); border-radius: 6px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre, code { font-family: ui-monospace, monospace; } p code, li code, td code { font-size: 0.9em; }
table { border-collapse: collapse; margin: 0 0 12px; }
th, td { padding: 4px 14px; border-bottom: 1px solid var(--line); text-align: left; }
.picture { height: 530px; } .picture svg { width: 100%; height: 100%; }
.answer { border-left: 6px solid var(--mark); padding-left: 18px; margin-top: 18px; }
footer { position: absolute; right: 60px; bottom: 14px; font-size: 16px; color: var(--line); }
aside { display: none; }
@media screen {
  .script body { overflow: hidden; } .script section { display: none; position: absolute;
    left: 50%; top: 50%; transform-origin: 0 0; }
  .script section.now { display: block; }
  .script.notes section.now > aside { display: block; position: absolute; left: 0; right: 0; bottom: 0;
    max-height: 55%; overflow: auto; padding: 18px 60px; background: var(--soft);
    font-size: 20px; line-height: 27px; border-top: 2px solid var(--line); }
}
@media print { section { transform: none !important; } }
@page { size: 1280px 720px; margin: 0; }
"""

SCRIPT = """
const root = document.documentElement, slides = [...document.querySelectorAll('section')];
let now = Math.min(Math.max(parseInt(location.hash.slice(1)) || 1, 1), slides.length) - 1;
function show() {
  const scale = Math.min(innerWidth / 1280, innerHeight / 720);
  slides.forEach((slide, i) => {
    slide.classList.toggle('now', i === now);
    slide.style.transform = `scale(${scale}) translate(-50%, -50%)`;
  });
  history.replaceState(null, '', '#' + (now + 1));
}
function go(to) { now = Math.min(Math.max(to, 0), slides.length - 1); show(); }
root.classList.add('script');
addEventListener('resize', show);
addEventListener('click', event => go(now + (event.clientX < innerWidth / 3 ? -1 : 1)));
addEventListener('keydown', event => {
  const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1,
    PageUp: -1, Home: -slides.length, End: slides.length };
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in steps) { event.preventDefault(); go(now + steps[event.key]); }
  if (event.key === 'n') root.classList.toggle('notes');
});
show();
"""


def lines_of(text, width):
    return max(1, math.ceil(len(pages.plain(text)) * LETTER * SIZE / width))


def code_lines(text, size):
    """How many lines code has at a size, a long one broken."""
    columns = int((WIDE - 56) / (MONO * size))
    return sum(max(1, math.ceil(len(line) / columns)) for line in text.split("\n"))


def code_size(text):
    """The largest size at which no line is broken, else the smallest; None when it is too high."""
    unbroken = [size for size in CODE_SIZES if code_lines(text, size) == text.count("\n") + 1]
    size = (unbroken or CODE_SIZES[-1:])[0]
    return next((size for size in CODE_SIZES[CODE_SIZES.index(size):]
                 if code_lines(text, size) * round(size * 1.3) + 32 <= ROOM), None)


def table_size(rows):
    """The largest size at which a table fits, or None; no cell is broken."""
    widths = [max(len(pages.plain(row[i])) if i < len(row) else 0 for row in rows)
              for i in range(max(len(row) for row in rows))]
    return next((size for size in TABLE_SIZES
                 if sum(widths) * 0.54 * size + 28 * len(widths) <= WIDE
                 and len(rows) * (round(size * 1.4) + 9) + GAP <= ROOM), None)


def height(blocks, width=WIDE):
    """How high some blocks are, below each other."""
    return sum(height_of(block, width) for block in blocks)


def height_of(block, width):
    if block.kind == "text":
        return lines_of(block.text, width) * LINE + GAP
    if block.kind in ("list", "numbers"):
        return sum(height(item, width - 36) for item in block.inside) + GAP
    if block.kind == "code":
        size = code_size(block.text) or CODE_SIZES[-1]
        return code_lines(block.text, size) * round(size * 1.3) + 20 + GAP
    if block.kind == "table":
        return len(block.inside) * (round((table_size(block.inside) or 99) * 1.4) + 9) + GAP
    if block.kind == "answer":
        return height(block.inside, width - 24) + 18
    return ROOM  # a picture


def enlarged(blocks):
    """How much larger than usual text alone may be: 1 where it is long, or not alone."""
    def is_text(block):
        parts = [part for item in block.inside for part in item] if block.kind == "list" else []
        return block.kind in ("text", "list", "answer") and all(
            map(is_text, block.inside if block.kind == "answer" else parts))
    return next((by for by in LARGER if all(map(is_text, blocks))
                 and height(blocks, WIDE / by) * by <= ROOM), 1)


def too_wide(blocks):
    """Whether there is code or a table that fits at no size."""
    return any((block.kind == "code" and not code_size(block.text))
               or (block.kind == "table" and not table_size(block.inside))
               or too_wide(block.inside if block.kind in ("answer", "fold") else [])
               for block in blocks)


def svg_of(path, prefix):
    """A picture to stand inside a page: no header, no size, and names that no other one has."""
    text = Path("docs", path).read_text()
    text = text[text.index("<svg"):]
    head, rest = text.split(">", 1)
    head = re.sub(r"\s(width|height)=(['\"])[^'\"]*\2", "", head)
    names = set(re.findall(r"\bid=['\"]([^'\"]+)", rest))
    rest = re.sub(r"(\bid=['\"]|href=['\"]#|url\(#)([^'\")]+)",
                  lambda it: it.group(1) + (prefix if it.group(2) in names else "") + it.group(2),
                  rest)
    return head + ">" + rest


def html_of_block(block, prefix):
    if block.kind == "text":
        return f"<p>{pages.as_html(block.text)}</p>"
    if block.kind in ("list", "numbers"):
        tag = "ul" if block.kind == "list" else "ol"
        items = "".join(f"<li>{html_of_blocks(item, prefix)}</li>" for item in block.inside)
        return f"<{tag}>{items.replace('<li><p>', '<li>').replace('</p></li>', '</li>')}</{tag}>"
    if block.kind == "code":
        size = code_size(block.text)
        return (f"<pre style='font-size:{size}px;line-height:{round(size * 1.3)}px'>"
                f"{html.escape(block.text, quote=False)}</pre>")
    if block.kind == "table":
        rows = "".join("<tr>" + "".join(f"<td>{pages.as_html(cell)}</td>" for cell in row) + "</tr>"
                       for row in block.inside)
        size = table_size(block.inside)
        return (f"<table style='font-size:{size}px;line-height:{round(size * 1.4)}px'>"
                f"{rows}</table>")
    if block.kind == "answer":
        return f"<div class='answer'>{html_of_blocks(block.inside, prefix)}</div>"
    if block.kind == "picture":
        return f"<div class='picture'>{svg_of(block.inside[0], prefix)}</div>"
    return ""


def html_of_blocks(blocks, prefix):
    return "\n".join(html_of_block(block, f"{prefix}-{i}-") for i, block in enumerate(blocks))


def html_of(title, slides):
    """The file: all slides, below each other where there is no script, and one a page in print."""
    parts = []
    for number, slide in enumerate(slides, 1):
        notes = "".join(f"<p>{pages.as_html(note)}</p>" for note in slide.notes if note)
        by = enlarged(slide.blocks)
        large = f" class='large' style='width:{WIDE / by:g}px;transform:scale({by})'"
        parts.append(f"<section aria-label='{number} of {len(slides)}'>\n"
                     f"<h1>{pages.as_html(slide.title)}</h1>\n"
                     f"<div{large if by > 1 else ''}>"
                     f"{html_of_blocks(slide.blocks, f's{number}')}</div>\n"
                     f"<footer>{number} / {len(slides)}</footer>\n<aside>{notes}</aside></section>")
    return (f"<!doctype html>\n<html lang='en'>\n<head><meta charset='utf-8'>\n"
            f"<meta name='viewport' content='width=device-width'>\n<title>{html.escape(title)}"
            f"</title>\n<style>{STYLE}</style></head>\n<body>\n" + "\n".join(parts) +
            f"\n<script>{SCRIPT}</script>\n</body>\n</html>\n")
