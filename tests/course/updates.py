#!/usr/bin/env python3
"""updates.py - make update takes a newer course, and no line that a student wrote is lost.

Small courses of a few files, as folders, archives and clones; a student changes, adds and removes
files, and updates. Prints "ok ..." and "FAIL ...", and their sum at the end.

    tests/course/updates.py        from the root of the course

Depends on: common/course/update/* common/course/util.* common/make/goals.mk common/handout/* Makefile tests/course/scratch.py"""
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from functools import partial

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

ROOT = os.getcwd()
SCRIPT = os.path.join(ROOT, "common/course/update/update.sh")
STUB, PAGE, OLD = "chapters/05_name/histogram.cu", "docs/05_name.md", "docs/old.md"
FIRST = {".gitignore": "/build/\n", "Makefile": "all:\n", "common/make/variant.mk": "1\n",
         STUB: "gap\n", PAGE: "page\n", OLD: "old\n", "chapters/06_gone/histogram.cu": "gap 6\n",
         "a file.txt": "blank\n"}
SECOND = {**FIRST, "common/make/variant.mk": "2\n", PAGE: "newer page\n", "new/deep/file.c": "new\n",
          "a file.txt": "newer blank\n"}
del SECOND[OLD], SECOND["chapters/06_gone/histogram.cu"]


def write(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def read(folder, names=None):
    """{path: text} of a folder, without build and git."""
    found = {}
    for where, folders, files in os.walk(folder):
        if where == folder:
            folders[:] = [name for name in folders if name not in ("build", ".git")]
        for name in files:
            path = os.path.join(where, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                found[os.path.relpath(path, folder)] = file.read()
    found.pop(".course", None)
    return {name: found.get(name) for name in names} if names else found


def git(folder, *words):
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-c",
                           "init.defaultBranch=main", *words], cwd=folder, check=True, text=True,
                          capture_output=True).stdout


def commit(folder, words):
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", words)


def update(folder, course=None, program=None, before=(), **environment):
    """Runs the driver as make does: its status, and all it printed."""
    settings = {**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(folder),
                "ASAN_OPTIONS": "detect_leaks=0", **environment}
    settings.pop("COURSE", None)
    if course:
        settings["COURSE"] = course
    done = subprocess.run([*before, SCRIPT, program or PROGRAM], cwd=folder, env=settings, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def expect(name, folder, wanted, answer, *parts):
    """The files are these, and it said these parts."""
    status, said = answer
    have = read(folder)
    wrong = [f"{path}: {have.get(path)!r}, not {wanted.get(path)!r}"
             for path in sorted(set(have) | set(wanted)) if have.get(path) != wanted.get(path)]
    wrong += [f"does not say: {part}" for part in parts if part not in said]
    scratch.tell(name, f"{'; '.join(wrong)}\nstatus {status}: {said}" if wrong else None)


def student(where, name, changes=None, record=True):
    """A course as it was handed out, and what a student made of it."""
    folder = os.path.join(where, name)
    write(folder, FIRST)
    if record:
        note(folder)
    write(folder, changes or {})
    return folder


def note(folder):
    """The record, as make handout writes it."""
    sys.path.insert(0, os.path.join(ROOT, "common/handout"))
    import installed
    installed.write(folder, {name: (text.encode(), 0o644) for name, text in read(folder).items()})


MINE = {STUB: "gap\nmy lines\n", "break.txt": "mine\n", "chapters/05_name/further/histogram.cu": "mine\n"}


def folders(where, second):
    """From a folder to a folder."""
    one = student(where, "unchanged")
    expect("all files unchanged: the new version", one, SECOND, update(one, second),
           "files that are new: 1, newer: 3, gone: 2")
    expect("once more: nothing is new", one, SECOND, update(one, second), "nothing is new")
    one = student(where, "changed", MINE)
    expect("a stub that the student changed stays", one, {**SECOND, **MINE}, update(one, second))
    expect("and stays the next time", one, {**FIRST, **MINE}, update(one, os.path.join(where, "first")))
    one = student(where, "gone", {OLD: "my old\n", "chapters/06_gone/histogram.cu": "solved\n"})
    expect("what the course has no more stays when the student changed it", one,
           {**SECOND, OLD: "my old\n", "chapters/06_gone/histogram.cu": "solved\n"}, update(one, second),
           f"{OLD}: the course has it no more; yours stays")
    one = student(where, "deleted")
    os.remove(os.path.join(one, STUB))
    expect("a file that is missing comes back", one, SECOND, update(one, second))


def objects(where, second):
    """What was compiled of a file that is gone is forgotten, so that make does not ask for it."""
    one = student(where, "objects")
    built = {"build/sim/old.d": f"build/sim/old.o: {OLD}\n", "build/sim/old.o": "",
             "build/sim/page.d": f"build/sim/page.o: {PAGE}\n", "build/sim/page.o": ""}
    write(one, built)
    update(one, second)
    left = sorted(os.listdir(f"{one}/build/sim"))
    scratch.tell("objects of sources that are gone are forgotten, and no others",
                 None if left == ["page.d", "page.o"] else str(left))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def by_http(where, second):
    """From an address, on this machine."""
    shutil.make_archive(os.path.join(where, "served"), "gztar", where, "second")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=where))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    one = student(where, "served-to", MINE)
    if shutil.which("curl") or shutil.which("wget"):
        expect("from an address", one, {**SECOND, **MINE}, update(one, f"{address}/served.tar.gz"))
        expect("from an address that is not there", one, read(one), update(one, f"{address}/no.zip"),
               f"update: cannot fetch {address}/no.zip: ")
    else:
        print("not tried: an address, for neither curl nor wget is installed")
    server.shutdown()


def conflicts(where, second):
    """Both changed: both stay, also the next time."""
    both = {PAGE: "my page\n", "new/deep/file.c": "mine, too\n"}
    one = student(where, "both", both)
    answer = update(one, second)
    left = {**SECOND, **both, PAGE + ".new": SECOND[PAGE], "new/deep/file.c.new": "new\n"}
    expect("a conflict leaves both", one, left, answer,
           f"{PAGE}: yours stays as it is; the course has a new one: {PAGE}.new")
    expect("and is told once", one, left, update(one, second), "nothing is new")
    write(one, {PAGE + ".new": "half merged\n"})
    third = os.path.join(where, "third")
    write(third, {**SECOND, PAGE: "third page\n"})
    expect("a second conflict leaves what the student made of the first", one,
           {**left, PAGE + ".new": "half merged\n", PAGE + ".new2": "third page\n"}, update(one, third))
    one = student(where, "folder")
    os.remove(os.path.join(one, PAGE))
    write(one, {PAGE + "/note.txt": "mine\n", "new": "a file of mine\n"})
    status, said = answer = update(one, second)
    expect("a folder in the place of a file, and a file in that of a folder", one,
           {**{name: text for name, text in SECOND.items() if name not in (PAGE, "new/deep/file.c")},
            PAGE + "/note.txt": "mine\n", "new": "a file of mine\n", PAGE + ".new": SECOND[PAGE],
            OLD: FIRST[OLD], "chapters/06_gone/histogram.cu": "gap 6\n"}, answer,
           "new/deep/file.c: cannot be written", "nothing of yours is lost")
    scratch.tell("and its status tells", None if status else said)


def without_record(where, second):
    """Nobody knows what was installed: both versions of everything are kept."""
    one = student(where, "unknown", MINE, record=False)
    expect("without a record nothing is lost", one,
           {**FIRST, **SECOND, **MINE, **{f"before-update/1/{name}": FIRST[name] for name in
                                          ("a file.txt", PAGE, "common/make/variant.mk")},
            STUB + ".new": SECOND[STUB]}, update(one, second), "nothing tells which version was here")
    expect("but once", one, read(one), update(one, second), "nothing is new")


def archives(where, second):
    """From archives, with and without a folder at their top."""
    for kind, ending in (("gztar", ".tar.gz"), ("zip", ".zip"), ("xztar", ".tar.xz")):
        if kind == "zip" and not shutil.which("unzip"):
            print("not tried: a .zip, for unzip is not installed")
            continue
        for base in (None, "second"):
            archive = shutil.make_archive(os.path.join(where, f"an archive {base}"), kind,
                                          where if base else second, base)
            one = student(where, f"from {kind} {base}", MINE)
            expect(f"from a {ending} {'with' if base else 'without'} a folder", one, {**SECOND, **MINE},
                   update(one, archive))


def clones(where):
    """Clones: HEAD follows, uncommitted and staged lines stay."""
    origin = os.path.join(where, "origin")
    write(origin, FIRST)
    note(origin)
    git(origin, "init", "-q")
    commit(origin, "first")
    names = ("plain", "dirty", "committed", "clash", "shallow")
    for name in names:
        url = "file://" + origin
        git(where, "clone", "-q", *(["--depth", "1"] if name == "shallow" else []), url, f"clone-{name}")
    write(origin, {**SECOND, STUB: "gap, newer\n"})
    for gone in set(FIRST) - set(SECOND):
        os.remove(os.path.join(origin, gone))
    note(origin)
    commit(origin, "second")
    newest, newer = git(origin, "rev-parse", "HEAD"), {**SECOND, STUB: "gap, newer\n"}

    def clone(name):
        return os.path.join(where, f"clone-{name}")
    for name in ("plain", "shallow"):
        expect(f"a {name} clone", clone(name), newer, update(clone(name)))
        scratch.tell(f"a {name} clone is at the newest commit, and clean",
                     git(clone(name), "status", "--short") or
                     (None if git(clone(name), "rev-parse", "HEAD") == newest else "is not"))
        expect("and again", clone(name), newer, update(clone(name)), "nothing is new")
    write(clone("dirty"), MINE)
    git(clone("dirty"), "add", STUB)
    write(clone("dirty"), {STUB: "gap\nmy lines\nmore\n"})
    kept = {**newer, **MINE, STUB: "gap\nmy lines\nmore\n", STUB + ".new": "gap, newer\n"}
    expect("a clone with lines that are not committed", clone("dirty"), kept, update(clone("dirty")),
           "what you had staged is kept")
    staged = git(clone("dirty"), "show", f"refs/before-update^2:{STUB}")
    scratch.tell("what was staged is kept", None if staged == MINE[STUB] else staged)
    committed(clone("committed"), newer, newest)
    write(clone("clash"), {STUB: "solved\n", PAGE: "my page\n"})
    commit(clone("clash"), "my solution")
    expect("a clone with commits that clash", clone("clash"),
           {**newer, STUB: "solved\n", PAGE: "my page\n", STUB + ".new": "gap, newer\n",
            PAGE + ".new": SECOND[PAGE]}, update(clone("clash")))
    failing_clones(where, clone("plain"))


def committed(folder, newer, newest):
    """The student's commits get a merge, and git pull has nothing to do then."""
    write(folder, {"mine.txt": "mine\n", PAGE: "my page\n"})
    commit(folder, "my page")
    write(folder, {"mine.txt": "mine, changed\n"})
    expect("a clone with commits", folder, {**newer, "mine.txt": "mine, changed\n", PAGE: "my page\n",
                                            PAGE + ".new": SECOND[PAGE]}, update(folder))
    parents = git(folder, "log", "-1", "--format=%P").split()
    git(folder, "merge-base", "--is-ancestor", newest.strip(), "HEAD")
    scratch.tell("the newer version is a parent of its HEAD", None if len(parents) == 2 else str(parents))
    status = sorted(git(folder, "status", "--short").splitlines())
    scratch.tell("and only what the student changed since is changed",
                 None if status == [" M mine.txt", f"?? {PAGE}.new"] else str(status))
    scratch.tell("the student's page is in it", None if
                 git(folder, "show", f"HEAD:{PAGE}") == "my page\n" else "is not")


def failing_clones(where, folder):
    before = read(folder)
    git(folder, "config", "remote.origin.url", "file:///nowhere/at/all")
    expect("an origin that is not there", folder, before, update(folder), "update: cannot fetch from origin:")
    git(folder, "remote", "remove", "origin")
    expect("no origin", folder, before, update(folder), "this repository has no origin")
    one = student(where, "no git")
    expect("no clone and no COURSE", one, FIRST, update(one), "from where? make update COURSE=")


def bad_courses(where, second):
    one = student(where, "bad", MINE)
    before = read(one)
    write(where, {"empty.zip": "", "text.tar.gz": "no archive\n", "empty/x": ""})
    for course, part in (("nowhere", "nowhere: there is no such folder or archive"),
                         (f"{where}/empty", "is no copy of the course"), (one, "is this course itself"),
                         (f"{where}/empty.zip", "is empty"),
                         (f"{where}/text.tar.gz", "is no archive that can be unpacked"),
                         ("http://127.0.0.1:9/course.zip", "cannot fetch"),
                         ("file:///nowhere/course.git", "cannot fetch from file:///nowhere/course.git"),
                         ("x; touch pwned", "there is no such folder")):
        status, said = answer = update(one, course)
        lines = [line for line in said.splitlines() if line.startswith("update: ")]
        scratch.tell(f"COURSE={os.path.basename(course)}: one line", None if status and len(lines) == 1 else said)
        expect(f"COURSE={os.path.basename(course)}: nothing is touched", one, before, answer, part)


def cut_off(where, second):
    """Ended in the middle, at every file: the next run completes it."""
    wanted = {**SECOND, **MINE}
    for size in range(1, 5):  # blocks of 512 bytes that may be written: it dies at one file or other
        one = student(where, f"cut-{size}", MINE)
        big = {**SECOND, "new/deep/file.c": "x" * 1500, PAGE: "y" * 600}
        newest = os.path.join(where, f"newest-{size}")
        write(newest, big)
        status, said = update(one, newest, before=("sh", "-c", f'ulimit -f {size}; exec "$0" "$@"'))
        have = read(one)
        lost = [name for name in MINE if have.get(name) != MINE[name]]
        lost += [name for name in FIRST if name not in MINE
                 and have.get(name) not in (FIRST[name], big.get(name))]
        scratch.tell(f"no room after {size} blocks: nothing is lost or half written",
                     f"{lost}: {said}" if lost else None)
        expect("and the next run completes it", one, {**wanted, **big, **MINE}, update(one, newest))


def read_only(where, second):
    if os.geteuid() == 0:
        print("not tried: a read-only folder, for root may write there")
        return
    one = student(where, "read-only", MINE)
    os.chmod(os.path.join(one, "docs"), 0o555)
    status, said = update(one, second)
    os.chmod(os.path.join(one, "docs"), 0o755)
    scratch.tell("a read-only folder is told", None if status and "docs" in said and
                 "nothing of yours is lost" in said else said)
    expect("and completed when it can be written", one, {**SECOND, **MINE}, update(one, second))


def with_make():
    """The command itself, in a copy of the course."""
    target = scratch.copy(ROOT, "update")
    scratch.expect(target, "update COURSE=nowhere", False, "update: nowhere: there is no such folder")
    shutil.rmtree(target)


def main():
    global PROGRAM
    with tempfile.TemporaryDirectory() as where:
        PROGRAM = os.path.join(where, "update program")
        sources = ["common/course/update/update.c", "common/course/util.c"]
        subprocess.run([os.environ.get("CC", "gcc"), "-std=c11", "-g", "-fsanitize=address,undefined",
                        "-Icommon/course", *sources, "-o", PROGRAM], check=True)
        second = os.path.join(where, "second")
        write(second, SECOND)
        write(os.path.join(where, "first"), FIRST)
        for test in (folders, objects, by_http, conflicts, without_record, archives, bad_courses,
                     cut_off, read_only):
            test(where, second)
        if shutil.which("git"):
            clones(where)
        else:
            print("not tried: clones, for git is not installed")
    with_make()
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
