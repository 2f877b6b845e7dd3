"""conftest.py - the proofs as pytest's tests: one for each proof.Proof that the modules in checks/ give.

Their programs are built by make first. Then the proofs run on all cores, one more at a time than there
are, since some wait, the longest first; what has been proved and has not changed since is not proved
again (proof.py). Each says its lines as soon as it is done; the failures come once more at the end, and
last "380 passed, 0 failed". A proof with nothing but remarks, of what this machine lacks, is skipped.
"""
import importlib
import os
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import pytest

sys.dont_write_bytecode = True  # the folders of the course stay as they are
HERE = Path(__file__).resolve().parent
# Where the modules are that the proofs are made of, and those that they are about.
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("packages", "reports", "book")),
                str(HERE.parents[1] / "tests" / "course")]

import build  # noqa: E402
import course  # noqa: E402
import proof  # noqa: E402

os.chdir(course.ROOT)
ENDED = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--share", metavar="K/N", help="of the proofs that take a second or more only "
                     "share K of N; the shares 0 to N - 1 are all of them")


def pytest_collect_file(file_path, parent):
    if file_path.parent == HERE / "checks" and file_path.suffix == ".py":
        return Kind.from_parent(parent, path=file_path)


class Kind(pytest.File):
    """A module in checks/, whose function proofs() returns a list of proof.Proof."""

    def collect(self):
        module = importlib.import_module(f"checks.{self.path.stem}")
        return [Proved.from_parent(self, name=f"{one.kind}/{one.name}", proof=one)
                for one in getattr(module, "proofs", list)()]


class Failed(Exception):
    """The lines of a proof that failed."""


class Proved(pytest.Item):
    """A proof; `result` is there when it runs."""

    def __init__(self, *, proof, **known):
        super().__init__(**known)
        self.proof, self.result = proof, None

    def runtest(self):
        lines = self.result.lines
        print("\n".join(lines), flush=True)
        if any(line.startswith("FAIL ") for line in lines):
            raise Failed("\n".join(line for line in lines if line.startswith("FAIL ")))
        if not any(line.startswith("ok ") for line in lines):
            pytest.skip("; ".join(lines) or "nothing is proved")

    def repr_failure(self, excinfo):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, None, self.name


def pytest_collection_modifyitems(config, items):
    """Of the proofs that take long by their guess, leaves those of one share, and says how many of which kind.
    They are dealt to the shares by their guesses, the longest first, so that no share takes much longer."""
    share = config.getoption("share")
    if not share:
        return
    numbers = re.fullmatch(r"(\d+)/([1-9]\d*)", share)
    if not numbers or int(numbers[1]) >= int(numbers[2]):
        raise pytest.UsageError(f"--share={share}: K/N is wanted, with K from 0 to N - 1")
    turn, shares = map(int, numbers.groups())
    long = [item for item in items if isinstance(item, Proved) and item.proof.guess]
    loads, mine = [0] * shares, set()
    for item in sorted(long, key=lambda item: (-item.proof.guess, item.name)):
        least = loads.index(min(loads))
        loads[least] += item.proof.guess
        if least == turn:
            mine.add(item)
    all_of, current = Counter(item.proof.kind for item in long), Counter(item.proof.kind for item in mine)
    sums = ", ".join(f"{current[kind]} of {number} {kind}" for kind, number in all_of.items())
    if sums:
        print(f"share {share} of the proofs that take long: {sums}", flush=True)
    items[:] = [item for item in items if item in mine or item not in long]


def pytest_runtestloop(session):
    """Proves what was collected, each as it comes out of the pool."""
    if session.config.option.collectonly or session.testsfailed:
        return None
    proved = [item for item in session.items if isinstance(item, Proved)]
    for item in session.items:
        if item not in proved:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    broken = build.make_all({target for item in proved for target in item.proof.builds})
    session.config.stash[ENDED] = proof.watch_overdue()
    with ThreadPoolExecutor(build.CORES + 1) as pool:
        begun = {pool.submit(proof.result, item.proof, broken): item for item in
                 sorted(proved, key=lambda item: -proof.seconds(item.proof))}
        try:
            for done in as_completed(begun):
                item = begun[done]
                item.result = done.result()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                if session.shouldfail or session.shouldstop:
                    raise session.Failed(session.shouldfail or session.shouldstop)
        finally:
            pool.shutdown(cancel_futures=True)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.when == "call" and isinstance(item, Proved):
        report.duration = item.result.seconds
    return report


def pytest_report_teststatus(report):
    """No dots: each proof has said its lines."""
    if report.when == "call":
        return report.outcome, "", ""


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, exitstatus):
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        terminalreporter.write_line("no proof is called so: --collect-only tells their names")
    counted = terminalreporter.stats
    failures = counted.get("failed", []) + counted.get("error", [])
    if failures:
        terminalreporter.write_line("What failed:")
    for report in failures:
        terminalreporter.write_line(report.longreprtext)
    ended = terminalreporter.config.stash.get(ENDED, [])
    for words in ended:
        terminalreporter.write_line(f"FAIL ran too long: {words}")
    write_longest(terminalreporter, counted.get("passed", []) + failures)
    terminalreporter.write_line(f"{len(counted.get('passed', []))} passed, {len(failures) + len(ended)} failed")


def write_longest(terminalreporter, reports, number=12):
    """Where the time went."""
    longest = sorted((report for report in reports if hasattr(report, "duration")),
                     key=lambda report: -report.duration)[:number]
    if longest and longest[0].duration > 60:
        terminalreporter.write_line("longest: " + ", ".join(
            f"{report.nodeid.rpartition('::')[2]} {report.duration:.0f} s" for report in longest))
