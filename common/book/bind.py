"""bind.py - makes the book: make book. The lessons as a site that needs no network, and as a PDF.

    bind.py [--site FOLDER] [--traces FOLDER] [--venv FOLDER] [--no-pdf]

Make is asked for the traces of the solutions, unless --traces has them.
Sphinx is one of the packages of common/packages/pinned.py. What the site is made of is gathered below
build/book-work (sources.py); the site is build/book. Chromium prints the PDF (pdf.py); without one
there is the site alone. Says what it made, or in one line what is missing, with status 1. Nothing is
made anew that has not changed.
"""
import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("reports", "packages", "proofs"))]

import pinned  # noqa: E402

pinned.need("the book")
import pdf  # noqa: E402
import quizzes  # noqa: E402
import slides  # noqa: E402
import sources  # noqa: E402
from pinned import Missing, hash_of, last_line  # noqa: E402

PDF = "histogram-ladder.pdf"
LISTENS = ("<script>addEventListener('message', told => { if (told.source === parent && "
           "/^(light|dark)$/.test(told.data)) document.documentElement.dataset.theme = told.data; });"
           "</script>")
# The source of the pages, and Sphinx's own notes, which no reader of the site needs.
NOT_OF_THE_SITE = (".buildinfo", "objects.inv", "_sources")


def traced(folder):
    """The traces of the solutions, each made anew when its kernel or what records it is newer.

    Without them there is a book, too: what make said is told, and the rest goes on.
    """
    made_of = [path for place in ("common/trace", "common/sim")
               for path in Path(place).rglob("*") if path.is_file()]
    newest = max((path.stat().st_mtime for path in made_of), default=0)
    old = [stem for stem, files in sources.solutions().items()
           if age(folder / f"{stem}-solution.html") < max(newest, files[0].stat().st_mtime)]
    if old:
        print(f"tracing {len(old)} solutions, some seconds each", flush=True)
        make = os.environ.get("MAKE", "make")
        done = subprocess.run([make, "-k", "-f", "common/make/variant.mk", "KIND=solution", "BINS=5",
                               "INPUT=", "TEXT=", "SIZE=", f"STEMS={' '.join(old)}", "trace"],
                              text=True, errors="replace", capture_output=True)
        if done.returncode != 0:
            print(f"not all solutions could be traced: {last_line(done.stderr)[:200]}")
    return solution_traces(folder)


def solution_traces(folder):
    return sorted(folder.glob("[0-9]*_*-solution.html"))


def age(path):
    return path.stat().st_mtime if path.is_file() else 0


def put(folder, pages):
    """Writes the pages that have changed, and takes away what is none of them."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if str(path.relative_to(folder)) not in pages:
            path.unlink()
    for name, content in pages.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def sphinx(venv, source, site, work):
    """Runs Sphinx; a link that leads nowhere, and any other warning, is an error."""
    made_by, mark = hash_of(*code()), work / "made-by"
    if not mark.is_file() or mark.read_text() != made_by:  # it looks at the pages alone
        shutil.rmtree(work / "doctrees", ignore_errors=True)
        shutil.rmtree(site, ignore_errors=True)
        mark.write_text(made_by)
    done = subprocess.run([pinned.python("the book", venv), "-m", "sphinx", "-q", "-j", "auto", "-W", "--keep-going",
                           "-b", "html", "-c", HERE, "-d", work / "doctrees", source, site],
                          text=True, capture_output=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        raise Missing("the book cannot be made:\n" + done.stderr.strip())
    for name in NOT_OF_THE_SITE:
        path = site / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def remove_old(site, pages):
    """Takes away pages of the site whose source is gone."""
    made = {name[:-3] for name in pages if name.endswith(".md")} | {"search"}
    for path in site.rglob("*.html"):
        name = str(path.relative_to(site).with_suffix(""))
        if name not in made and path.parts[len(site.parts)] not in ("slides", "traces", "_static"):
            path.unlink()


def add_slides(site):
    """The slides of the lectures, beside the page that plans them."""
    shutil.rmtree(site / "slides", ignore_errors=True)
    if not sources.has_slides():
        return
    stand = sys.stdout
    with open(os.devnull, "w") as sys.stdout:
        wrong = slides.main(str(site / "slides"))
    sys.stdout = stand
    if wrong:
        raise Missing("the slides cannot be made: make slides says why")


def add_traces(site, traces):
    """The traces; in a page of the book they take its theme, which it tells them."""
    shutil.rmtree(site / "traces", ignore_errors=True)
    for path in traces:
        (site / "traces").mkdir(exist_ok=True)
        page = path.read_text()
        (site / "traces" / path.name).write_text(page.replace("</head>", LISTENS + "</head>", 1))


def size_of(path):
    files = path.rglob("*") if path.is_dir() else [path]
    return f"{sum(file.stat().st_size for file in files if file.is_file()) / 1e6:.1f} MB"


def code():
    """The files that decide what the book looks like."""
    return sorted(path for folder in ("book", "packages", "reports")
                  for path in (HERE.parent / folder).rglob("*")
                  if path.is_file() and path.suffix != ".pyc")


def make(site, traces, browser, venv):
    """Makes what has changed. Returns what to say."""
    work = site.with_name(site.name + "-work")
    if site.exists() and not site.is_dir():
        raise Missing(f"{site} is no folder, and the site needs one")
    pages = sources.all_pages(PDF if browser else None, traces)
    wanted = hash_of(*(part for name in sorted(pages) for part in (name, pages[name])), *code(),
                     *traces, str(browser), sys.version)
    mark, printed = work / "complete", site / PDF
    if not (mark.is_file() and mark.read_text() == wanted and (site / "index.html").is_file()
            and (not browser or printed.is_file())):
        mark.unlink(missing_ok=True)
        pinned.python("the book", venv)
        print(f"making the site in {site}", flush=True)
        put(work / "source", pages)
        sphinx(venv, work / "source", site, work)
        remove_old(site, pages)
        add_slides(site)
        add_traces(site, traces)
        (site / quizzes.GIFT).write_text(quizzes.gift(sources.lessons()))
        printed.unlink(missing_ok=True)
        if browser:
            print(f"printing {printed}", flush=True)
            pdf.print_book(site, work, printed, browser)
        mark.write_text(wanted)
    lines = [f"{site}/index.html: {len(pages_of(site))} pages, {size_of(site)} with all they show; "
            "open it in a browser"]
    if browser:
        lines.append(f"{printed}: {pdf.count(printed)} pages, {size_of(printed)}")
    return lines


def pages_of(site):
    return [path for path in site.rglob("*.html") if "_static" not in path.parts]


def main(arguments):
    options = argparse.ArgumentParser(description="makes the book")
    options.add_argument("--site", type=Path, default=Path("build/book"))
    options.add_argument("--traces", type=Path)
    options.add_argument("--venv", type=Path, default=pinned.FOLDER)
    options.add_argument("--no-pdf", action="store_true")
    given = options.parse_args(arguments)
    browser = None if given.no_pdf else pdf.browser()
    try:
        traces = solution_traces(given.traces) if given.traces else traced(Path("build/trace"))
        print("\n".join(make(given.site, traces, browser, given.venv)))
    except (Missing, pdf.Failed) as reason:
        print(f"book: {reason}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"book: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    if not browser and not given.no_pdf:
        print("no PDF: that needs Chromium: sudo apt-get install -y chromium")
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main(sys.argv[1:]))
