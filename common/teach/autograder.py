"""autograder.py - an autograder for Gradescope, as one file to upload: make chapter5 gradescope.

    autograder.py NUMBER...

Writes build/gradescope/chapterN.zip: setup.sh, run_autograder, their settings, and of the course what judging needs: no
solutions, no planted mistakes, no lessons, for a submission might read them. EXTRA, POINTS, and what was typed as BINS,
OPERATION and SEED go with it, and one DRAW for all.
"""
import os
import secrets
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from points import USUAL, Wrong, extra_in, items_in

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ("setup.sh", "run_autograder")
TAKEN = ("Makefile", "chapters", "common", "tests")
LEFT_OUT = ("common/bench", "common/programs", "tests/advice", "tests/arm64", "tests/bare", "tests/cheats", "tests/course",
            "tests/fidelity", "tests/further", "tests/grading", "tests/mutants", "tests/proofs", "tests/right", "tests/sim",
            "tests/teach", "tests/transcripts")
TYPED = (("BINS", "KEY_BINS"), ("OPERATION", "OPERATION"), ("SEED", "SEED"))  # and where it is found
WHEN = (2020, 1, 1, 0, 0, 0)  # of every file, so that the same course gives the same zip


def files():
    """The files of the course that go with it, below ROOT."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others",
               "--exclude-standard", "--", *TAKEN]
    run = subprocess.run(command, capture_output=True, text=True) if (ROOT / ".git").exists() \
        and shutil.which("git") else None
    if run and run.returncode == 0:
        found = run.stdout.split("\0")
    else:
        found = [str(path.relative_to(ROOT)) for name in TAKEN
                 for path in [ROOT / name, *(ROOT / name).rglob("*")]]
    return sorted(name for name in set(found) if (ROOT / name).is_file() and name and not
                  any(name.startswith(folder + "/") for folder in (*LEFT_OUT, "build"))
                  and "/further/" not in name and "__pycache__" not in name)


def settings(numbers, points, extra):
    """The text of the file of settings, which shell scripts read."""
    typed = {name: os.environ.get(variable) for name, variable in TYPED}
    kept = "".join(f"{name}={value} " for name, value in typed.items() if value)
    lines = [f"GOALS='{' '.join(f'chapter{number}' for number in numbers)}'",
             f"export {kept}DRAW={os.environ.get('DRAW') or 1 + secrets.randbelow(65535)}"]
    if points:
        lines.append('export POINTS="${AUTOGRADER:-/autograder}/source/points"')
    if extra:
        lines.append('export EXTRA="${AUTOGRADER:-/autograder}/source/extra"')
    return "\n".join(lines) + "\n"


def add(archive, name, data, executable=False):
    entry = zipfile.ZipInfo(name, WHEN)
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def write(path, numbers):
    points, extra = os.environ.get("POINTS"), extra_in(os.environ.get("EXTRA", ""))
    items_in(points or USUAL, bool(extra))
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in SCRIPTS:
            add(archive, name, (Path(__file__).parent / "gradescope" / name).read_bytes(), True)
        add(archive, "settings", settings(numbers, points, extra))
        if points:
            add(archive, "points", Path(points).read_bytes())
        if extra:
            add(archive, "extra/seeds", "\n".join(extra.seeds))
            for text in extra.texts:
                add(archive, f"extra/{Path(text).name}", Path(text).read_bytes())
        for name in files():
            file = ROOT / name
            add(archive, f"course/{name}", file.read_bytes(), os.access(file, os.X_OK))


def main(numbers):
    path = Path("build", "gradescope", f"chapter{'-'.join(numbers)}.zip")
    try:
        write(path, numbers)
    except Wrong as error:
        print(f"gradescope: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"gradescope: {error.filename or path}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{path}: {path.stat().st_size:,} bytes; upload it as the autograder of a programming "
          "assignment (docs/grading.md)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
