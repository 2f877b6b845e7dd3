"""sources.py - the Markdown of which the book is made: the pages of docs as they are, and its own.

Its own are the home page with the contents, the quiz bank, the pages of the solutions, a note below each
lesson's kernel: where its solution and its trace are; and the lessons in other languages, as `make chapterN lesson`
prints them. Only these use words of Sphinx.
"""
import csv
import html
import math
import os
import re
import subprocess
from collections import namedtuple
from pathlib import Path

import course
import quizzes
from pinned import Missing

DOCS = Path("docs")
LOCALE = DOCS / "locale"
LADDER = Path(course.LADDER)
LANGUAGES = {"de": "Deutsch", "zh_CN": "简体中文"}  # how each calls itself; another is called as its folder
MEASURED = DOCS / "results/h200/bench-kinds-64M.csv"
# What stands behind the lessons, and what is for those who teach; any other page is found as well.
BEHIND = ("machines", "editors", "trace", "glossary", "memory_model", "divergence", "scan", "timing",
          "libraries", "fusion", "claims", "yardstick", "simulator", "prediction", "judge", "programs")
# What the parts of the lessons are called.
PARTS = {1: "Part I: the histogram of a text", 2: "Part II: any operation, any number of bins",
         3: "Part III: an array becomes one value", 4: "Part IV: many GPUs, many machines",
         5: "Part V: applications", 6: "Part VI: the library"}
TEACHING = ("syllabus", "lectures", "labs", "tutors", "exam", "rubric", "grading", "style", "quiz")

# A part of the contents, the names of its pages, and whether the PDF has it.
Part = namedtuple("Part", "title pages printed")


def lessons():
    """The stems of the lessons, in their order."""
    return sorted(path.stem for path in DOCS.glob("[0-9]*_*.md"))


def parts_of_lessons():
    """The lessons of each part that has any, as Parts."""
    part_of = {stem: chapter["part"] for stem, chapter in course.chapters("chapters").items()}
    of = {title: [stem for stem in lessons() if part_of.get(stem, 1) == part] for part, title in PARTS.items()}
    return [Part(title, stems, True) for title, stems in of.items() if stems]


def title_of(path):
    """The first heading of a page."""
    return next((line[2:].strip() for line in Path(path).read_text().splitlines()
                 if line.startswith("# ")), Path(path).stem)


def solutions():
    """{stem: its sources, the solution first}; none in a course without solutions."""
    found = {}
    for folder in sorted(Path("solutions").glob("[0-9]*_*")):
        files = sorted(folder.glob("*.c*")) + sorted(folder.glob("further/*.c*"))
        if files and (DOCS / f"{folder.name}.md").is_file():
            found[folder.name] = files
    return found


def languages():
    """{language: the stems of the lessons that it has a catalog of}."""
    found = {}
    for path in sorted(LOCALE.glob("*/[0-9]*_*.po")):
        if path.stem in lessons():
            found.setdefault(path.parent.name, []).append(path.stem)
    return found


def called(language):
    return LANGUAGES.get(language, language)


def has_slides():
    """Whether the slides can be made: they show solved gaps, which a copy for students has not."""
    return (DOCS / "lectures.md").is_file() and set(lessons()) <= set(solutions())


def contents():
    """The parts of the book: every page but the home page, once, in the order of reading."""
    named = {*BEHIND, *TEACHING, "README", *lessons()}
    others = sorted(path.stem for path in DOCS.glob("*.md") if path.stem not in named)
    results = sorted(str(path.relative_to(DOCS).with_suffix(""))
                     for path in DOCS.glob("results/**/*.md"))
    behind = [name for name in BEHIND if (DOCS / f"{name}.md").is_file()] + others
    return [Part("Begin", ["README"], True),
            *parts_of_lessons(),
            *(Part(called(language), [f"{language}/{stem}" for stem in stems], False)
              for language, stems in languages().items()),
            Part("Behind the lessons", behind, True),
            Part("To teach", [name for name in TEACHING
                              if name == "quiz" or (DOCS / f"{name}.md").is_file()], True),
            Part("Solutions", ["solutions/index", *(f"solutions/{stem}" for stem in solutions())]
                 if solutions() else [], True),
            Part("Measured", results, True)]


def speeds():
    """{stem: GB/s on 64 MiB of English text in 5 bins}, of the chapters that were measured."""
    if not MEASURED.is_file():
        return {}
    with MEASURED.open(newline="") as file:
        return {row["implementation"]: float(row["GB_per_s"]) for row in csv.DictReader(file)
                if row["input"] == "english" and row["bins"] == "5" and row["GB_per_s"] != "-"}


def afterwards():
    """{stem: (minutes, what the reader can do afterwards)} of the table in docs/README.md."""
    rows = re.findall(r"^\| \[[^\]]*\]\((\w+)\.md\)[^|]*\| (\d+) \| (.*?) \|$",
                      (DOCS / "README.md").read_text(), re.MULTILINE)
    return {stem: (minutes, words) for stem, minutes, words in rows}


def rung(stem, speed, fastest):
    """A chapter on the home page: its title, what one learns, and how fast it is on a card."""
    title = html.escape(title_of(DOCS / f"{stem}.md"), quote=False)
    number, _, name = title.partition(". ")
    minutes, words = afterwards().get(stem, ("", ""))
    markup = f"<span class=\"learn\">{html.escape(words, quote=False)}</span>" if words else ""
    time = f"<span class=\"minutes\">{minutes} min</span>" if minutes else ""
    bar = ""
    if speed:
        part = 100 * (math.log10(speed) + 0.1) / (math.log10(fastest) + 0.1)
        bar = (f"<span class=\"speed\"><span class=\"bar\" style=\"--part:{part:.0f}\"></span>"
               f"<span class=\"figure\">{speed:,.0f} GB/s</span></span>")
    return (f"<li><a href=\"{stem}.html\"><span class=\"number\">{number}</span>"
            f"<span class=\"name\">{name}</span></a>{time}{markup}{bar}</li>")


def ladder():
    """The chapters as rungs, as HTML."""
    measured = speeds()
    fastest = max(measured.values(), default=1)
    rungs = [rung(stem, measured.get(stem), fastest) for stem in lessons()]
    markup = ("<p class=\"measured\">Bars, on a logarithmic scale: what an NVIDIA H200 reached, in GB "
            "of English text a second, 64 MiB in 5 bins. Reading alone reaches "
            f"{measured['read only']:,.0f}.</p>" if "read only" in measured else "")
    return "<ol class=\"rungs\">\n" + "\n".join(rungs) + "\n</ol>\n" + markup


def toctree(pages, options):
    """What Sphinx needs to know which pages come after each other."""
    return f"```{{toctree}}\n{options}\n\n" + "\n".join(f"/{page}" for page in pages) + "\n```"


def home(pdf):
    """The first page: what it is, where to begin, the ladder, the contents; pdf: name, or None."""
    first = lessons()[0] if lessons() else "README"
    toctrees = "\n\n".join(
        toctree(part.pages[:1] if part.title == "Solutions" else part.pages,
                f":hidden:\n:caption: {part.title}") for part in contents() if part.pages)
    more = "".join(f"- {words}\n" for words in (
        "[How to read the lessons](README.md), what you need, and paths for little time",
        "[Quiz bank](quiz.md): every question of the lessons, with folded answers",
        "[Glossary](glossary.md): every term",
        f'<a href="{pdf}">The book as a PDF</a>, to print' if pdf else "") if words)
    return f"""# Histogram Ladder

<p class="lead">A course on GPU programming that climbs one ladder: the parallel histogram, from a
sequential loop to the speed of the memory, in small chapters of C and CUDA C. It runs on the laptop
in front of you, without a GPU.</p>

<p class="doors"><a class="door" href="{first}.html">Begin with the first chapter</a>
<a class="door plain" href="README.html">How to read the lessons</a></p>

You read the idea, predict, write the ten lines that matter, and learn at once, by one command,
whether the kernel is right, whether it uses the technique of the chapter, and what it costs.

## The ladder

{ladder()}

## Where to begin

    sudo apt-get install -y build-essential libcriterion-dev gnuplot-nox
    make next

{more}
{toctrees}
"""


def trace_of(stem, traces):
    return next((path.name for path in traces if path.name.startswith(f"{stem}-")), None)


def solution_page(stem, files, trace):
    """The page of a chapter's solution; trace is the name of a file, or None."""
    title = title_of(DOCS / f"{stem}.md")
    text = [f"# Solution {title}", f"The reference of [the lesson](../{stem}.md). Look at it when "
            "yours is right: there is more than one way, and yours may be the better one."]
    if trace:
        text.append(f'<p class="see"><a href="../traces/{trace}">Every step of it on a small text</a>'
                    '</p>')
    for path in files:
        further = path.parent.name == "further"
        text += ["## Go further" if further else "## The kernel", f"`{path}`",
                 f"```{'cuda' if path.suffix == '.cu' else 'c'}\n{path.read_text()}```"]
    return "\n\n".join(text) + "\n"


def solutions_page(stems):
    return ("# Solutions\n\nThe reference kernels, whole, and those of the exercises that go further. "
            "Each lesson says the same in words.\n\n"
            + toctree([f"solutions/{stem}" for stem in stems], ":maxdepth: 1") + "\n")


def below_kernel(stem, solved, traces):
    """The note below a lesson's kernel, or nothing when there is nothing to see."""
    links = []
    if solved:
        links.append(f'<a href="solutions/{stem}.html">the whole solution</a>')
    trace = trace_of(stem, traces)
    if trace:
        links.append(f'<a href="traces/{trace}">every step of it on a small text</a>')
    if not links:
        return ""
    note = ('<div class="see">\n<p>It gives the answer away, so look when yours is right: '
            + " and ".join(links) + ".</p>\n")
    if trace:
        note += (f'<details class="trace" data-page="traces/{trace}" data-title="Trace of the '
                 f'solution {stem}"><summary>Its trace, here</summary>\n</details>\n')
    return note + "</div>\n"


def with_note(text, note):
    """The lesson with the note at the end of its section The kernel, or at its own end."""
    if not note:
        return text
    place = re.search(r"^## The kernel$.*?(?=^## )", text, re.MULTILINE | re.DOTALL)
    end = place.end() if place else len(text)
    return text[:end] + note + "\n" + text[end:]


def below_title(text, note):
    """The page with a note below its title."""
    title, _, rest = text.partition("\n")
    return f"{title}\n\n{note}\n{rest}"


def links_to_languages(stem):
    """The note on a lesson that says where it is in other languages; "" where it is in none."""
    links = ", ".join(f'<a href="{language}/{stem}.html" lang="{language.replace("_", "-")}">{called(language)}</a>'
                      for language, stems in languages().items() if stem in stems)
    return f'<p class="see">In another language: {links}.</p>\n' if links else ""


def in_language(language, stem):
    """A lesson in another language. Its links lead to the pages there are, which are in English."""
    if not LADDER.is_file():
        raise Missing(f"the lessons in other languages need {LADDER}: make book builds it")
    lesson = subprocess.run([LADDER, "lesson", DOCS / f"{stem}.md"], text=True, capture_output=True, check=True,
                            env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": language}).stdout
    text = re.sub(r"\]\((?=[\w./-]+\.(?:md|svg)\b)", "](../", lesson)
    return below_title(text, f'<p class="see"><a href="../{stem}.html" lang="en">English</a></p>\n')


def with_slides(text):
    """The page of the lectures with links to their slides, which lie beside it."""
    numbers = re.findall(r"^## Lecture (\d+):", text, re.MULTILINE)
    links = ", ".join(f'<a href="slides/lecture{number}.html">lecture {number}</a>'
                      for number in numbers)
    begin = text.find("\n## ")
    return (f'{text[:begin]}\n<p class="see">The slides are part of this book: {links}.</p>\n'
            f"{text[begin:]}" if links else text)


def without_links_out(text, page):
    """A page whose links to files of the course outside docs are their words alone."""
    def kept(found):
        target = os.path.normpath(page.parent / found.group(2).partition("#")[0])
        return found.group(1) if target.startswith("..") else found.group()
    return re.sub(r"\[([^\]]*)\]\((\.\./[^)\s]*)\)", kept, text)


def all_pages(pdf, traces):
    """{path below the folder of sources: its text or bytes}."""
    solved = solutions()
    pages = {"index.md": home(pdf), "quiz.md": quizzes.page(lessons())}
    for path in DOCS.rglob("*"):
        if path.is_file() and path.suffix in (".md", ".svg", ".csv", ".ipynb"):
            name = path.relative_to(DOCS)
            pages[str(name)] = (without_links_out(path.read_text(), name)
                                if path.suffix == ".md" else path.read_bytes())
    for stem in lessons():
        text = pages[f"{stem}.md"]
        text = with_note(text, below_kernel(stem, stem in solved, traces))
        pages[f"{stem}.md"] = below_title(text, links_to_languages(stem)) if links_to_languages(stem) else text
    for language, stems in languages().items():
        for stem in stems:
            pages[f"{language}/{stem}.md"] = in_language(language, stem)
    if has_slides():
        pages["lectures.md"] = with_slides(pages["lectures.md"])
    if solved:
        pages["solutions/index.md"] = solutions_page(solved)
    for stem, files in solved.items():
        pages[f"solutions/{stem}.md"] = solution_page(stem, files, trace_of(stem, traces))
    return {name: page.encode() if isinstance(page, str) else page
            for name, page in pages.items()}
