"""judge.py - runs a chapter's suite, and says what its facts mean.

The program `verdict` runs the suite and leaves facts in SUITE.facts, one a line: what a check of the
simulator reported and where ("caught racecheck histogram.cu:25"), which assertion failed
("failed counter"), and the failure's first line ("said ...").
"""
import subprocess
from collections import namedtuple
from pathlib import Path

import course

VERDICT = f"{course.BUILD}/tools/verdict"

# caught: (check, [(file, line or None)]) in order; failed: kinds of assertions, in order.
Outcome = namedtuple("Outcome", "passed lines caught failed said")


def facts_of(text):
    """The lists caught and failed and the sentence of a file of facts."""
    caught, failed, said = [], [], ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "caught":
            check, *places = rest.split()
            caught.append((check, [place_of(place) for place in places]))
        elif word == "failed":
            failed.append(rest.replace("-", " "))
        elif word == "said":
            said = said or rest
    return caught, failed, said


def place_of(text):
    """("histogram.cu", 25) of "path/histogram.cu:25"; a place that is not known has no line."""
    path, _, line = text.rpartition(":")
    return (Path(path).name, int(line)) if line.isdigit() else (text, None)


def judged(suite, source, stem, bins=5):
    """What comes of a suite: its Outcome."""
    facts = Path(suite + ".facts")
    facts.unlink(missing_ok=True)
    command = [VERDICT, "--jobs", "1", suite, source, str(course.number(stem)), str(bins)]
    run = subprocess.run(command, text=True, errors="replace", capture_output=True,
                         env=course.environment())
    text = facts.read_text(errors="replace") if facts.exists() else ""
    return Outcome(run.returncode == 0, run.stdout.splitlines(), *facts_of(text))


def failure(name, reason, outcome):
    """What is wrong when a suite had to fail by its own judgement, or None: a line "FAIL ..."."""
    if outcome.passed:
        return f"FAIL {name}: passes the suite, but must not: {reason}"
    if not outcome.caught and not set(outcome.failed) - {"stopped"}:
        last = (outcome.lines or ["it prints nothing"])[-1]
        return f"FAIL {name}: ends without a judgement: {outcome.said or last.strip()}"
    return None
