"""pinned.py - the packages of pinned.txt, for programs of authors and lecturers; a student needs none.

They come from PyPI into build/packages, once, and anew when the list or Python changes; those of another list into a
folder that the caller names. Of several programs that want them at the same time, one installs, and the others wait.
"""
import fcntl
import hashlib
import os
import shutil
import site
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_suffix(".txt")
FOLDER = Path(__file__).resolve().parents[2] / "build/packages"
OLDEST = (3, 11)  # what these packages need


class Missing(Exception):
    """What is not there, in a sentence that says what to do."""


def hash_of(*contents):
    """One hash of texts, bytes, and files, which are Paths."""
    sum_of = hashlib.sha256()
    for content in contents:
        data = content.read_bytes() if isinstance(content, Path) else content
        data = data.encode() if isinstance(data, str) else data
        sum_of.update(hashlib.sha256(data).digest())
    return sum_of.hexdigest()


def last_line(log):
    """What a program that failed said last, or its first error."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["nothing"])[-1]


def python(what, folder=FOLDER, packages=LIST):
    """The Python that has the packages of a list, installed in the folder when they are not there, or others.

    `what` needs them, in a word or two. Raises Missing where they cannot be had."""
    if sys.version_info < OLDEST:
        raise Missing("{} needs Python {}.{} or newer, and this is {}.{}".format(
            what, *OLDEST, *sys.version_info[:2]))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted, mark = hash_of(packages, sys.version, str(folder.resolve())), folder / "complete"
        if not (mark.is_file() and mark.read_text() == wanted):
            install(what, folder, packages)
            mark.write_text(wanted)
    return folder / "bin/python"


def install(what, folder, packages):
    """Makes the folder anew."""
    try:
        import ensurepip  # noqa: F401 (what venv needs, and Debian packs by itself)
        from venv import create
    except ImportError:
        raise Missing(f"{what} needs Python's venv: "
                      "sudo apt-get install -y python3-venv") from None
    print(f"installing packages for {what} in {os.path.relpath(folder)}: once, half a minute",
          file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    create(folder, with_pip=True)
    done = subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", "--retries", "1",
                           "--timeout", "20", "--disable-pip-version-check", "--require-hashes",
                           "-r", packages], text=True, capture_output=True)
    if done.returncode != 0:
        raise Missing(f"{what} needs packages from PyPI, and pip could not get them: "
                      f"{last_line(done.stderr)[:200]}; try again with a network, or name an index "
                      "that you reach with PIP_INDEX_URL")


def use(what):
    """Lets this program import the packages. Raises Missing where they cannot be had."""
    python(what)
    site.addsitedir(str(FOLDER / "lib/python{}.{}/site-packages".format(*sys.version_info[:2])))


def need(what):
    """The same for a program that can do nothing without them: it ends, and says why in a line."""
    try:
        use(what)
    except Missing as reason:
        sys.exit(str(reason))
