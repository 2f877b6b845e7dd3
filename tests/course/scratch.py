"""scratch.py - a copy of the course to try things in, and make run there.

For transcripts.py, goals.py and others. The copy has its files with their dates and what was built
of the simulator, the harness and the tools, so that only what is new has to be compiled."""
import os
import re
import shutil
import subprocess

passed = failed = 0


def tell(name, problem):
    """Prints "ok NAME", or "FAIL NAME: problem" when there is one."""
    global passed, failed
    if problem:
        failed += 1
        print(f"FAIL {name}: {problem}")
    else:
        passed += 1
        print(f"ok {name}")


def end():
    """Prints the sum; returns the exit status."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def files_of(root):
    """All files of the course, as paths from its root: those that git knows or would not ignore."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=root, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if os.path.isfile(os.path.join(root, name))]


# What the build has of the simulator, the harness and the tools; not programs of chapters, or tests.
SHARED = re.compile(r"common(-\w+)?|tools|left_out|objects")


def copy_file(source, target):
    """Copies a file with its date, unless a proof beside this one has just taken it away."""
    try:
        shutil.copy2(source, target)
    except FileNotFoundError:
        pass


def copy(root, name):
    """A copy of the course in build/scratch/NAME, without programs of chapters; returns its path."""
    target = os.path.join(root, "build", "scratch", name)
    shutil.rmtree(target, ignore_errors=True)
    for path in files_of(root):
        os.makedirs(os.path.dirname(os.path.join(target, path)), exist_ok=True)
        copy_file(os.path.join(root, path), os.path.join(target, path))
    build = os.path.join("build", "sim-" + os.path.basename(os.environ.get("CC", "gcc")))
    for name in os.listdir(os.path.join(root, build)) if os.path.isdir(os.path.join(root, build)) else ():
        made = os.path.join(root, build, name)
        if SHARED.fullmatch(name):
            shutil.copytree(made, os.path.join(target, build, name), symlinks=True, copy_function=copy_file)
        elif os.path.isfile(made):
            os.makedirs(os.path.join(target, build), exist_ok=True)
            copy_file(made, os.path.join(target, build, name))
    return target


def environment(target=""):
    """The environment without what another make, which may run us, has put there; but a make in the
    course's own folder is part of the one that has locked that folder's build/, and would wait for it."""
    ours = ("LOCKED",) if os.path.realpath(target) == os.getcwd() and target else ()
    kept = {name: value for name, value in os.environ.items()
            if name in ours or not name.startswith(("MAKE", "LADDER")) and name not in
            ("MFLAGS", "LOCKED", "WATCHED", "PROGRESS", "BINS", "SEED", "SIM_SEED", "INPUT", "TEXT", "SIZE", "TEXT_SEED",
             "CHAPTERS")}
    return kept


def make(target, goals, answers=""):
    """Runs make there, with answers on its standard input: status, all it printed."""
    result = subprocess.run(["make", "-j2", *goals.split()], cwd=target, env=environment(target), text=True,
                            input=answers, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return result.returncode, result.stdout
