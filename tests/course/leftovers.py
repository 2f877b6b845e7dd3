#!/usr/bin/env python3
"""leftovers.py - verdicts leave nothing behind: no process and no file, however they end.

In a copy of the course verdicts are asked for on kernels that are right, wrong and endless, with and without
bubblewrap, and interrupted at moments drawn at random: by Ctrl-C, by SIGTERM and SIGKILL of make alone, by
SIGKILL of its whole group. Five seconds after each nothing may be left of it: no process, and no file in the
folder for temporary ones, in /tmp and in /dev/shm. Nobody is there after SIGKILL of the whole group who could
remove files: they may stay until the next verdict, which removes them, and the folder of a compiler that was
killed stays. Seconds in which more programs want a processor than there are do not count, up to 120. Prints a
line for each that left something, "ok ..." with the seconds of the slowest, and the sum.

    tests/course/leftovers.py [NUMBER [SEED]]   from the root of the course; 20 verdicts without NUMBER"""
import collections
import contextlib
import ctypes
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

PATIENCE = 5           # seconds until nothing is left, while there is a processor for who wants one
MOST_PATIENCE = 120    # and with those in which there was none
MOST_SECONDS = 300     # of one verdict, on a machine with much else to do
CHAPTERS = {"05_privatized_global": "histogram.cu", "21_compare_and_swap": "reduce_by_index.cu",
            "61_many_nodes": "many.cu"}
WHOLE_GROUP = "by SIGKILL of make's group"
WAYS = {"by itself": None, "by Ctrl-C": lambda make: os.killpg(make.pid, signal.SIGINT),
        "by SIGTERM of make": lambda make: make.send_signal(signal.SIGTERM),
        "by SIGKILL of make": lambda make: make.send_signal(signal.SIGKILL),
        WHOLE_GROUP: lambda make: os.killpg(make.pid, signal.SIGKILL)}
CLONE_NEWNS, MS_PRIVATE, MS_REC = 0x20000, 1 << 18, 1 << 14
SET_CHILD_SUBREAPER = 36

libc = ctypes.CDLL(None, use_errno=True)


def own_temporary_folders():
    """Gives this program a /tmp and a /dev/shm of its own, if it may have them. Returns those that are."""
    if os.getuid() != 0 or libc.unshare(CLONE_NEWNS) != 0:
        return []
    libc.mount(b"none", b"/", None, MS_PRIVATE | MS_REC, None)
    return [place for place in ("/tmp", "/dev/shm")
            if not os.getcwd().startswith(place + "/")  # the course would be gone
            and libc.mount(b"none", place.encode(), b"tmpfs", 0, b"mode=1777") == 0]


def wrong(text):
    return text.replace("atomicAdd(", "atomicMax(").replace("MPI_SUM", "MPI_MAX").replace("ncclSum", "ncclMax")


def endless(text):
    """A loop in front of the first statement of the last function, which is the contract's."""
    head, brace, body = text.rpartition("\n{\n")
    return head + brace + "    for (volatile int i = 0; i < 1; i = 0)\n        ;\n" + body


KERNELS = {"right": lambda text: text, "wrong": wrong, "endless": endless}


def children():
    """What is left of processes: all that lost their parents are this one's."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                break
        except ChildProcessError:
            return []
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def described(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return f"{process} {file.read().replace(bytes(1), b' ').decode(errors='replace')[:100]}"
    except OSError:
        return str(process)


def files_in(folders):
    return [os.path.join(at, name) for folder in folders for at, below, names in os.walk(folder)
            for name in names + below]


def is_crowded():
    """Whether more programs want a processor now than there are."""
    with open("/proc/loadavg", encoding="ascii") as file:
        return int(file.read().split()[3].split("/")[0]) - 1 > len(os.sched_getaffinity(0))


def left(folders):
    """What is left when the time for it is over, and the seconds that were waited."""
    begun, counted = time.monotonic(), 0
    while (children() or files_in(folders)) and counted < PATIENCE and time.monotonic() < begun + MOST_PATIENCE:
        time.sleep(0.05)
        counted += 0 if is_crowded() else 0.05
    waited = time.monotonic() - begun
    return [f"process {described(process)}" for process in children()] + files_in(folders), waited


def verdict(target, temporary, draw, seconds):
    """Asks for one verdict and ends it in one way: the way, and what was asked for."""
    chapter, kernel = draw.choice(sorted(seconds)), draw.choice(sorted(KERNELS))
    way, sandbox = draw.choice(sorted(WAYS)), draw.choice(("", "filter"))
    if kernel == "endless" and WAYS[way] is None:
        way = "by Ctrl-C"
    file = CHAPTERS[chapter]
    with open(os.path.join(target, "solutions", chapter, file), encoding="utf-8") as source:
        text = KERNELS[kernel](source.read())
    with open(os.path.join(target, "chapters", chapter, file), "w", encoding="utf-8") as source:
        source.write(text + f"// {draw.random()}\n" * draw.choice((0, 1)))
    settings = {**scratch.environment(), "TMPDIR": temporary, "JUDGE_SANDBOX": sandbox}
    begun = time.monotonic()
    make = subprocess.Popen(["make", f"chapter{int(chapter[:2])}", "test"], cwd=target, env=settings,
                            start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if WAYS[way]:
        time.sleep(draw.uniform(0, seconds[chapter]))
        if make.poll() is None:
            WAYS[way](make)
    make.wait(MOST_SECONDS)
    if not WAYS[way] and kernel == "right":
        seconds[chapter] = time.monotonic() - begun
    return way, f"{kernel} kernel of {chapter}, sandbox {sandbox or 'as found'}, ended {way}"


def main(number=20, seed=None):
    seed = int(seed) if seed else random.randrange(1 << 30)
    draw = random.Random(seed)
    libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    target = scratch.copy(os.getcwd(), "leftovers")
    folders = own_temporary_folders()
    temporary = os.path.join("/tmp" if "/tmp" in folders else target, "temporary")
    os.makedirs(temporary)
    seconds = {stem: 10.0 for stem in CHAPTERS if stem[0] != "6" or shutil.which("mpirun")}
    bad, ended = [], collections.Counter()
    for stem in seconds:  # what is built for all is built once
        scratch.make(target, f"chapter{int(stem[:2])} solution test")
    remains = [one for one in left(folders or [temporary])[0] if one != temporary]
    scratch.tell("the first verdicts", ", ".join(remains) or None)
    slowest = 0
    for _ in range(int(number)):
        way, what = verdict(target, temporary, draw, seconds)
        ended[way] += 1
        if way == WHOLE_GROUP:
            remains, waited = left([])
            for folder in glob.glob(f"{temporary}/simcc.*"):
                shutil.rmtree(folder)
            subprocess.run(["make", "chapter5", "solution", "test"], cwd=target, check=False, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env={**scratch.environment(), "TMPDIR": temporary})
        else:
            remains, waited = left([temporary])
        remains = [one for one in remains + files_in({temporary, *folders}) if one != temporary]
        slowest = max(slowest, waited)
        if remains:
            bad.append(f"seed {seed}: {what}: left {', '.join(remains)}")
            print(bad[-1], flush=True)
        for one in remains:  # the next one is not to blame
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # gone by now, but too late
                if one.startswith("process "):
                    os.kill(int(one.split()[1]), signal.SIGKILL)
                else:
                    (shutil.rmtree if os.path.isdir(one) else os.remove)(one)
    output = ", ".join(f"{count} {way}" for way, count in sorted(ended.items()))
    scratch.tell(f"{number} verdicts leave nothing, the slowest after {slowest:.1f} s, ended {output}",
                 f"{len(bad)} did: {'; '.join(bad)}" if bad else None)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
