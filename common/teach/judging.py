"""judging.py - what the judge says of a text that was handed in: make judges it, as it judges a student's own.

The text is put into a folder of its own, FROM, and `make FROM=... chapter5 test` runs there with limits of time and of
the size of files. What the compiler may read and what the kernel's process may do is the judge's to say (docs/judge.md).
A verdict ends at the first failure; so after a report of the simulator it is asked once more without its checks, to
know whether the bins are right and the technique is the chapter's.
"""
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

SECONDS = 300           # for a verdict, on the clock
COMPUTING = 120         # seconds of computing for one process
FILE_BYTES = 256 << 20  # of a file; the judge of ranks writes longer ones, with nothing in them
MOST_LINES, MOST_LINE = 60, 600
# Of a kernel that counted or combined nothing no report says little.
IDLE = re.compile(r"nothing was added|no kernel was launched|no thread has added|only zeros were"
                  r"|stores the result|no value came to it")
# The compiler at its limits.
STOPPED = re.compile(r"signal terminated program|[Mm]emory exhausted|out of memory|bad_alloc|File size limit|file truncated"
                     r"|compiler error: (Killed|CPU time|File size)|CPU time limit|Cannot allocate memory|File too large")
UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
RIGHT = ("right", "no-report", "technique")


def finding(kind, sentence, output="", items=()):
    """What is known of a text: its kind is solved, technique, report, wrong, stopped, refused, unfinished, compile or
    missing; `items` are those that it earns."""
    return {"kind": kind, "sentence": sentence, "output": output, "items": list(items)}


class Judge:
    """Judges texts in folders below build/graded, which are removed. `settings` are those of make: {"BINS": "26"}."""

    def __init__(self, build, settings, environment, extra=None):
        self.build, self.settings, self.environment, self.extra = build, settings, environment, extra
        self.running, self.ended = set(), False

    def judged(self, stem, file, text):
        """The finding of a text in the place of a chapter's file."""
        Path("build/graded").mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir="build/graded"))
        built = Path(self.build, str(folder).replace("/", "-"))
        source = folder / stem / file
        source.parent.mkdir()
        source.write_bytes(text)
        try:
            found = self.asked(folder, built, source)
            if self.extra and file.startswith("histogram.") and found["kind"] not in ("compile", "refused", "unfinished"):
                self.ask_extra(found, built, source)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.rmtree(built, ignore_errors=True)
        return found

    def asked(self, folder, built, source):
        status, output, log = self.verdict(folder, built, source)
        found = first_finding(status, output, log, any(built.rglob("kernel")), source.name)
        if found["kind"] == "report":
            status, _, log = self.verdict(folder, built, source, SIM_CHECKS="none")
            found["items"] = ["right", "technique"] if status == 0 else ["right"] if "failed counter" in log else []
        return found

    def verdict(self, folder, built, source, **settings):
        """(Status, what is said, the entries of the judge); status None when its time was over."""
        for log in built.rglob("test.log"):
            log.unlink()
        number = int(source.parent.name[:2])
        status, output = self.run(["make", "-s", f"FROM={folder}", f"chapter{number}", "test"],
                                  is_mpi=b"<mpi.h>" in source.read_bytes(), **self.settings, **settings)
        log = "\n".join(path.read_text(errors="replace") for path in built.rglob("test.log"))
        return status, readable(output, source), log

    def run(self, command, is_mpi=False, **settings):
        """Runs a program with limits, in a session of its own, to its end: (status, output)."""
        limits = ["prlimit", "--core=0", f"--cpu={COMPUTING}", *([] if is_mpi else [f"--fsize={FILE_BYTES}"])]
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen([*limits, *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                       start_new_session=True, env={**self.environment, **settings})
            self.running.add(process)
            try:
                status = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                end(process)
                self.running.discard(process)
            if self.ended:
                raise KeyboardInterrupt
            output.seek(0)
            return status, output.read(MOST_LINES * MOST_LINE * 4).decode(errors="replace")

    def end(self):
        """Ends all that runs."""
        self.ended = True
        for process in list(self.running):
            end(process)

    def ask_extra(self, found, built, source):
        """Whether a kernel is right on the lecturer's own texts, on each of the seeds. Nothing that it prints is shown."""
        for seed in self.extra.seeds or ["1"]:
            status, output = self.run([f"{self.build}/tools/ladder", "verdict", f"{self.build}/suites/given", str(source),
                                       str(next(built.rglob("kernel")).parent)], GIVEN=self.extra.folder, SIM_SEED=seed)
            if status != 0:
                found["extra"] = (readable(output, source).splitlines() or ["nothing"])[-1]
                return
        found["items"].append("extra")


def end(process):
    """Ends a process with its group, whatever is left of it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(5)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    process.wait()


def readable(text, source):
    """Output as it may be shown: short, without control characters and this machine's paths."""
    text = text.replace(f"{source.parent}/", "").replace(os.getcwd() + "/", "")
    lines = [UNPRINTABLE.sub(" ", line).rstrip()[:MOST_LINE] for line in text.splitlines() if not line.startswith("make")]
    return "\n".join(lines[:MOST_LINES])


def first_finding(status, output, log, has_program, file):
    """The finding of a verdict, whose sentence is its last line; only what is next follows it."""
    lines = [line for line in output.splitlines() if line and not line.startswith("next: ")]
    sentence = (lines or ["the judge said nothing"])[-1]
    entries = [line.partition(" ") for line in log.splitlines()]
    failed = {rest for word, _, rest in entries if word == "failed"}
    if status is None:
        return finding("stopped", f"{file}: not judged within {SECONDS} s", output)
    if status == 0:
        return finding("solved", sentence, output, RIGHT)
    if "not done yet" in sentence and not failed:
        return finding("unfinished", next(line for line in lines if "not done yet" in line), output)
    if not has_program:
        errors = [line for line in lines if re.search(r"\b[Ee]rror:", line)]
        return finding("compile", f"{file}: compiling it takes more time, memory or space than any kernel needs"
                       if STOPPED.search(output) else (errors or [sentence])[0], output)
    if any(word == "caught" for word, _, _ in entries):
        return finding("report", sentence, output)
    if "counter" in failed:
        return finding("technique", sentence, output, ["right", "no-report"])
    if "stopped" in failed or not failed:
        return finding("stopped" if failed else "refused", sentence, output)
    ran = "host" not in failed and not IDLE.search(log)
    return finding("wrong", sentence, output, ["no-report"] if ran else [])
