"""test_mutants.py - each planted mistake is caught by the right check, at the right line.

tests/mutants/NN_name/what.patch turns a solution into a wrong one, or given code that it includes. The head of the
patch says:

    Reason: right, but why it must fail, in words
    Caught by: racecheck                 or "racecheck, perhaps initcheck" when another check has reason to speak up as
                                         well; else bins, counter, memory, far end, refusal: the assertion that fails;
                                         or stop: CUDA refuses a call, and that ends the program
    At: shared_bins[bin] = 0             a part of a line that a report must name; one line for each, and without any
                                         a line that the patch adds
    Says: bins[5], and bins has 5        a part of the verdict's sentence: what is wrong
    Advises: use atomicAdd               a part of what it says then
    Looks right: why                     without checks it counts a text right: only they see it
    BINS=256                             with how many bins it is built, otherwise 5
    Operations: argmax                   with which it is judged, otherwise all of the chapter's

tests/advice has for most of them the line that the sentence has to name, and its words. The same run of the
judge shows it: a sentence without these words sends the reader somewhere else, unless it is "we do not know", which
one in ten may say.
"""
import re
from collections import namedtuple
from pathlib import Path

import pytest
from kernels import GIVEN, assert_refused, counts_right, files, judged, operations, placed, program, sentence

MUTANTS = files("tests/mutants/*/*.patch", "tests/mutants/*/further/*.patch")
ADVICE, FEWEST_ADVISED, MOST_UNKNOWN = "tests/advice", 300, 0.1
NOT_KNOWN = "we do not know"
LAST_WORD = ("refusal", "memory", "far end")  # these assertions outdo others that fail as well

Head = namedtuple("Head", "reason wanted allowed places says advises looks_right bins operations")


def head_of(text):
    """What the head of a patch says."""
    lines = text.split("\n--- ")[0].splitlines()
    fields = [re.match(r"([A-Z][A-Za-z ]*)[:=] ?(.*)", line) for line in lines]
    values = [(field.group(1), field.group(2)) for field in fields if field]
    named = dict(values)
    by = named.get("Caught by", "").strip()
    allowed = [name.strip() for name in by.replace("perhaps ", "").split(",") if name.strip()]
    return Head(named.get("Reason", ""), by.split(",")[0], allowed,
                *([value for name, value in values if name == field] for field in ("At", "Says", "Advises")),
                "Looks right" in named, named.get("BINS", "5"), named.get("Operations", "").split())


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


def assert_caught(head, patch, kernel, outcome):
    """It is caught by the check that its head names, at one of its lines, or in given code alone."""
    assert head.wanted, "the patch does not say by what it is caught"
    result = catcher(head, outcome)
    assert result == head.wanted, f"caught by {result}, not by {head.wanted}: {outcome.message}"
    if not outcome.caught or result == "refusal":
        return
    given = re.search(r"^\+\+\+ mutant/(given/\S+)", patch, re.MULTILINE)
    path = Path(kernel.source).parent / given.group(1) if given else Path(kernel.source)
    places = [place for _, places in outcome.caught for place in places if place[1]]
    of_others = {header.name for header in GIVEN.iterdir()}
    if not given and all(file in of_others for file, _ in places):
        return
    lines = path.read_text().splitlines()
    named = {line for file, line in places if file == path.name}
    if not head.places:
        assert named & added_lines(patch), f"no report names a line that the patch adds: {outcome.message}"
    for part in head.places:
        assert any(part in lines[line - 1] for line in named if line <= len(lines)), f"no report names the line {part}"


def assert_said(head, outcome):
    """The verdict has the words that the head asks for."""
    for part in head.says:
        assert part in sentence(outcome), f'does not say "{part}", but: {sentence(outcome)}'
    for part in head.advises:
        assert any(part in line for line in outcome.lines), f'does not say "{part}"'
    raced = any(check == "racecheck" for check, _ in outcome.caught)
    assert raced or not any(line.startswith("see it happen") for line in outcome.lines), "offers to replay no race"


def advice():
    """What tests/advice says: {mutant: (parts of a line, words)}."""
    rows = [line.split("\t") for line in Path(ADVICE).read_text().splitlines() if line and not line.startswith("#")]
    return {name: (line.split(" // "), words) for name, line, words in rows}


def assert_advised(row, patch, said, source):
    """A verdict sends the reader where the row of tests/advice does: to the gap that is empty, which its first line
    names, or by its sentence."""
    parts, words = row
    if NOT_KNOWN in said and NOT_KNOWN in words:
        return
    assert re.search(words, said, re.IGNORECASE), f'sends to another place than "{words}": {said}'
    place = re.match(r"(\S+?):(\d+): ", said)
    assert not place or not place.group(1).startswith("common/"), f"names a line of given code: {said}"
    if parts != ["-"]:
        lines = Path(source).read_text().splitlines()
        line = int(place.group(2)) if place and place.group(1) == source else 0
        named = lines[line - 1] if 0 < line <= len(lines) else ""
        assert any(line in added_lines(patch) if part == "+" else part in named for part in parts), \
            f'names no line "{" // ".join(parts)}": {said}'


@pytest.mark.parametrize("path", MUTANTS, ids=lambda path: path[len("tests/mutants/"):-len(".patch")])
def test_mutant(path):
    patch, kernel = Path(path).read_text(), placed(path, "mutants")
    head = head_of(patch)
    variants = (head.operations or operations(kernel.stem, kernel.further)) if operations(kernel.stem) else [head.bins]
    outcome = judged(kernel, variants)
    if head.wanted == "stop":
        assert not outcome.passed, f"passes, but must not: {head.reason}"
    else:
        assert_refused(outcome, head.reason)
        assert_caught(head, patch, kernel, outcome)
    assert_said(head, outcome)
    if kernel.name in advice():
        wanted, first = advice()[kernel.name], outcome.lines[0]
        said = first if wanted[1] == "not done yet" else sentence(outcome)
        assert_advised(wanted, patch, said, kernel.source)
    if head.looks_right and not operations(kernel.stem):
        row = program(kernel, "row", head.bins)
        assert counts_right(row, head.bins, SIM_CHECKS="none", SIM_SEED="1")[1], "its bins should look right without checks"


def test_advice():
    """tests/advice has enough of wrong kernels, each of them a mutant, and few of which nobody knows more."""
    rows = advice()
    missing = [name for name in rows if not Path(f"tests/mutants/{name}.patch").exists()]
    assert not missing, f"{ADVICE} names mutants that are not there: {missing}"
    assert len(rows) >= FEWEST_ADVISED
    assert sum(NOT_KNOWN in words for _, words in rows.values()) <= MOST_UNKNOWN * len(rows)
