"""pictures.py - proves that the pictures can be read: on light paper and on dark, and without eyes.

A picture of docs/pictures has the one style, docs/pictures/style.css, and uses only its classes; its <title> and
<desc> say it in words, and the title stands above it; no two of its texts touch, and none leaves the picture. How
wide a text is depends on the reader's font: widths are those of DejaVu Sans, a wide one. A plot of docs/results has
the colors of common/tools/plots/paper.gp, and words, too. Each of its panels has a title and a label at both axes, each
curve is in the legend, and its letters are LETTERS high where the plot is NARROW wide. The script of gnuplot still draws
all of them of the card's files; another gnuplot may draw them a little otherwise.
"""
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from functools import partial
from itertools import combinations
from pathlib import Path

import course
from proof import Proof, lines_of

STYLE = "docs/pictures/style.css"
PAPER = "common/tools/plots/paper.gp"
SCRIPT, CARD = "common/bench/gpu/times.gp", "docs/results/h200"
SVG = "{http://www.w3.org/2000/svg}"
WIDEST = 960
NARROW, LETTERS = 400, 7
UNSEEN = "rgb(  0,   0,   0)"  # what a panel with a legend alone is drawn of
TOUCHING = 0.5  # two boxes may share so much, in both directions
STYLED = ("style", "fill", "stroke", "font-size", "font-family", "font-weight", "text-anchor")

# Widths in em.
WIDTHS = {"ijl'|": 0.3, " .,:;!()[]ft/-I": 0.37, "rJ\"": 0.42, "szcxyvkL": 0.56, "w": 0.82,
          "+=<>": 0.84, "m%": 0.96, "MW": 0.95, "ABCDEFGHKNOPQRSUVXYZT&": 0.72}
EM = {letter: width for letters, width in WIDTHS.items() for letter in letters}
OTHER, BOLD = 0.63, 1.12


def width(words, size):
    return size * sum(EM.get(letter, OTHER) for letter in words)


def classes():
    """{class: (size of its font or None, its anchor or None)} of the style, "text" for all text."""
    found = {}
    for names, rule in re.findall(r"svg\.ladder ([^{}]+) \{([^}]*)\}", Path(STYLE).read_text()):
        size = re.search(r"font(?:-size)?: (\d+)px", rule)
        anchor = re.search(r"text-anchor: (\w+)", rule)
        found[names.lstrip(".")] = (float(size.group(1)) if size else None,
                                    anchor.group(1) if anchor else None)
    return found


def box(words, x, y, names, style):
    """(left, top, right, bottom, words) of a text with these classes."""
    size, anchor = style["text"][0], None
    for name in style:  # the later rule of the style wins
        if name in names:
            size, anchor = style[name][0] or size, style[name][1] or anchor
    wide = width(words, size) * (BOLD if set(names) & {"strong", "title"} else 1)
    left = x - {"middle": wide / 2, "end": wide}.get(anchor, 0)
    return left, y - 0.74 * size, left + wide, y + 0.2 * size, words


def shift_of(element):
    """How far a transform moves what is inside, or None when it does more than that."""
    result = element.get("transform", "translate(0 0)")
    moved = re.fullmatch(r"translate\(([-\d.]+)(?:[ ,]+([-\d.]+))?\)", result.strip())
    return (float(moved.group(1)), float(moved.group(2) or 0)) if moved else None


def boxes(element, style, x=0.0, y=0.0):
    """The boxes of all texts in an element; a sentence where one cannot be told."""
    shift = shift_of(element)
    if shift is None and element.find(f".//{SVG}text") is not None or (
            shift is None and element.tag == SVG + "text"):
        yield f"a text is turned or scaled: {element.get('transform')}"
        return
    x, y = x + (shift or (0, 0))[0], y + (shift or (0, 0))[1]
    if element.tag != SVG + "text":
        for child in element:
            yield from boxes(child, style, x, y)
        return
    names = element.get("class", "").split()
    at_x, at_y = float(element.get("x", 0)), float(element.get("y", 0))
    runs = [(element.text or "", at_x, at_y)]
    for part in element:  # a tspan with an x is a line of its own
        at_y = float(part.get("y", at_y)) + float(part.get("dy", 0))
        words = "".join(part.itertext())
        if part.get("x"):
            runs.append((words, float(part.get("x")), at_y))
        else:
            runs[-1] = (runs[-1][0] + words, *runs[-1][1:])
        runs[-1] = (runs[-1][0] + (part.tail or "").rstrip(), *runs[-1][1:])
    for words, run_x, run_y in runs:
        if words.strip():
            yield box(words.strip(), x + run_x, y + run_y, names, style)


def touching(found):
    """The pairs of boxes that touch."""
    for one, two in combinations(sorted(found, key=lambda it: it[1]), 2):
        if (min(one[2], two[2]) - max(one[0], two[0]) > TOUCHING
                and min(one[3], two[3]) - max(one[1], two[1]) > TOUCHING):
            yield f'"{one[4]}" touches "{two[4]}"'


def wrong_texts(root, style):
    """What is wrong with where the texts are."""
    left, top, wide, high = (float(number) for number in root.get("viewBox").split())
    found = list(boxes(root, style))
    sentences = [one for one in found if isinstance(one, str)]
    found = [one for one in found if not isinstance(one, str)]
    sentences += [f'"{one[4]}" leaves the picture' for one in found
                  if one[0] < left - 1 or one[2] > left + wide + 1
                  or one[1] < top - 1 or one[3] > top + high + 1]
    if wide > WIDEST:
        sentences.append(f"it is {wide:g} wide, more than {WIDEST}")
    return sentences + list(touching(found))


def wrong_words(root, name):
    """What is missing for a reader who cannot see it, and for a page that takes it in."""
    sentences = [] if root.get("role") == "img" else ["the root has no role='img'"]
    if root.get("class") != name:
        sentences.append(f"the class of the root is not '{name}'")
    for tag in ("title", "desc"):
        element = root.find(SVG + tag)
        words = "" if element is None else (element.text or "").strip()
        if not words or "gnuplot" in words.lower():
            sentences.append(f"it has no <{tag}>")
    return sentences


def wrong_picture(text):
    """What is wrong with a picture."""
    root, style = ElementTree.fromstring(text), classes()
    sentences = wrong_words(root, "ladder")
    if [element.text for element in root.iter(SVG + "text") if element.get("class") == "title"] != [
            element.text for element in root.findall(SVG + "title")]:
        sentences.append("its title does not stand above it")
    blocks = re.findall(r"<style>\n(.*?)</style>", text, re.DOTALL)
    if blocks != [Path(STYLE).read_text()] or text.count("<style") != 1:
        sentences.append(f"its <style> is not {STYLE}, to the letter")
    for element in root.iter():
        unknown = set(element.get("class", "").split()) - set(style) - {"ladder"}
        own = [name for name in STYLED
               if element.get(name, "none") not in ("none", "currentColor")]
        sentences += [f"the style has no class {name}" for name in sorted(unknown)]
        sentences += [f"<{element.tag.replace(SVG, '')}> has a {name} of its own" for name in own]
    return list(dict.fromkeys(sentences + wrong_texts(root, style)))


def colors_of_page(text):
    """{theme: color} of the style of a picture or a plot, in their order."""
    return re.findall(r"(media screen and|theme=light|theme=dark|^ *svg)[^#}]*color: (#\w+)", text,
                      re.MULTILINE)


PLACED = re.compile(r"translate\([-\d.]+,([-\d.]+)\)(?: rotate\((\d+)\))?")


def panels(root):
    """A pair for each panel of a plot: how low its numbers stand, those of both axes, and its titles and labels, as pairs
    of how low and how turned. gnuplot writes the numbers first, with their marks, those of the vertical axis before all."""
    found = []
    for group in root.findall(f"{SVG}g/{SVG}g"):
        for placed in group.findall(f"{SVG}g[{SVG}text]"):
            low, turned = PLACED.match(placed.get("transform")).groups()
            is_number = group.find(SVG + "path") is not None
            if is_number and placed.get("text-anchor") == "end" and (not found or found[-1][1]):
                found.append(([], []))
            if is_number:
                found[-1][0].append(float(low))
            elif found:
                found[-1][1].append((float(low), turned))
    return found


def wrong_panels(root):
    """Panels that do not say what they show, or what an axis does."""
    for place, (numbers, labels) in enumerate(panels(root), 1):
        for what, there in (("title", (low < min(numbers) and not turned for low, turned in labels)),
                            ("label at its vertical axis", (turned == "270" for _, turned in labels)),
                            ("label at its horizontal axis", (low > max(numbers) and not turned for low, turned in labels))):
            if not any(there):
                yield f"panel {place} has no {what}"


def looks(group):
    """The colors and dashes of what gnuplot drew in a group."""
    return {(part.get("stroke") or part.get("color"), part.get("stroke-dasharray"))
            for part in group.iter() if part.tag in (SVG + "path", SVG + "use")}


def wrong_legend(root):
    """Curves that the legend does not name. What has one look, such as bars, needs none."""
    drawn = [group for group in root.iter(SVG + "g") if group.get("id", "").startswith("gnuplot_plot")]
    named = set().union(*(looks(group) for group in drawn if group.find(f".//{SVG}text") is not None))
    every = set().union(*map(looks, drawn)) - {(UNSEEN, None)}
    if len(every) > 1:
        yield from (f"a curve of the color {color}, with dashes {dashes}, is not in the legend"
                    for color, dashes in sorted(every - named, key=str))


def wrong_plot(text):
    """What is wrong with a plot."""
    root = ElementTree.fromstring(text)
    sentences = [*wrong_words(root, "ladder-plot"), *wrong_panels(root), *wrong_legend(root)]
    wide = float(root.get("viewBox").split()[2])
    if min(float(size) for size in re.findall(r'font-size="([\d.]+)"', text)) * NARROW < LETTERS * wide:
        sentences.append(f"its letters are lower than {LETTERS} where it is {NARROW} wide")
    block = "".join(re.findall(r"<style>\n(.*?)</style>", text, re.DOTALL))
    if colors_of_page(block) != colors_of_page(Path(STYLE).read_text()):
        sentences.append(f"its style has not the colors of {STYLE}; draw it anew with {PAPER}")
    if re.search(r'fill="rgb\(31,35,40\)"|fill="none" color=', text):
        sentences.append("its text has a fixed color")
    return sentences


def wrong_style(text):
    """Rules that would reach beyond the picture in a page that takes it in."""
    rules = re.sub(r"@media[^{]*\{", "", text)
    return [f"{selector.strip()} is not only of pictures"
            for selector in re.findall(r"([^{};]+)\{", rules)
            if not re.match(r"(:root\[data-theme=\w+\] )?svg\.ladder( |$)", selector.strip(" }\n"))]


def prove(path, find):
    return lines_of("its style, its words, its texts apart", find(Path(path).read_text()), f"{path}: ")


def prove_drawn():
    if not shutil.which("gnuplot"):
        return ["not checked: how plots are drawn, without gnuplot-nox of Debian"]
    with tempfile.TemporaryDirectory() as folder:
        for path in course.files(f"{CARD}/*.csv"):
            shutil.copy(path, folder)
        result = subprocess.run(["gnuplot", "-e", f"folder='{folder}'; device='a card'", SCRIPT], text=True, capture_output=True)
        names = [Path(path).name for path in course.files(f"{CARD}/*.svg")]
        last = "".join(result.stderr.strip().splitlines()[-1:])
        wrong = [f"{name} is not drawn: {last}" for name in names if not Path(folder, name).exists()]
        wrong = wrong or [f"{name}, drawn anew: {sentence}" for name in names
                          for sentence in wrong_plot(Path(folder, name).read_text())]
    return lines_of(f"draws the {len(names)} plots of {CARD}", wrong, f"{SCRIPT}: ")


def proofs():
    pictures, plots = course.files("docs/pictures/*.svg"), course.files("docs/results/**/*.svg")
    return [Proof("pictures", "drawn anew", prove_drawn, guess=6,
                  reads=(SCRIPT, PAPER, *plots, *course.files(f"{CARD}/*.csv"))),
            *(Proof("pictures", path, partial(prove, path, find), reads=(path, STYLE))
              for found, find in (((STYLE,), wrong_style), (pictures, wrong_picture), (plots, wrong_plot))
              for path in found)]
