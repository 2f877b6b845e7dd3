"""proof.py - what a proof is, and how its result is kept until something changes.

A proof returns lines: "ok ..." or "FAIL ...", and any other line is a remark. Its result is
kept in a file together with a hash of all that it depends on: its name, the files that it
reads, the programs that are built for it, what it knows besides, and the source of its module
and of those that this one imports. Only a result without a failure or a remark is kept: what
failed may have been the machine's fault, and is proved anew.

A process of the proofs that runs too long is ended, so that one that waits for ever fails its proof instead of keeping
all. It is found by MARK in its environment, which it has from pytest, wherever it is started and whoever is its parent
now.
"""
import hashlib
import json
import os
import signal
import sys
import threading
import time
from collections import namedtuple
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Callable, Sequence

import course

MARK = "PROVED_BY"
LIMIT = 20 * 60  # seconds; the longest proof takes five minutes beside others
TICKS = os.sysconf("SC_CLK_TCK")

# A file that make builds, and for which of its variants: ("mutant", 5, "build/.../kernel").
Target = namedtuple("Target", "variant bins path")


@dataclass(frozen=True)
class Proof:
    kind: str
    name: str
    prove: Callable[[], Sequence[str]]
    reads: tuple = ()   # paths of files
    builds: tuple = ()  # Targets; it reads them, too
    knows: str = ""     # other things that decide: arguments, settings
    guess: float = 0    # seconds, of one that takes a second or more: the longest begin first, and --share deals them


def lines_of(right, wrong, about=""):
    """What a proof returns: a failure for each sentence about what is wrong, else that all is right."""
    return [f"FAIL {about}{words}" for words in wrong] or [f"ok {about}{right}"]


# What came of a proof, now or when it was proved.
Result = namedtuple("Result", "lines seconds")


@lru_cache(maxsize=None)
def hash_of_file(path):
    """The hash of a file's contents, or a word where there is none."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return "missing"


def sources_of(module):
    """The source of a module, and of the proofs' modules that it imports, transitively."""
    found, waiting = set(), [module]
    while waiting:
        importer = waiting.pop()
        found.add(importer.__file__)
        imported = (value for value in vars(importer).values() if isinstance(value, ModuleType))
        waiting += [value for value in imported
                    if is_ours(value) and value.__file__ not in found]
    return sorted(found)


def is_ours(module):
    """Whether a module lies in this folder, or below it."""
    path = getattr(module, "__file__", None)
    return path is not None and Path(__file__).parent in Path(path).parents


def module_of(function):
    """The module in which a function is defined, also when it was given arguments by partial."""
    while isinstance(function, partial):
        function = function.func
    return sys.modules[function.__module__]


def key_of(proof):
    """The hash of all that the proof depends on."""
    built = [target.path for target in proof.builds]
    read = sorted([*proof.reads, *built])
    code = sources_of(module_of(proof.prove))
    parts = [proof.kind, proof.name, proof.knows,
             [(str(path), hash_of_file(path)) for path in read],
             [hash_of_file(path) for path in code]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def file_of(proof):
    """Where its result is kept."""
    return Path(course.BUILD, "proofs", proof.kind, proof.name.replace("/", "+") + ".json")


def kept(proof):
    """The kept result, or {}."""
    try:
        return json.loads(file_of(proof).read_text())
    except (OSError, ValueError):
        return {}


def keep(proof, content):
    path = file_of(proof)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(content, indent=1))
    new.replace(path)


def seconds(proof):
    """How long the proof took when it was last proved, or a guess."""
    return kept(proof).get("seconds", proof.guess)


def result(proof, broken=()):
    """The kept result, or that of proving it now. An exception is a failure, and so is a program in
    `broken`, {path: why it cannot be built}."""
    missing = next((target.path for target in proof.builds if target.path in broken), None)
    if missing:
        return Result([f"FAIL {proof.kind} {proof.name}: {missing} cannot be built: {broken[missing]}"], 0)
    key, before = key_of(proof), kept(proof)
    if before.get("key") == key:
        return Result(before["lines"], before["seconds"])
    began = time.monotonic()
    try:
        lines = list(proof.prove())
    except Exception as error:  # a proof that cannot be made has failed
        lines = [f"FAIL {proof.kind} {proof.name}: {type(error).__name__}: {error}"]
    took = time.monotonic() - began
    if lines and all(line.startswith("ok ") for line in lines):
        keep(proof, {"key": key, "seconds": took, "lines": lines})
    return Result(lines, took)


def age(process):
    """How many seconds ago the process of this folder of /proc was started."""
    since_boot = float(Path("/proc/uptime").read_text().split()[0])
    fields = Path(process, "stat").read_text().rpartition(")")[2].split()
    return since_boot - int(fields[19]) / TICKS


def of_proofs(mark):
    """The folders in /proc of the processes with this mark."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in Path(process, "environ").read_bytes().split(b"\0"):
                yield process
        except OSError:  # another's, or gone
            continue


def end_overdue(limit=LIMIT, mark=None):
    """Kills those that run longer than this. Returns their command lines."""
    ended = []
    mark = mark or f"{MARK}={os.getpid()}".encode()
    for process in of_proofs(mark):
        try:
            words = Path(process, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if int(process.name) != os.getpid() and age(process) > limit:
                os.kill(int(process.name), signal.SIGKILL)
                ended.append(words.strip())
        except OSError:
            continue
    return ended


def watch_overdue():
    """From now on; returns the list to which the command lines of those that were ended are added."""
    ended = []
    os.environ[MARK] = str(os.getpid())

    def look():
        while True:
            time.sleep(10)
            for words in end_overdue():
                ended.append(words)
                print(f"ended, for it ran longer than {LIMIT // 60} minutes: {words}", flush=True)

    threading.Thread(target=look, daemon=True).start()
    return ended
