#!/usr/bin/env python3
"""rough.py - bad input and rough treatment: each gets one clear line, and a status that says so.

Types the commands into a copy of the course, as a student would, and looks at how many lines come,
what they say, and the exit status. Lines of make about itself ("make: *** ...") do not count.
Prints "ok ..." and "FAIL ...", and their sum at the end.

    tests/course/rough.py        from the root of the course"""
import fcntl
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
import scratch

STUB, WITH_SUITE = "chapters/05_privatized_global", "05_privatized_global"
NOT_DONE = f"{STUB}/histogram.cu:23: not done yet: TODO(5.1)"
UNUSED = "does not use it; it is for run, profile, replay, debug, trace or bench"
MOST_SECONDS = 300
# What make, the shell, sed and a pattern of make take for something else.
ODD = "a b ü (c)#$%':x"

# What is typed, and the one line that answers.
VARIABLES = (
    ("bins=26", "there is no variable 'bins'; did you mean BINS?"),
    ("SZIE=64M", "there is no variable 'SZIE'; did you mean SIZE?"),
    ("chapter5 test SIM_CHEKCS=none", "there is no variable 'SIM_CHEKCS'; did you mean SIM_CHECKS?"),
    ("chapter5 test SIM_CHECKS=racecheck,nonsense", "SIM_CHECKS=racecheck,nonsense: choose of none, all"),
    ("chapter5 test CHAPTERS=missing", "CHAPTERS=missing: there is no such folder"),
    ("chapter5 run COLOUR=red", "there is no variable 'COLOUR'; 'make help' lists them"),
    ("BINS=12", "BINS=12: choose 5, 26, 64 or 256"),
    ("SEED=soon", "SEED=soon is not a whole number"),
    ("chapter5 test INPUT=LICENSE", "INPUT: make chapter5 test " + UNUSED),
    ("chapter5 test TEXT=zipf SIZE=1M", "make chapter5 test " + UNUSED),
    ("check SIZE=1M", "SIZE: make check " + UNUSED),
    ("bench SIZE=1M", "SIZE: make bench " + UNUSED),
    ("chapter5 run SIM_PROFILE=/no/where", "SIM_PROFILE: is for programs that simcc has built"),
    ("chapter5 tset", "there is no goal 'tset'; did you mean test?"),
    ("chapetr5 test", "there is no goal 'chapetr5'; did you mean chapter5?"),
    ("chapter5 flyaway", "there is no goal 'flyaway'; 'make help' lists them"),
    ("chapter5 check", "check is about the whole course: leave out chapter5"),
    ("chapter5 chapter05 test", "chapter05 is named twice"),
    ("chapter99 test", "there is no chapter99; there are 01_sequential"),
    ("replay", "replay: of which chapter?"),
    ("further", "further: of which chapter? make chapterN further"),
    ("reset", "reset: of which chapter? make chapterN reset"),
    ("chapter5 solution reset", "reset: is about your file: leave out solution"),
    ("chapter5 further predict", "predict: is about a chapter and not about its exercise: leave out"),
    ("chapter5 next", "next is about the whole course: leave out chapter5"),
    ("chapter5 score SIZE=1M", "SIZE: make chapter5 score " + UNUSED),
    ("next CHAPTERS=nowhere", "CHAPTERS=nowhere: there is no such folder"),
    ("progress CHAPTERS=LICENSE", "CHAPTERS=LICENSE: there is no such folder"),
    ("hint CHAPTERS=docs", "docs: there is no chapter in it, no folder like NN_name that has a"),
    ("chapter5 further hint", "hint: is about the gaps of a chapter: leave out further"),
    ("chapter5 further trace", "trace: is about a chapter and not about its exercise: leave out further"),
    ("chapter5 solution grade", "grade: is about files of chapters that were handed in: leave out solution"),
    ("chapter5 further grade", "grade: is about files of chapters that were handed in: leave out further"),
    ("chapter5 gpu trace", "trace: is for the simulated GPU, or for neither: leave out gpu"),
    ("chapter5 further TEXT=zipf", "make chapter5 further " + UNUSED),
    ("chapter5 test BINS='26", "BINS='26: choose 5, 26, 64 or 256"),
    ("chapter5 te'st", "there is no goal 'te'st'; did you mean test?"),
    ("chapter5 solution run INPUT=a$b", "INPUT=a$b: make takes $ for one of its own variables"),
    ("chapter5 test CHAPTERS=a'b", "CHAPTERS=a'b: make cannot use a folder with \"'\" in its name"),
)
TEXTS = (
    ("INPUT=pipe", "INPUT=pipe: this is a pipe"),
    ("INPUT=/dev/zero", "INPUT=/dev/zero: this is a device"),
    ("INPUT=/dev/zero SIZE=1M", "INPUT=/dev/zero: this is a device"),
    ("INPUT=huge", "INPUT=huge: longer than 4,294,967,295 characters"),
    ("INPUT=docs", "INPUT=docs: this is a directory"),
    ("INPUT=missing", "INPUT=missing: No such file"),
    ("INPUT=empty", "INPUT=empty: there is nothing in it"),
    ("INPUT=LICENSE TEXT=zipf", "choose one of them"),
    ("TEXT=latin", "TEXT=latin: choose english"),
    ("TEXT_SEED=7", "TEXT_SEED=7: is the seed of a generated text: add TEXT=english"),
    ("TEXT=zipf TEXT_SEED=x", "TEXT_SEED=x is not a whole number"),
    ("SIZE=12x", "SIZE=12x is not a length"),
    ("SIZE=10T", "SIZE=10T is not a length"),
    ("SIZE=-1", "SIZE=-1 is not a length"),
    ("SIZE=0", "SIZE=0 is not a length"),
    ("SIZE=1e6", "SIZE=1e6 is not a length"),
)


def lines_of(said):
    """What was said, without make's own words; an error of make's own makefile counts."""
    lines = (line for line in said.splitlines() if not line.startswith("make"))
    return [line.removeprefix("Makefile:").split(": *** ")[-1].removesuffix(".  Stop.")
            for line in lines]


def one_line(target, goals, wanted, **settings):
    """make fails, and says one line, which has these words."""
    status, said = typed(target, goals, **settings)
    lines, problem = lines_of(said), None
    if status != 2 or len(lines) != 1 or wanted not in lines[0]:
        problem = f"status {status}, {len(lines)} lines:\n{said}"
    shown = " ".join([f"{name}={value}" for name, value in settings.items()] + ["make", goals])
    scratch.tell(f"{shown}: {wanted}", problem)


def typed(folder, goals, **settings):
    """Like scratch.make, with settings in the environment, and not for long."""
    try:
        done = subprocess.run(["make", "-j2", *goals.split()], cwd=folder, text=True,
                              env={**scratch.environment(), **settings}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired as over:
        return -1, f"no end after {MOST_SECONDS} s:\n{(over.stdout or b'').decode()}"
    return done.returncode, done.stdout


def expect(folder, goals, wanted_status, *parts, **settings):
    """make ends with this status and says these parts. Returns what it said."""
    status, said = typed(folder, goals, **settings)
    missing = [part for part in parts if part not in said]
    problem = f"status {status}; not said: {missing}:\n{said}" \
        if status != wanted_status or missing else None
    shown = " ".join([f"{name}={value}" for name, value in settings.items()] + ["make", goals])
    scratch.tell(f"{shown}: {parts[0]}", problem)
    return said


def make_texts(target):
    """Files that are no good texts, and one that is far too long, though most of it is a hole."""
    os.mkfifo(os.path.join(target, "pipe"))
    for name, size in ("empty", 0), ("huge", 5 << 30):
        with open(os.path.join(target, name), "wb") as file:
            file.truncate(size)


def tell_of_texts(target):
    make_texts(target)
    for settings, wanted in TEXTS:
        one_line(target, f"chapter5 solution run {settings}", wanted)
    expect(target, "chapter5 solution run INPUT=huge SIZE=64K", 0, "65,536 characters of huge")
    if os.geteuid() != 0:
        os.chmod(os.path.join(target, "empty"), 0)
        one_line(target, "chapter5 run INPUT=empty", "INPUT=empty: Permission denied")


def tell_of_environment(target):
    """What counts on the command line counts in the environment; the command line wins."""
    run = "chapter5 solution run"
    expect(target, run, 0, "4,096 characters of english text of seed 3 in 26 bins", BINS="26",
           TEXT="english", SIZE="4K", TEXT_SEED="3")
    expect(target, run + " BINS=5 SIZE=2K", 0, "2,048 characters", "in 5 bins", BINS="26",
           SIZE="4K")
    one_line(target, run, "BINS=12: choose 5, 26, 64 or 256", BINS="12")
    one_line(target, run, "SEED=soon is not a whole number", SEED="soon")
    one_line(target, run, "SIZE=12x is not a length", SIZE="12x")
    one_line(target, run, "SIM_PROFILE: is for programs", SIM_PROFILE="/no/where")
    one_line(target, "next", "make cannot use a folder with blanks", CHAPTERS="my chapters")
    # An exported text is no reason to refuse what has its own.
    expect(target, "chapter5 test", 2, NOT_DONE, INPUT="LICENSE", TEXT_SEED="3")


def tell_of_folders(target):
    """make in a chapter's folder, and a copy of a chapter beside it."""
    folder = os.path.join(target, STUB)
    expect(folder, "test", 2, NOT_DONE)
    expect(folder, "solution test", 0, "chapter 5: right on")
    expect(folder, "solution run INPUT=histogram.cu", 0, "characters of histogram.cu in 5 bins")
    expect(folder, "solution profile SIZE=4K", 0, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")
    expect(folder, "replay SEED=3 SIZE=4K", 0, "seed 3")
    expect(folder, "tset", 2, "there is no goal 'tset'; did you mean test?")

    shutil.copytree(folder, os.path.join(target, "chapters/05_backup"))
    left_out = f"05_backup: left out, for tests/ has no suite of it; {WITH_SUITE} is meant"
    said = expect(target, "chapter5 test", 2, left_out, NOT_DONE)
    scratch.tell("a copy of a chapter is told in one line",
                 None if said.count("backup") == 1 else said)
    shutil.rmtree(os.path.join(target, "chapters/05_backup"))


def tell_of_odd_paths():
    """The course, and a text, in folders with names that make, the shell and sed trip over."""
    target = scratch.copy(os.getcwd(), ODD)
    os.remove(os.path.join(target, "build", "sim-" + os.path.basename(os.environ.get("CC", "gcc")), "complete"))
    shutil.copy(os.path.join(target, "LICENSE"), os.path.join(target, "a text '#%:ü.txt"))
    expect(target, "chapter5 test", 2, NOT_DONE)
    expect(target, "chapter5 solution run SIZE=4K", 0, "4,096 characters of a text '#%:ü.txt in 5 bins",
           INPUT="a text '#%:ü.txt")
    folder = os.path.join(target, STUB)
    expect(folder, "solution run INPUT=histogram.cu", 0, "characters of histogram.cu in 5 bins")
    expect(folder, "test", 2, NOT_DONE)
    expect(target, "handout CHAPTERS=1-2", 0, "chapters 1 and 2, with no answers", TO="to '#%:ü")
    shutil.rmtree(target)


def tell_of_lost_parts(target):
    """Without solutions/, and where build/ cannot be written."""
    os.rename(os.path.join(target, "solutions"), os.path.join(target, "elsewhere"))
    for goals in "", "run", "test", "check", "gpu test":
        one_line(target, goals, "there are no kernels in solutions/")
    expect(target, "chapter5 test", 2, NOT_DONE)
    os.rename(os.path.join(target, "elsewhere"), os.path.join(target, "solutions"))

    os.rename(os.path.join(target, "build"), os.path.join(target, "built"))
    with open(os.path.join(target, "build"), "w", encoding="utf-8"):
        pass  # a file in its place stops root, too
    for goals in "chapter5 test", "", "test":
        one_line(target, goals, "cannot write build/ here: copy the course")
    expect(target, "help", 0, "make chapter5 test")
    os.remove(os.path.join(target, "build"))
    os.rename(os.path.join(target, "built"), os.path.join(target, "build"))


def tell_of_two_makes(target):
    """The second waits for the first, and says so."""
    with open(os.path.join(target, "build", "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(["make", "chapter5", "test"], cwd=target, text=True,
                                  env=scratch.environment(), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        said = second.stdout.readline()
        waits = second.poll() is None
    rest = second.communicate()[0]
    right = "another make is at work here" in said and waits and NOT_DONE in rest
    scratch.tell("a second make waits, and says so", None if right else "says:\n" + said + rest)


def main():
    target = scratch.copy(os.getcwd(), "rough", with_folders=("solution-5",))
    for bins in 5, 26:  # what has to be built takes time of its own
        scratch.expect(target, f"chapter5 solution run replay SIZE=1K BINS={bins}", True)
    scratch.expect(target, "chapter5 test", False, NOT_DONE)
    for goals, wanted in VARIABLES:
        one_line(target, goals, wanted)
    tell_of_texts(target)
    tell_of_environment(target)
    tell_of_folders(target)
    tell_of_two_makes(target)
    tell_of_odd_paths()
    tell_of_lost_parts(target)
    return scratch.end()


if __name__ == "__main__":
    sys.exit(main())
