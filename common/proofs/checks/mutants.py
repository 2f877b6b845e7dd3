"""mutants.py - proves that each planted mistake is caught by the right check, at the right line.

tests/mutants/NN_name/what.patch turns a solution into a wrong one, or given code that it includes. The
head of the patch says:

    Reason: right, but why it must fail, in words
    Caught by: racecheck                 or "racecheck, perhaps initcheck" when another check has
                                         reason to speak up as well; else bins, counter, memory,
                                         far end, refusal: the assertion that fails; or stop:
                                         CUDA refuses a call, and that ends the program
    At: shared_bins[bin] = 0             a part of a line that a report must name; one line for
                                         each, and without any a line that the patch adds
    Says: bins[5], and bins has 5        a part of the verdict's first sentence: what is wrong
    Advises: use atomicAdd               a part of what it says then
    Looks right: why                     without checks it counts a text right: only they see it
    BINS=256                             with how many bins it is built, otherwise 5
    Operations: argmax                   with which it is judged, otherwise all of the chapter's

tests/advice has for most of them the line that the first sentence has to name, and its words. The same
run of the judge shows it: a sentence without these words sends the reader somewhere else, unless it is
"we do not know", which one in ten may say.
"""
import re
from collections import namedtuple
from functools import partial
from pathlib import Path

import build
import course
import judge
from proof import Proof, Target

Head = namedtuple("Head", "reason wanted allowed places says advises looks_right bins operations")
OWN_TESTS = ("counter", "memory")  # only a chapter's own tests look at these
ADVICE, FEWEST_ADVISED, MOST_UNKNOWN = "tests/advice", 300, 0.1
NOT_KNOWN = "we do not know"
GIVEN = ("common/",)  # files whose lines no student can change
LAST_WORD = ("refusal", "memory", "far end")  # these assertions outdo others that fail as well


def head_of(text):
    """What the head of a patch says."""
    lines = text.split("\n--- ")[0].splitlines()
    fields = [re.match(r"([A-Z][A-Za-z ]*)[:=] ?(.*)", line) for line in lines]
    words = [line if not field else field.group(2) if field.group(1) == "Reason" else ""
             for line, field in zip(lines, fields)]
    values = [(field.group(1), field.group(2)) for field in fields if field]
    by = dict(values).get("Caught by", "").strip()
    allowed = [name.strip() for name in by.replace("perhaps ", "").split(",") if name.strip()]
    return Head(" ".join(" ".join(words).split()), by.split(",")[0], allowed,
                *([value for name, value in values if name == field]
                  for field in ("At", "Says", "Advises")),
                any(name == "Looks right" for name, _ in values),
                int(dict(values).get("BINS", 5)), dict(values).get("Operations", "").split())


def added_lines(patch):
    """The numbers of the lines that a patch adds, in the file that it makes."""
    added, line = set(), None
    for text in patch.splitlines():
        hunk = re.match(r"@@ -\S+ \+(\d+)", text)
        if hunk:
            line = int(hunk.group(1)) - 1
        elif line is not None and text[:1] in (" ", "+"):
            line += 1
            if text[0] == "+":
                added.add(line)
    return added


def catcher(head, outcome):
    """By what it was caught: a check goes before the assertion that fails after it."""
    checks = list(dict.fromkeys(check for check, _ in outcome.caught))
    last = [kind for kind in outcome.failed if kind in LAST_WORD]
    if not checks or "refusal" in last:
        return (last[-1:] or outcome.failed or ["nothing that is known"])[0]
    others = [check for check in checks if check not in head.allowed]
    return others[0] if others else head.wanted if head.wanted in checks else checks[0]


def lines_named(head, outcome, name, source, added):
    """The lines of the source that count as named by the reports, or the text that no one names."""
    named = sorted({line for _, places in outcome.caught for file, line in places
                    if file == name and line})
    if not head.places:
        return [line for line in named if line in added], "a line that the patch adds"
    found = []
    for text in head.places:
        at = [line for line in named if line <= len(source) and text in source[line - 1]]
        if not at:
            return [], f"the line {text}"
        found.append(at[0])
    return found, ""


def is_in_given_code(outcome):
    """Whether the reports name lines of given code alone, which is right: misadvised() wants no such line first."""
    given = {path.name for path in build.GIVEN.iterdir()}
    return all(file in given for _, places in outcome.caught for file, line in places if line)


def caught_by(patch, source, outcome):
    """("racecheck at line 25", None), or (None, what is wrong)."""
    head, path = head_of(patch), Path(source)
    given = re.search(r"^\+\+\+ mutant/(given/\S+)", patch, re.MULTILINE)
    if given:
        path = path.parent / given.group(1)
    if not head.wanted:
        return None, "but the patch does not say by what"
    result = catcher(head, outcome)
    if result != head.wanted:
        return None, f"but caught by {result}, not by {head.wanted}"
    if not outcome.caught or result == "refusal":
        return result, None
    lines = path.read_text().splitlines()
    named, missing = lines_named(head, outcome, path.name, lines, added_lines(patch))
    if not named and not given and is_in_given_code(outcome):
        return f"{result} in given code", None
    if not named:
        return None, f"but no report names {missing}"
    return f"{result} at line {', '.join(str(line) for line in named)}", None


def first_words(outcome):
    """The first sentence of a verdict; before it may stand the test and its name."""
    return " ".join(outcome.lines[:3])


def unsaid(head, outcome):
    """What is wrong with the words of a verdict, or None."""
    for part in head.says:
        if part not in first_words(outcome):
            return f'does not say first "{part}", but: {first_words(outcome)}'
    for part in head.advises:
        if not any(part in line for line in outcome.lines):
            return f'does not say "{part}"'
    raced = any(check == "racecheck" for check, _ in outcome.caught)
    if not raced and any(line.startswith("see it happen") for line in outcome.lines):
        return "offers to replay a race, but none was found"
    return None


def advice():
    """What tests/advice says: {mutant: (parts of a line, words)}."""
    rows = [line.split("\t") for line in Path(ADVICE).read_text().splitlines()
            if line and not line.startswith("#")]
    return {name: (line.split(" // "), words) for name, line, words in rows}


def misadvised(row, patch, sentence, source):
    """What is wrong with the first sentence of a verdict, by the row of tests/advice; or None."""
    parts, words = row
    if NOT_KNOWN in sentence and NOT_KNOWN in words:
        return None
    if not re.search(words, sentence, re.IGNORECASE):
        return f'says first what sends to another place than "{words}": {sentence}'
    place = re.match(r"(\S+?):(\d+): ", sentence)
    if place and place.group(1).startswith(GIVEN):
        return f"names a line of given code: {sentence}"
    if parts == ["-"]:
        return None
    lines = Path(source).read_text().splitlines()
    number = int(place.group(2)) if place and place.group(1) == str(source) else 0
    named = lines[number - 1] if 0 < number <= len(lines) else ""
    if any(number in added_lines(patch) if part == "+" else part in named for part in parts):
        return None
    return f'names no line "{" // ".join(parts)}": {sentence}'


def prove(one, patch, row=None):
    """The one line of a mutant."""
    name, head = one.name, head_of(patch)
    operations = head.operations or operations_of(one.stem, name)
    outcome = (judge.any_failure(one.folder, operations=operations) if head.wanted in OWN_TESTS
               else judge.judged(one.folder, one.source, one.stem, head.bins, operations))
    if head.wanted == "stop":
        by, wrong = "the end of the program", "but passes" if outcome.passed else None
    else:
        wrong = judge.failure(f"mutant {name}", head.reason, outcome)
        if wrong:
            return [wrong]
        by, wrong = caught_by(patch, one.source, outcome)
    wrong = wrong or unsaid(head, outcome)
    if not wrong and row:
        wrong = misadvised(row, patch, outcome.lines[0] if outcome.lines else "", one.source)
    if wrong:
        return [f"FAIL mutant {name}: fails, {wrong}"]
    if head.looks_right and one.bins != "keys":
        if not judge.counts_right(f"{one.folder}/row", head.bins, SIM_CHECKS="none", SIM_SEED="1")[1]:
            return [f"FAIL mutant {name}: without checks its bins are wrong, and should look right"]
        by += ", though it looks right without checks"
    return [f"ok mutant {name}: {head.reason}; caught by {by}"]


def sources(stem):
    """The wrong solutions of a chapter, which its lesson may quote."""
    made = map(mutant, course.files(f"tests/mutants/{stem}/*.patch"))
    return [one.source for one in made if Path(one.source).exists()]


def mutant(patch):
    """The Kernel that a patch makes of a solution; its source is made here, and stays away where the patch fails."""
    return build.kernel(patch, "mutant", head_of(Path(patch).read_text()).bins)


def prove_table():
    """That tests/advice has enough of wrong kernels, each of them a mutant, and few of which nobody
    knows more."""
    rows = advice()
    missing = [name for name in rows if not Path(f"tests/mutants/{name}.patch").exists()]
    unknown = [name for name, (_, words) in rows.items() if NOT_KNOWN in words]
    lines = [f"FAIL advice {name}: there is no such mutant" for name in missing]
    if len(rows) < FEWEST_ADVISED:
        lines.append(f"FAIL advice: {len(rows)} wrong kernels, not {FEWEST_ADVISED}")
    if len(unknown) > MOST_UNKNOWN * len(rows):
        lines.append(f"FAIL advice: of {len(rows)} wrong kernels {len(unknown)} may stay unknown")
    return lines or [f"ok advice: {len(rows)} wrong kernels, {len(unknown)} may stay unknown"]


def operations_of(stem, name):
    """Those of the suite that a mutant shall not pass: NN_name/what, or NN_name/what/further of an exercise."""
    return course.exercise_operations(stem) if name.endswith("/further") else course.operations(stem)


def proof_of(patch, rows):
    one, text = mutant(patch), Path(patch).read_text()
    if not Path(one.source).exists():
        return Proof("mutants", one.name, partial(build.does_not_apply, patch))
    head, row = head_of(text), rows.get(one.name)
    targets = [*build.judged("mutant", one.bins, one.folder, head.operations)]
    targets += [Target("mutant", one.bins, f"{one.folder}/row")] * (head.looks_right and one.bins != "keys")
    return Proof("mutants", one.name, partial(prove, one, text, row),
                 reads=(patch, one.source, *course.files(f"{Path(one.source).parent}/given/*"), judge.VERDICT,
                        *([course.TEXT] if head.looks_right else [])),
                 builds=tuple(targets + [build.INPUT] if head.looks_right else targets), guess=1,
                 knows=f"{course.SEED} {row or ''}")


def proofs():
    rows = advice()
    return [Proof("mutants", "advice", prove_table, reads=(ADVICE,)),
            *(proof_of(patch, rows) for patch in course.files("tests/mutants/*/*.patch", "tests/mutants/*/further/*.patch"))]
