#!/usr/bin/env python3
"""machines.py - all that prepare a machine name the same packages.

README.md's line is the measure: the Dockerfile, .ci/run, the pages that repeat it and the README of
handouts have all of it. The Dockerfile has nothing else but what .ci/run installs, or what makes a
container comfortable. The devcontainer is the machine of the Dockerfile. Prints "ok ..." and
"FAIL ...", and their sum at the end.

    tests/course/machines.py        from the root of the course

Depends on: README.md docs/README.md docs/machines.md .ci/run .devcontainer/* common/handout/shortened.py common/book/sources.py tests/course/scratch.py"""
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

README, CI = "README.md", ".ci/run"
DOCKERFILE, DEVCONTAINER = ".devcontainer/Dockerfile", ".devcontainer/devcontainer.json"
REPEAT = ("docs/README.md", "docs/machines.md", "common/handout/shortened.py", "common/book/sources.py")
COMFORT = {"git", "ca-certificates", "curl", "unzip", "gdb", "clangd"}  # of a container
INSTALL = re.compile(r"apt-get install -y((?: [a-z0-9.+-]+)+)")


def installed(text):
    """The packages of the first line with apt-get install."""
    found = INSTALL.search(text)
    return set(found.group(1).split()) if found else set()


def of_dockerfile(text):
    """The packages of its RUN line, without options."""
    found = re.search(r"apt-get install (.*?)(?:&&|\n\n|\Z)", text, re.S)
    words = found.group(1).replace("\\\n", " ").split() if found else []
    return {word for word in words if not word.startswith("-")}


def of_ci(text):
    """The packages of its loop."""
    found = re.search(r"for package in (.*?); do", text, re.S)
    return set(found.group(1).replace("\\\n", " ").split()) if found else set()


def lacking(page, wanted, there):
    return [f"{page}: lacks {package}, which {README} names" for package in sorted(wanted - there)]


def wrong_packages():
    wanted = installed(Path(README).read_text())
    image, ci = of_dockerfile(Path(DOCKERFILE).read_text()), of_ci(Path(CI).read_text())
    wrong = [] if wanted else [f"{README}: names no packages"]
    wrong += lacking(DOCKERFILE, wanted, image) + lacking(CI, wanted, ci)
    wrong += [f"{DOCKERFILE}: installs {package}, and {CI} does not"
              for package in sorted(image - ci - COMFORT)]
    for page in REPEAT:
        there = installed(Path(page).read_text())
        wrong += [] if there == wanted else [
            f"{page}: has other packages than {README}: {' '.join(sorted(there ^ wanted))}"]
    return wrong


def wrong_devcontainer():
    machine = json.loads(Path(DEVCONTAINER).read_text())
    dockerfile = Path(DEVCONTAINER).parent / machine["build"]["dockerfile"]
    wrong = [] if str(dockerfile) == DOCKERFILE else [f"{DEVCONTAINER}: builds {dockerfile}"]
    user = machine["remoteUser"]
    if f"USER {user}\n" not in Path(DOCKERFILE).read_text():
        wrong.append(f"{DEVCONTAINER}: its user {user} is not that of {DOCKERFILE}")
    return wrong


def main():
    scratch.tell("all that prepare a machine name the packages of README.md",
                 "; ".join(wrong_packages()) or None)
    scratch.tell("the devcontainer is the machine of the Dockerfile",
                 "; ".join(wrong_devcontainer()) or None)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
