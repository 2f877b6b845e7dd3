"""replays.py - proves that a replay shows the race that it tells of, and that there is one to show.

For each planted mistake that racecheck catches: both accesses that the first report names, a read
that comes too early as well as a write, are marked in the window that `replay` prints. For each
stub: while its gaps are empty, `ladder mutant` names a mistake of its chapter, or says that it has none.
For each lesson that quotes what `make chapterN replay` prints for the stub: it does print that.
"""
import re
import subprocess
from functools import partial
from pathlib import Path

import build
import course
import judge
from checks import mutants
from proof import Proof, Target, lines_of

LADDER = f"{course.BUILD}/tools/ladder"
# A block of a page with commands and what they print.
BLOCK = re.compile(r"^```text\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
REPLAY = re.compile(r"make chapter\d+ replay(.*)")


def accesses_of(report):
    """The places that the first report of a race names, sorted: "file:25" for each access."""
    lines = report.splitlines()
    begin = next((i for i, line in enumerate(lines) if "Error: Race reported" in line), len(lines))
    places = [re.search(r"    at .* in (\S+:\d+)$", line) for line in lines[begin:]]
    return sorted([place.group(1) for place in places if place][:2])


def marked(story):
    """The places of the steps that are marked, sorted."""
    found = [re.match(r" \* +\d+\. .* at (\S+:\d+)$", line) for line in story.splitlines()]
    return sorted(step.group(1) for step in found if step)


def prove(name, program):
    bins = judge.bins_of(Path(program).parent)
    run = subprocess.run([program, course.TEXT], text=True, errors="replace",
                         capture_output=True, env=course.environment(NUM_BINS=bins))
    accesses, steps = accesses_of(run.stderr), marked(run.stdout)
    if len(accesses) != 2:
        return [f"FAIL replay {name}: tells of no race: {run.stdout.splitlines()[-1:]}"]
    if accesses != steps:
        return [f"FAIL replay {name}: the report names {' and '.join(accesses)}, but marked are "
                f"{' and '.join(steps) or 'no steps'}"]
    return [f"ok replay {name}: shows {' and '.join(place.rpartition(':')[2] for place in steps)}"]


def racy(stem):
    """The planted mistakes of a chapter that racecheck catches."""
    return [patch for patch in course.files(f"tests/mutants/{stem}/*.patch")
            if mutants.head_of(Path(patch).read_text()).wanted == "racecheck"]


def prove_stub(stem, source):
    run = subprocess.run([LADDER, "mutant", source, stem, f"{course.BUILD}/proofs/mutants-shown", "5"], text=True,
                         capture_output=True, env=course.environment())
    sentence = run.stderr.strip()
    if not racy(stem):
        fine = run.returncode == 1 and sentence.endswith("has no race to show") and "\n" not in sentence
    else:
        made = Path(course.BUILD, "proofs/mutants-shown", run.stdout.strip(), Path(source).name)
        fine = (run.returncode == 0 and sentence.startswith(f"{source}: its gaps are empty")
                and made.exists())
    return [f"{'ok' if fine else 'FAIL'} replay {stem}: {sentence}"]


def shown_for_stub(stem):
    """The planted mistake that is shown while the gaps are empty, as common/course/break.c has it."""
    first = ("non_atomic", "no_barrier")
    return min(racy(stem), key=lambda patch: next((i for i, name in enumerate(first) if
                                                   Path(patch).stem.startswith(name)), len(first)))


def is_quoted(output, printed):
    """Whether an output is printed so; a line of dots leaves some out."""
    pieces = [piece for piece in re.split(r"^\.\.\.\n", output, flags=re.MULTILINE) if piece]
    return bool(pieces) and all(piece in printed for piece in pieces)


def replayed(settings, text, program):
    """What a replay prints with the settings of the command, TEXT=single SIZE=64."""
    chosen = dict(word.split("=", 1) for word in settings.split())
    subprocess.run([build.INPUT.path, text, "README.md"], capture_output=True, check=True,
                   env=course.environment(**chosen))
    run = subprocess.run([program, text], text=True, errors="replace", capture_output=True,
                         env=course.environment(SIM_SEED=chosen.get("SEED", "1")))
    return run.stdout.replace(course.BUILD, "build/sim-gcc")


def prove_block(page, block, program, text):
    """Whether the commands of a block print what is quoted there. A printf makes a text."""
    wrong = []
    for command, output in COMMAND.findall(block):
        replay = REPLAY.match(command)
        if replay:
            printed = replayed(replay.group(1), text, program)
            foreign = [line for line in output.splitlines() if line not in printed.splitlines()]
            if not is_quoted(output, printed):
                wrong.append(f"{command}: does not print: {(foreign or ['these lines'])[-1]}")
        elif command.startswith("printf "):
            subprocess.run(["sh", "-c", command], check=True)
        else:
            wrong.append(f"{command}: is no command that can be proved")
    return lines_of("quotes what it prints", wrong, f"replay {page}: ")


def proofs_of_quotes(page):
    blocks = [block for block in BLOCK.findall(Path(page).read_text()) if REPLAY.search(block)]
    proved = []
    for number, block in enumerate(blocks):
        patch = shown_for_stub(Path(page).stem)
        one = mutants.mutant(patch)
        program = f"{one.folder}/replay"
        proved.append(Proof("replays", f"{page}:{number}",
                            partial(prove_block, page, block, program,
                                    f"{course.BUILD}/proofs/replayed-{Path(page).stem}-{number}"),
                            reads=(page, patch, one.source),
                            builds=(Target("mutant", 5, program), build.INPUT)))
    return proved


def proof_of(patch):
    one = mutants.mutant(patch)
    program = f"{one.folder}/replay"
    return Proof("replays", one.name, partial(prove, one.name, program), reads=(patch, one.source, course.TEXT),
                 builds=(Target("mutant", one.bins, program), build.INPUT), knows=course.SEED)


def proof_of_stub(stem):
    source = course.source("chapters", stem)
    return Proof("replays", stem, partial(prove_stub, stem, source),
                 reads=(source, LADDER, *racy(stem)))


def proofs():
    stems = course.text_stems("chapters")
    return ([proof_of(patch) for stem in course.text_stems("solutions") for patch in racy(stem)] +
            [proof_of_stub(stem) for stem in stems] +
            [proof for page in course.files("docs/[0-9]*_*.md") for proof in proofs_of_quotes(page)])
