"""uploaded.py - whether the autograder for Gradescope is whole, and the workflow for GitHub plain.

The zip is unpacked into a folder laid out as theirs, and run_autograder judges a solution there, with
what is built already. setup.sh, which installs packages, is tried by tests/grading/gradescope.sh.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import course

BUILT = ("libsim.a", "complete", "flags*", "folders*", "left_out", "rewrite", "objects", "linker", "linked",
         "common", "common-5", "tools")
WORKFLOW = "common/grading/github/classroom.yml"


def ok(name, right, what=""):
    return f"ok grading: {name}" if right else f"FAIL grading: {name}: {what}"


def prove(stem, folder):
    """The lines about a chapter's autograder, in an empty folder."""
    extra, points = folder / "my texts", folder / "my points"
    extra.mkdir()
    (extra / "secret.txt").write_text("a text of the lecturer's own" * 99)
    points.write_text("right 4\nextra 1 after_published\n")
    number = course.number(stem)
    run = subprocess.run([sys.executable, "-B", "common/grading/autograder.py", str(number)],
                         text=True, capture_output=True,
                         env=course.environment(EXTRA=str(extra), POINTS=str(points)))
    if run.returncode != 0:
        return [ok("an autograder is made", False, run.stderr)]
    with zipfile.ZipFile(f"build/gradescope/chapter{number}.zip") as archive:
        lines = contents(archive)
        unpack(archive, folder / "source")
    return [*lines, *judged(stem, folder)]


def contents(archive):
    names = archive.namelist()
    top = {name for name in names if "/" not in name}
    executable = [name for name in ("setup.sh", "run_autograder", "course/common/sim/simcc")
                  if archive.getinfo(name).external_attr >> 16 & 0o111]
    secret = {Path(path).read_bytes() for path in course.files("solutions/**/*")}
    telling = [name for name in names if archive.read(name) in secret
               or re.match(r"course/(solutions|docs|build|tests/(mutants|right|cheats))/", name)]
    broken = [name for name in ("setup.sh", "run_autograder") if subprocess.run(
        ["bash", "-n"], input=archive.read(name), capture_output=True).returncode]
    return [ok("the zip has its scripts at the top", top == {"setup.sh", "run_autograder",
                                                             "settings", "points"}, top),
            ok("and they can be executed", len(executable) == 3 and not broken, executable),
            ok("it holds no solution, lesson or planted mistake", not telling, telling[:3])]


def unpack(archive, source):
    for entry in archive.infolist():
        path = Path(archive.extract(entry, source))
        path.chmod(entry.external_attr >> 16 & 0o777)
        os.utime(path, (0, 0))


def judged(stem, folder):
    build = folder / "source" / "course" / course.BUILD
    build.mkdir(parents=True)
    for pattern in BUILT:
        for path in Path(course.BUILD).glob(pattern):
            if path.is_dir():
                shutil.copytree(path, build / path.name)
            else:
                shutil.copy2(path, build / path.name)
    for name in ("submission", "results"):
        (folder / name).mkdir()
    shutil.copy(course.source("solutions", stem), folder / "submission")
    run = subprocess.run([folder / "source" / "run_autograder"], text=True, errors="replace",
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env=course.environment(AUTOGRADER=str(folder)))
    file = folder / "results" / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    return [ok("run_autograder leaves results.json", run.returncode == 0
               and results.get("score") == 5 and len(results["tests"]) == 2,
               f"{run.stdout[-400:]} {results}")]


def prove_workflow():
    text = Path(WORKFLOW).read_text()
    lines = [ok("the workflow types plain commands", "uses:" not in text and
                re.search(r"make .* grade SUBMISSIONS=", text), "it uses actions")]
    try:
        import yaml
    except ImportError:
        return lines
    steps = yaml.safe_load(text)["jobs"]["grade"]["steps"]
    broken = [step["name"] for step in steps if subprocess.run(
        ["bash", "-n"], input=step["run"], text=True, capture_output=True).returncode]
    return [*lines, ok("and each step is a script", not broken, broken)]
