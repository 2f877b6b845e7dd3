"""judge.py - runs a chapter's suite, and says what its entries mean.

The program `verdict` runs the suite and leaves entries in the kernel's folder, one a line: what a check of
the simulator reported and where ("caught racecheck histogram.cu:25"), and which assertion failed
("failed counter").
"""
import os
import re
import subprocess
import time
from collections import namedtuple
from pathlib import Path

import course

NONCE = "entry"  # with which a suite begins each entry on its standard output
VERDICT = f"{course.BUILD}/tools/ladder"
LIMIT = 900  # seconds for a verdict, with one test at a time, even on a machine that has much to do

# caught: (check, [(file, line or None)]) in order; failed: kinds of assertions, in order.
Outcome = namedtuple("Outcome", "passed lines caught failed message")


def entries_of(text):
    """The lists caught and failed of a file of entries."""
    caught, failed = [], []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "caught":
            check, *places = rest.split()
            caught.append((check, [place_of(place) for place in places]))
        elif word == "failed":
            failed.append(rest.replace("-", " "))
    return caught, failed


def place_of(text):
    """("histogram.cu", 25) of "path/histogram.cu:25"; a place that is not known has no line."""
    path, _, line = text.rpartition(":")
    return (Path(path).name, int(line)) if line.isdigit() else (text, None)


def suite_of(folder):
    """The program that judges the kernel in a folder: BUILD/mutant-5/05_name/mutant."""
    _, stem, *name = Path(folder).relative_to(course.BUILD).parts
    return f"{course.BUILD}/common/suites/" + ("further/" if name[-1:] == ["further"] else "") + stem


def bins_of(folder):
    """For how many bins it was compiled, as a suite takes it: "5" where its contract speaks of none."""
    bins = Path(folder).relative_to(course.BUILD).parts[0].split("-")[1]
    return "5" if bins == "keys" else bins


def kernels_in(folder, operations=None):
    """The programs of the kernel in a folder: one for each operation, of its exercise, its chapter, or
    these."""
    stem, *name = Path(folder).relative_to(course.BUILD).parts[1:]
    exercise = course.exercise_operations(stem) if name[-1:] == ["further"] else []
    named = operations or exercise or course.operations(stem)
    return [f"{folder}/{name}/kernel" for name in named] or [f"{folder}/kernel"]


def linked(folder, made, operations=None):
    """Puts the programs of the kernels in the folder `made` into another one, where a verdict leaves its files."""
    for kernel in map(Path, kernels_in(folder, operations)):
        kernel.parent.mkdir(parents=True, exist_ok=True)
        kernel.unlink(missing_ok=True)
        os.link(Path(made, kernel.relative_to(folder)), kernel)


def judged(folder, source, stem, bins=5, operations=None, **settings):
    """What comes of the suite for the kernel in this folder: its Outcome. Of a chapter with operations
    all are judged, or these. The settings are for the environment: SIM_CHECKS. Raises subprocess.TimeoutExpired."""
    log = Path(folder, "test.log")
    log.unlink(missing_ok=True)
    command = [VERDICT, "verdict", "--jobs", "1", "--kernel", folder, suite_of(folder), source,
               str(course.number(stem)), str(5 if bins == "keys" else bins)]
    run = subprocess.run(command, text=True, errors="replace", capture_output=True, timeout=LIMIT,
                         env=course.environment(**asked(stem, operations), **settings))
    return outcome_of(run, log)


def asked(stem, operations=None):
    """What the environment of a suite says of operations."""
    named = operations or course.operations(stem)
    return {"OPERATIONS": " ".join(named)} if named else {}


def outcome_of(run, log):
    """The Outcome of a program that has run and left entries."""
    text = log.read_text(errors="replace") if log.exists() else ""
    lines = run.stdout.splitlines()
    return Outcome(run.returncode == 0, lines, *entries_of(text), sentence(lines))


def sentence(lines):
    """Of what a failed test printed, the line for a message: the assertion or the report."""
    message = [line for line in lines if re.match(r"  \S|=+ \S", line)]
    return message[0].strip("= ") if message else (lines or ["it prints nothing"])[-1].strip()


class Experience:
    """Which tests of a suite have failed another kernel, and how long its tests take."""

    def __init__(self):
        self.failed, self.seconds = set(), {}

    def add(self, test, seconds, has_failed):
        self.seconds[test] = seconds
        if has_failed:
            self.failed.add(test)

    def order(self, test):
        """What sorts the tests: those that fail soon come first, then a chapter's own."""
        return (test not in self.failed, test.startswith("any_"), self.seconds.get(test, 0), test)


def tests_of(suite, experience):
    """The names of a suite's tests in the order in which one that fails is soon found."""
    message = subprocess.run([suite, "--names"], text=True, capture_output=True,
                          env=course.environment()).stdout
    return sorted((line for line in message.splitlines() if "/" in line), key=experience.order)


def any_failure(folder, experience=None, operations=None):
    """The Outcome of a test that fails by its own judgement, whichever comes first: tests_of.

    Much faster than a verdict, which keeps the order of the tests. Without such a test it is the
    Outcome of one that ends without a judgement, or of none that fails.
    """
    experience = experience or Experience()
    worst = Outcome(True, [], [], [], "")
    settings = {"OPERATIONS": " ".join(operations)} if operations else {}
    suite = suite_of(folder)
    for test in tests_of(suite, experience):
        began = time.monotonic()
        command = [suite, "--kernel", folder, "--bins", bins_of(folder), "--jobs", "1", "--filter", test]
        run = subprocess.run(command, text=True, errors="replace", capture_output=True,
                             env=course.environment(VERDICT_LOG=NONCE, **settings))
        experience.add(test, time.monotonic() - began, run.returncode != 0)
        if run.returncode != 0:
            entries = [line[len(NONCE) + 1:] for line in run.stdout.splitlines()
                    if line.startswith(NONCE + " ")]
            lines = run.stderr.splitlines()
            worst = Outcome(False, lines, *entries_of("\n".join(entries)), sentence(lines))
            if is_judgement(worst):
                return worst
    return worst


def is_judgement(outcome):
    """Whether a suite failed by a report or an assertion, not by an end of the program."""
    return bool(outcome.caught or set(outcome.failed) - {"stopped"})


def failure(name, reason, outcome):
    """What is wrong when a suite had to fail by its own judgement, or None: a line "FAIL ..."."""
    if outcome.passed:
        return f"FAIL {name}: passes the suite, but must not: {reason}"
    if not is_judgement(outcome):
        return f"FAIL {name}: ends without a judgement: {outcome.message}"
    return None


def counts_right(row, bins=5, **settings):
    """Whether a kernel's program `row` counts the text right, and what it has said: (status, right, said)."""
    table = Path(f"{row}.proof.csv")
    table.unlink(missing_ok=True)
    run = subprocess.run([row, course.TEXT, "0", "proof", str(table)], text=True, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=course.environment(NUM_BINS=str(bins), **settings))
    return run.returncode, table.exists() and ",yes," in table.read_text(), run.stdout
