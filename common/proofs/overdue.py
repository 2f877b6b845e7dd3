"""overdue.py - ends a process of the proofs that runs too long, so that one that waits for ever fails
its proof instead of keeping all.

A process is found by MARK in its environment, which it has from check.py, wherever it is started and
whoever is its parent now.
"""
import os
import signal
import threading
import time
from pathlib import Path

MARK = "PROVED_BY"
LIMIT = 20 * 60  # seconds; the longest proof takes five minutes beside others
TICKS = os.sysconf("SC_CLK_TCK")


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


def end(limit=LIMIT, mark=None):
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


def watch():
    """From now on; returns the list to which the command lines of those that were ended are added."""
    ended = []
    os.environ[MARK] = str(os.getpid())

    def look():
        while True:
            time.sleep(10)
            for words in end():
                ended.append(words)
                print(f"ended, for it ran longer than {LIMIT // 60} minutes: {words}", flush=True)

    threading.Thread(target=look, daemon=True).start()
    return ended
