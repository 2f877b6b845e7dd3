"""judging.py - what the judge finds of one text: it is compiled, linked, and its suite runs.

Three questions are asked apart. Right: are the bins, or the result, right on all inputs and
schedules? No report: do the simulator's checks find nothing? Technique: is it the one of the
chapter? A verdict ends at the first failure, so what it leaves open is asked again: without checks
after a report, and of the tests that come later after another technique.
"""
import os
import re
import secrets
import shutil
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from isolation import FILE_BYTES, MEGA, Task

COMPILE_SECONDS, COMPILE_MEMORY, COMPILE_FILE = 15, 2048 * MEGA, 32 * MEGA
COMPILERS = tuple((name, os.environ[name]) for name in ("CC", "CXX", "SIM_CFLAGS")
                  if os.environ.get(name))
SPARSE_FILE = 8 << 30    # that the judge of ranks writes: longer than 4 GiB, with nothing in it
JUDGE_SECONDS = 180      # on the clock, for one verdict
MOST_LINES, MOST_LINE = 60, 600
COSTS = ("characters", "sectors loaded", "shared wavefronts", "global atomics", "shared atomics")
# Of a kernel that counted or combined nothing no report says little.
IDLE = re.compile(r"nothing was added|no kernel was launched|no thread has added|only zeros were"
                  r"|stores the result|no value came to it")
# A kernel that fails by one of these has not run to its end, or has made a detour.
NOT_JUDGED_TO_THE_END = {"counter", "host", "stopped"}
# The compiler at its limits.
STOPPED = re.compile(r"signal terminated program|[Mm]emory exhausted|out of memory|bad_alloc"
                     r"|compiler error: (Killed|CPU time)|CPU time limit|Cannot allocate memory")
LATE = re.compile(r"^every_")  # suites that come after the chapter's own


@dataclass
class Finding:
    """What is known of one text in one chapter."""
    kind: str              # solved, technique, report, wrong, stopped, refused, unfinished, compile, missing
    sentence: str
    right: bool = False
    no_report: bool = False
    technique: bool = False
    extra: bool = False    # right on the lecturer's own texts
    extra_says: str = ""
    output: str = ""
    costs: dict = field(default_factory=dict)
    seconds: float = 0


@dataclass(frozen=True)
class Log:
    caught: list
    failed: list
    message: str
    costs: dict


def missing(sentence):
    return Finding("missing", sentence)


def log_in(path):
    caught, failed, message, costs = [], [], "", {}
    text = path.read_text(errors="replace") if path.exists() else ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        caught += [rest] if word == "caught" else []
        failed += [rest] if word == "failed" else []
        message = rest if word == "message" and not message else message
        if word == "cost":
            numbers = [int(number) for number in rest.split()[:len(COSTS)]]
            if numbers[0] > costs.get(COSTS[0], 0):
                costs = dict(zip(COSTS, numbers))
    return Log(caught, failed, message, costs)


def readable(text, root, folder):
    """Output as it may be shown: short, without control characters and this machine's paths."""
    text = text.replace(folder + "/", "").replace(str(root) + "/", "")
    text = re.sub(r"[^\S\n]|[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]", " ", text)
    lines = [line.rstrip()[:MOST_LINE] for line in text.splitlines()]
    more = len(lines) - MOST_LINES
    return "\n".join(lines[:MOST_LINES] + ([f"(and {more} more lines)"] if more > 0 else []))


class Judge:
    """Judges texts, each in a folder of its own below `work`, which is removed."""

    def __init__(self, kit, isolation, settings, extra=None):
        self.kit, self.isolation, self.settings, self.extra = kit, isolation, settings, extra
        self.work = kit.root / "build" / "grading"

    def finding(self, chapter, text):
        """The Finding of a text, as a dictionary."""
        begun = time.monotonic()
        self.work.mkdir(parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(dir=self.work)
        try:
            one = OneText(self, chapter, Path(folder))
            found = one.judged(text)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        found.seconds = round(time.monotonic() - begun, 2)
        return asdict(found)


class OneText:
    """One text at work, in a folder."""

    def __init__(self, judge, chapter, folder):
        self.kit, self.isolation = judge.kit, judge.isolation
        self.judge, self.chapter, self.folder = judge, chapter, folder

    def judged(self, text):
        (self.folder / self.chapter.file).write_bytes(text)
        (self.folder / "kernel.seen").write_bytes(text)
        found = self.not_compiled() or self.asked()
        if self.judge.extra and self.chapter.extra and found.kind not in ("compile", "refused", "unfinished"):
            self.ask_extra(found)
        return found

    # The compiler.

    def not_compiled(self):
        """A Finding when there is no program of it, else None."""
        kit, commands = self.kit, []
        for options, folder in self.chapter.kernels():
            (self.folder / folder).mkdir(exist_ok=True)
            commands += [[*kit.compiles(), *options, self.chapter.file, "-o", f"{folder}/kernel.o"],
                         kit.links(self.chapter, folder)]
        for command in commands:
            ended = self.isolation.run(Task(
                command, str(self.folder), shown=kit.seen_by_the_compiler(),
                hidden=(str(kit.root),), seconds=4 * COMPILE_SECONDS,
                settings=COMPILERS, computing=COMPILE_SECONDS, memory=COMPILE_MEMORY, file=COMPILE_FILE))
            if ended.status != 0 or ended.late:
                return self.of_compiler(ended)
        return None

    def of_compiler(self, ended):
        output = self.readable(ended.output)
        errors = [line for line in output.splitlines() if re.search(r"\b[Ee]rror:", line)]
        if ended.late or ended.status in (-9, -24, 137, 152) or STOPPED.search(output):
            sentence = f"{self.chapter.file}: compiling it takes more time, memory or space than " \
                       "any kernel needs"
        else:
            sentence = (errors or output.splitlines() or ["does not compile"])[0]
        return Finding("compile", sentence, output=output)

    # The suite.

    def verdict(self, suite, **settings):
        """Runs a suite by `verdict`: what ended, and the entries."""
        log = self.folder / "test.log"
        log.unlink(missing_ok=True)
        ended = self.run([*self.kit.verdict, "--jobs", "1", suite, self.chapter.file, "."], suite, settings)
        return ended, log_in(log)

    def run(self, command, suite, settings):
        task = Task(command, str(self.folder), shown=(self.kit.verdict[0], suite), devices=True,
                    seconds=JUDGE_SECONDS, file=SPARSE_FILE if self.chapter.of_mpi else FILE_BYTES,
                    settings=tuple({**self.judge.settings, **self.chapter.settings(),
                                    **settings}.items()))
        return self.isolation.run(task)

    def asked(self):
        """The Finding of a program."""
        ended, log = self.verdict(self.chapter.suite)
        found = self.first_finding(ended, log)
        if found.kind == "report":
            again, unchecked = self.verdict(self.chapter.suite, SIM_CHECKS="none")
            found.technique = again.status == 0
            found.right = again.status == 0 or self.right_so_far(unchecked)
        elif found.kind == "technique":
            found.right = self.right_so_far(log)
        return found

    def first_finding(self, ended, log):
        output = self.readable(ended.output)
        lines = [line for line in output.splitlines() if not line.startswith("next: ")]
        sentence = (lines or ["the judge said nothing"])[-1]
        found = Finding("wrong", sentence, output=output, costs=log.costs)
        if ended.late:
            found.kind, found.costs = "stopped", {}
            found.sentence = f"{self.chapter.file}: not judged within {JUDGE_SECONDS} s"
        elif ended.status == 0:
            found.kind, found.right, found.no_report, found.technique = "solved", True, True, True
        elif "not done yet" in sentence and not log.failed:
            found.kind = "unfinished"
        elif log.caught:
            found.kind = "report"
        elif "counter" in log.failed:
            found.kind, found.no_report = "technique", True
        elif "stopped" in log.failed:
            found.kind = "stopped"
        elif log.failed or log.message:
            found.no_report = not NOT_JUDGED_TO_THE_END & set(log.failed) and not IDLE.search(log.message)
        else:
            found.kind = "refused"
        return found

    def right_so_far(self, log):
        """Whether only a technique failed, and the tests behind it pass as well."""
        return "counter" in log.failed and not log.caught and self.rest_passes()

    def rest_passes(self):
        suite = self.chapter.suite
        names = self.run([suite, "--names"], suite, {}).output.split()
        return all(self.run([suite, "--kernel", ".", "--bins", str(self.chapter.bins), "--jobs", "1", "--filter", name], suite,
                            {"VERDICT_LOG": secrets.token_hex(8), "SIM_CHECKS": "none"}).status == 0
                   for name in names if LATE.search(name))

    # The lecturer's own texts.

    def ask_extra(self, found):
        """Judges the kernel on them, on each of the seeds; says nothing that the kernel printed."""
        extra = self.judge.extra
        place = self.folder / "given"
        place.mkdir(exist_ok=True)
        for file in extra.texts:
            shutil.copy(file, place)
        for seed in extra.seeds or [""]:
            settings = {"GIVEN": "given", **({"SIM_SEED": seed} if seed else {})}
            ended, log = self.verdict(self.chapter.extra, **settings)
            lines = self.readable(ended.output).splitlines()
            found.extra_says = log.message if log.failed else (lines or ["nothing"])[0]
            found.extra = ended.status == 0 and not ended.late
            if not found.extra:
                found.extra_says += f" (SEED={seed})" if seed else ""
                return

    def readable(self, text):
        return readable(text, self.kit.root, str(self.folder))
