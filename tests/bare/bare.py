#!/usr/bin/env python3
"""bare.py - the README's two commands on a bare machine: make bare, or tests/bare/bare.py [a-h]...

debootstrap makes a minimal Debian; in it root installs what the README's first command names, and nothing
else, and a user runs `make` and `make test` in what `git archive HEAD` holds: what is not committed is not
tried. Then once more with other packages, compilers, paths, settings, less memory, another Debian: `make`, a
verdict of each part, and those tests that might break by it. A line for each variant says what ran, for how
many seconds, and what failed; the last line is "N passed, N failed".

As root, on Debian or Ubuntu, with debootstrap. ROOTS names the folder in which the systems are kept for the
next time (4 GB; /var/tmp/bare-roots without it), MIRROR where packages come from. With SHARE=1/3 (d) runs a third
of tests/sim, and SHARE=0/3 another: (a) runs them all. What a variant said lies in build/bare."""
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True  # the folder of the tests stays as it is
from memory import NoMemory, limited
from roots import PATH, USER, NotMade, Roots, inside

HOME = f"/home/{USER}"
LOGS = Path("build/bare")
MOST_SECONDS = 3600  # of a command, on a machine that has much to do
INSTALL = re.compile(r"apt-get install -y((?: [a-z0-9.+-]+)+)")
COUNTS = re.compile(r"(?:^|: )(\d+) passed, (\d+) failed$", re.MULTILINE)
OF_EACH_PART = "chapter5 chapter21 chapter41 chapter60"
PROVE = "make -f common/make/prove.mk"


@dataclass(frozen=True)
class Step:
    """A command of sh, with what it has to say, and its exit status then."""
    command: str
    says: tuple = ()
    status: int = 0
    name: str = ""
    settings: str = ""  # words of env(1)

    def __str__(self):
        return self.name or self.command


@dataclass(frozen=True)
class Variant:
    title: str
    steps: tuple
    packages: tuple = ()  # besides those of the README's first command
    suite: str = "bookworm"
    folder: str = "course"
    settings: dict = field(default_factory=dict)
    memory: int = 0  # bytes; 0 is all there is


def suites(pattern):
    """The step of those suites of tests/course in whose text the pattern occurs."""
    names = [path.stem for path in sorted(Path("tests/course").glob("*.c"))
             if re.search(pattern, path.read_text())]
    if not names:
        raise ValueError(f"no suite of tests/course speaks of {pattern}: a variant would try nothing")
    return suites_named(*names)


def suites_named(*names):
    """The step of these suites of tests/course."""
    return Step(f"{PROVE} course-5 in_course-5='{' '.join(names)}'", name=f"tests/course: {' '.join(names)}")


def of_compilers():
    """The suites of tests/sim, without those of the runtime, which is plain C and compiled as the course is:
    those of the SHARE."""
    runtime = ("collectives", "device_api", "devices", "graph_programs", "graphs", "host_copies", "host_threads",
               "kernels_api", "memory_api", "streams")
    names = [path.stem for path in sorted(Path("tests/sim").glob("*.c*"))
             if path.stem not in runtime and re.search(r"^Test\b", path.read_text(), re.MULTILINE)]
    share, shares = map(int, os.environ.get("SHARE", "0/1").split("/"))
    return names[share::shares]


def transcript(name):
    """The step of what some programs say: a file of tests/transcripts/programs."""
    return Step(f"python3 tests/course/transcripts.py programs/{name}")


def verdicts(*more, **options):
    """The step of a verdict of each part."""
    chapters = " ".join([OF_EACH_PART, *more])
    says = tuple(f"chapter {name.removeprefix('chapter')}: right on" for name in chapters.split())
    return Step(f"make {chapters} solution test", says=says, **options)


def variants(readme):
    """All of them, by their letters, for what the README's text tells to install."""
    first, mpi = (tuple(found.split()) for found in INSTALL.findall(readme)[:2])
    sandbox = tuple(re.findall(r"With `([a-z-]+)` installed as well", readme))
    without_mpi = Step("make chapter61 solution test", status=2, says=(
        "chapter 61 needs Open MPI: libopenmpi-dev, openmpi-bin\n",))
    simulator = Step(f"{PROVE} simulator in_simulator='{' '.join(of_compilers())}'",
                     name=f"tests/sim but for the runtime, {len(of_compilers())} suites")
    of_mpi = suites(r"mpirun|\branks?\b")
    every = (*sandbox, *mpi, "python3")
    clang = {"CC": "clang", "CXX": "clang++"}
    return first, {
        "a": Variant("the README's packages", (
            Step("make"), Step("make test", says=(f"chapter 61; sudo apt-get install -y {' '.join(mpi)} && ",)),
            without_mpi)),
        "b": Variant("bubblewrap, too", (
            Step("make"), Step("make doctor", says=("\n  works       yes\n",)), verdicts(),
            suites("bwrap|bubblewrap|confine")), sandbox),
        "c": Variant("Open MPI, too, and no NCCL", (
            Step("make"), verdicts("chapter61"), Step("make PART=4", says=("\n61  many_nodes ",)),
            of_mpi, transcript("count_files")), (*mpi, "python3")),
        "d": Variant("clang", (
            Step("make"), verdicts(), simulator), ("clang",), settings=clang),
        "e": Variant("an odd path", (
            Step("make"), verdicts(), suites_named("predicted_time"), transcript("editor"), transcript("command_line")),
            ("python3",), folder="ein Kürs #1 (neu)/the course"),
        "f": Variant("LC_ALL=C, no TZ, HOME absent or not to be written", (
            Step("make", settings="-u HOME"), verdicts(settings="HOME=/usr"),
            transcript("command_line"), transcript("doctor")), ("python3",),
            settings={"LC_ALL": "C", "LANG": None, "TZ": None, "HOME": "/nonexistent"}),
        "g": Variant("700 MB of memory", (Step("make"), verdicts()), memory=700 << 20),
        "h": Variant("Debian 13", (
            Step("make"), Step("make test"), verdicts("chapter61"), transcript("count_files")), every,
            suite="trixie"),
    }


def entered(whole, variant, step):
    """The words that run a step there as a user, with the settings of the variant."""
    settings = {"HOME": HOME, "USER": USER, "PATH": PATH, "LANG": "C.UTF-8", "TZ": "Europe/Berlin"}
    settings.update(variant.settings)
    given = [f"{name}={value}" for name, value in settings.items() if value is not None]
    return inside(whole, ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups",
                          "env", "-i", "-C", f"{HOME}/{variant.folder}", *given,
                          "env", *step.settings.split(), "sh", "-c", step.command])


def run(words, log):
    """(status, what was said, seconds, seconds of processors). Without an end it is ended."""
    begun = time.monotonic()
    with open(log, "a+", encoding="utf-8", errors="replace") as file:
        start = file.tell()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        late = threading.Timer(MOST_SECONDS, process.kill)
        late.start()
        _, status, used = os.wait4(process.pid, 0)
        late.cancel()
        file.seek(start)
        output = file.read()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, output, time.monotonic() - begun, used.ru_utime + used.ru_stime


def judged(step, status, output):
    """(passed, failed, what is wrong). A sum is the program's own; else the step is one test."""
    whole = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.MULTILINE)
    sums = whole[-1:] or COUNTS.findall(output)
    passed, failed = (sum(int(one[i]) for one in sums) for i in (0, 1))
    wrong = [f"does not say: {part.strip()}" for part in step.says if part not in output]
    if status != step.status:
        wrong.insert(0, f"status {status}")
    if failed and not wrong:
        wrong = [f"{failed} failed"]
    return (passed if sums else not wrong), max(failed, bool(wrong)), "; ".join(wrong)


def try_variant(letter, variant, whole, group):
    """Runs the steps of a variant in a root, and prints its line: (passed, failed)."""
    log = LOGS / f"{letter}.log"
    log.unlink(missing_ok=True)
    passed, failed, times, failures = 0, 0, [], ""
    for step in variant.steps:
        status, output, seconds, spent = run([*group, *entered(whole, variant, step)], log)
        good, bad, wrong = judged(step, status, output)
        passed, failed = passed + good, failed + bad
        times.append(f"{step} {seconds:.0f} s ({spent:.0f} s of processors)")
        if wrong:
            failures += f"\n  {step}: {wrong}" + "".join(
                f"\n    {line}" for line in output.strip().splitlines()[-12:])
    print(f"({letter}) {variant.title}: {', '.join(times)}: {passed} passed, {failed} failed{failures}",
          flush=True)
    return passed, failed


def put_course(archive, whole, folder):
    """What git archive gave, as the user's."""
    place = Path(f"{whole}{HOME}", folder)
    place.mkdir(parents=True)
    subprocess.run(["tar", "-x", "-f", archive, "-C", place], check=True)
    subprocess.run(["chown", "-R", "1000:1000", f"{whole}{HOME}"], check=True)


def tried(letter, variant, roots, packages, archive):
    """A root for a variant, and the variant in it: (passed, failed)."""
    try:
        return in_root(letter, variant, roots, packages, archive)
    except NoMemory as why:
        print(f"({letter}) {variant.title}: left out: {why}", flush=True)
        return 0, 0
    except NotMade as why:
        print(f"({letter}) {variant.title}: {why}: 0 passed, 1 failed", flush=True)
        return 0, 1


def in_root(letter, variant, roots, packages, archive):
    begun = time.monotonic()
    root = roots.with_packages(roots.bare(variant.suite), packages)
    if variant.packages:
        root = roots.with_packages(root, variant.packages)
    made = time.monotonic() - begun
    if made > 5:
        print(f"({letter}) its system was made in {made:.0f} s", flush=True)
    with limited(variant.memory) as group, roots.scratch(root) as whole:
        put_course(archive, whole, variant.folder)
        return try_variant(letter, variant, whole, group)


def main(letters):
    packages, known = variants(Path("README.md").read_text())
    strange = [letter for letter in letters if letter not in known]
    lacking = [name for name in ("debootstrap", "unshare", "git") if not shutil.which(name)]
    if strange or lacking or os.getuid() != 0:
        print(f"bare: there is no variant {strange[0]}; they are {' '.join(known)}" if strange else
              f"bare: needs {lacking[0]}: sudo apt-get install {lacking[0]}" if lacking else
              "bare: needs root, for debootstrap: sudo make bare", file=sys.stderr)
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)
    roots = Roots(os.environ.get("ROOTS") or "/var/tmp/bare-roots")
    archive = roots.folder / f"course-{os.getpid()}.tar"
    subprocess.run(["git", "-c", "safe.directory=*", "archive", "-o", archive, "HEAD"], check=True)
    # The first variant takes as long as all others, and waits now and then.
    with ThreadPoolExecutor(2) as pool:
        sums = list(pool.map(lambda letter: tried(letter, known[letter], roots, packages, archive),
                             letters or known))
    passed, failed = map(sum, zip(*sums))
    archive.unlink()
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    if "BARE_ALONE" not in os.environ and os.getuid() == 0:  # nothing stays mounted
        os.execvpe("unshare", ["unshare", "--mount", sys.executable, __file__, *sys.argv[1:]],
                   {**os.environ, "BARE_ALONE": "yes"})
    sys.exit(main(sys.argv[1:]))
