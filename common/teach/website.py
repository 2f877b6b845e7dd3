"""website.py - makes two sites of the pages of docs, which need no network: make site.

    website.py [FOLDER]      writes FOLDER/student and FOLDER/lecturer; FOLDER is build/site

A student's has the lessons with what is folded, and what is behind them. A lecturer's has besides the exam's questions,
tutors' notes, lectures and the like, and the solutions; a student's search finds nothing of them. Sphinx makes both, and
a link that leads nowhere is an error. Status 1 when Sphinx has warned.
"""
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import shortened  # noqa: E402

DOCS = Path("docs")
# Pages for those who teach, by the first word of their names.
TEACHING = ("exam", "grading", "labs", "lectures", "rubric", "solutions", "style", "syllabus", "tutors")
PARTS = {"Part I: the histogram of a text": "[01]", "Part II: any operation, any number of bins": "[23]",
         "Part III: an array becomes one value": "4", "Part IV: many GPUs, many machines": "6",
         "Part V: applications": "7", "Part VI: the library": "8"}


def is_for_lecturers(name):
    return Path(name).stem.split("_")[0] in TEACHING


def contents(names):
    """[(title, pages)]: every page once, in the order of reading."""
    lessons = sorted(name for name in names if re.match(r"\d\d_", name))
    parts = [(title, [name for name in lessons if re.match(digits, name)]) for title, digits in PARTS.items()]
    teaching = [name for name in names if is_for_lecturers(name) and "/" not in name]
    solutions = [name for name in names if name.startswith("solution/")]
    measured = [name for name in names if name.startswith("results/")]
    others = [name for name in names if name not in {*lessons, *teaching, *solutions, *measured, "README"}]
    return [("Begin", ["README"]), *parts, ("Behind the lessons", others), ("To teach", teaching),
            ("Solutions", solutions), ("Measured", measured)]


def home(names):
    """The first page: where to begin, and the contents."""
    first = "/" + min(name for name in names if re.match(r"\d\d_", name))
    trees = [f"```{{toctree}}\n:caption: {title}\n:maxdepth: 1\n\n" + "\n".join(f"/{name}" for name in pages) + "\n```"
             for title, pages in contents(names) if pages]
    return (f"# Histogram Ladder\n\nBegin with [the first lesson]({first}.md), or read [how to use the lessons]"
            "(/README.md).\n\n" + "\n\n".join(trees) + "\n")


def solution_page(stem):
    """The solution of a chapter, as a page."""
    files = [*sorted(Path("solutions", stem).glob("*.c*")), *sorted(Path("solutions", stem).glob("further/*.c*"))]
    blocks = [f"`{path}`\n\n```{'cuda' if path.suffix == '.cu' else 'c'}\n{path.read_text()}```\n" for path in files]
    return f"# Solution {int(stem[:2])}. {stem[3:].replace('_', ' ')}\n\n" + "\n".join(blocks)


def pages_of(for_lecturer):
    """{path below the folder of sources: its text}."""
    pages = {str(path.relative_to(DOCS)): path.read_text() for path in DOCS.rglob("*.md")}
    if for_lecturer:
        pages.update((f"solution/{folder.name}.md", solution_page(folder.name))
                     for folder in sorted(Path("solutions").glob("[0-9]*_*")) if f"{folder.name}.md" in pages)
    else:
        pages = {name: shortened.without_lecturers(text) for name, text in pages.items() if not is_for_lecturers(name)}

    def there(path):  # in docs, as the site has it: pages, and what they show
        name = str(Path(path).relative_to(DOCS)) if Path(path).is_relative_to(DOCS) else None
        return bool(name) and (name in pages or (Path(path).is_file() and not name.endswith(".md")))
    pages = {name: shortened.without_links(f"docs/{name}", text, there) for name, text in pages.items()}
    names = sorted(name[:-len(".md")] for name in pages)
    return {**pages, "index.md": home(names)}


def put(folder, pages):
    """Makes the folder the sources: what has changed, and what the pages show; takes away what is none of them."""
    shown = {str(Path(path).relative_to(DOCS)): Path(path).read_bytes() for name, text in pages.items()
             for path in {*shortened.images(f"docs/{name}", text), *(shortened.target(f"docs/{name}", link)
                          for _, link in shortened.LINK.findall(text))} - {None}
             if Path(path).is_file() and not path.endswith(".md")}
    files = {**shown, **{name: text.encode() for name, text in pages.items()}}
    for path in (path for path in folder.rglob("*") if path.is_file()):
        if str(path.relative_to(folder)) not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def main(folder="build/site"):
    status = 0
    for kind in ("student", "lecturer"):
        work, made = Path(folder, f"{kind}-work"), Path(folder, kind)
        pages = pages_of(kind == "lecturer")
        print(f"making {made}: {len(pages)} pages", flush=True)
        put(work / "source", pages)
        for path in made.glob("**/*.html"):  # a page whose source is gone
            if f"{path.relative_to(made).with_suffix('')}.md" not in pages and path.name != "search.html":
                path.unlink()
        status |= subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html",
                                  "-c", Path(__file__).parent, "-d", work / "doctrees", work / "source", made]).returncode
        print(f"{made}/index.html: open it in a browser")
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
