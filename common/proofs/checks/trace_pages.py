"""trace_pages.py - proves that the page of a trace works, in a browser, as a reader uses it.

The pages are made as a student makes them. Each is stepped through by keys, scrubbed, filtered by
mouse and by keyboard; what it sums up is what `make profile` counts on the same text; its memory
ends with the bins that were counted; it is legible in both themes, narrow, and on paper; it asks
nothing of any other host. Where there is no browser a line says so, and counts as nothing.
"""
import json
import re
import subprocess
from functools import partial
from pathlib import Path

import browser
import build
import course
from checks import replays
from proof import Proof, lines_of

MOST_BYTES = 2 * 1000 * 1000
PARTS = ("common/trace/*", "common/trace/page/*", "common/contracts/*/*traced.c",
         "common/run/traced_contract.h", "common/make/variant.mk", "common/packages/pinned.txt")
# Chapters with something else to show each: the first that has these words.
SHOWN = ("for (", "cudaMalloc", "__shared__")
STEP = "return Number(document.getElementById('bar').getAttribute('aria-valuenow'))"
LINE = "return document.querySelector('.line.current .number')?.textContent ?? ''"
COUNTED = re.compile(r"^ +([\d,]+)  (\S+\.sum)$", re.MULTILINE)


class Wrong(Exception):
    """What a page does not do."""


def expect(truth, sentence):
    if not truth:
        raise Wrong(sentence)


def made(command):
    """What a command of make prints."""
    done = subprocess.run(command, text=True, errors="replace", capture_output=True,
                          env=course.environment())
    expect(done.returncode == 0, f"{' '.join(command)} fails: {done.stderr.strip()[-300:]}")
    return done.stdout


def page_of(printed):
    """The file that `make ... trace` names."""
    found = re.search(r"^\S+\.html$", printed, re.MULTILINE)
    expect(found, f"no page is named: {printed.strip()[-200:]}")
    return found.group()


def trace_in(path):
    inside = re.search(r'<script type="application/json" id="trace">(.*?)</script>',
                       Path(path).read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(inside.group(1))


# What a reader does.

def steps_by_keys(page, trace):
    steps = trace["steps"]
    expect(page.run(STEP) == 1, "does not begin at step 1")
    for key, wanted in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2),
                        ("End", len(steps)), ("Home", 1)):
        page.keys(key)
        expect(page.run(STEP) == wanted, f"{key} leads to step {page.run(STEP)}, not {wanted}")
    same = [at for at, step in enumerate(steps) if step["n"] == steps[0]["n"]]
    page.keys("ArrowDown")
    expect(len(same) < 2 or page.run(STEP) == same[1] + 1, "ArrowDown leaves the line")
    page.keys("Home", "PageDown")
    block = [(step["b"], step.get("d", 0)) for step in steps]
    other = next((at for at, one in enumerate(block) if one != block[0]), 0)
    expect(page.run(STEP) == other + 1, "PageDown leads to no other block")
    page.keys("Home")


def plays(page, _trace):
    page.keys(" ")
    page.wait(f"{STEP} > 1")
    page.keys(" ")
    expect(page.text("#play") == "Play", "the second blank does not pause")
    page.keys("Home")


def scrubs(page, trace):
    page.drag("#bar", (0.1, 0.5), (0.5, 0.5))
    half = len(trace["steps"]) / 2
    page.wait(f"{STEP} >= {half - 1}")
    expect(page.run(STEP) <= half + 2, f"dragging to the middle leads to step {page.run(STEP)}")
    page.keys("Home")


def filters_by_lines(page, trace):
    line = page.run("return Number(document.querySelector('.line.walked').dataset.line)")
    wanted = [at + 1 for at, step in enumerate(trace["steps"]) if step["n"] == line]
    page.click(".line.walked")
    seen = [page.run(STEP)]
    for _ in wanted[1:4]:
        page.keys("ArrowRight")
        seen.append(page.run(STEP))
    expect(seen == wanted[:len(seen)], f"a click on line {line} shows steps {seen}")
    expect(page.run(LINE) == str(line), f"line {line} is not marked")
    page.click(".chip")
    expect(not page.run("return document.querySelector('.chip')"), "a click keeps the filter")
    page.keys("Home")


def filters_by_bins(page, trace):
    """The first of the bins, wherever it is used."""
    bins = next((at for at, array in enumerate(trace["arrays"]) if array.get("content") == "bins"),
                None)
    if bins is None:  # of several devices: the result is the host's
        return
    wanted = [at + 1 for at, step in enumerate(trace["steps"])
              if step["a"] == bins and 0 in elements(step)]
    page.click(f".bin[data-element='{bins}:0']")
    expect(not wanted or page.run(STEP) == wanted[0], f"a click on a bin leads to {page.run(STEP)}")
    expect(page.text("#position").endswith(f"{len(wanted):,} shown"), page.text("#position"))
    page.keys("Escape", "Home")
    expect(not page.run("return document.querySelector('.chip')"), "Escape keeps the filter")


def elements(step):
    """The elements that a step touches, from their short form."""
    first, stride = step.get("s", (0, 0))
    return step.get("i") or [first + lane * stride for lane in range(step["m"].bit_count())]


def filters_by_keyboard(page, trace):
    """By Tab and Enter on a line, by keys, and by the list."""
    focus = "return document.activeElement.dataset.line ?? ''"
    page.run("document.getElementById('bar').focus()")
    for _ in range(4):
        page.keys("Tab")
        if page.run(focus):
            break
    line = page.run(focus)
    expect(line, "Tab leads from the bar to no line")
    page.keys("Enter")
    wanted = sum(str(step["n"]) == line for step in trace["steps"])
    expect(page.text("#position").endswith(f"{wanted:,} shown"), "Enter on a line does not filter")
    page.keys("Escape", "w")
    expect(re.search("warp|host", page.text("#chips")), "the key w does not filter by the warp")
    page.keys("Escape", "f", "Enter")
    expect("line" in page.text("#chips"), "the list does not filter")
    page.run("document.getElementById('bar').focus()")
    page.keys("Escape", "Home")


# Of each result that is seen its cells: their elements, and what is said of them.
RESULTS = """
return [...document.querySelectorAll('.bins:not([hidden])')]
  .filter((group) => /: the result/.test(group.getAttribute('aria-label')))
  .map((group) => [...group.querySelectorAll('.bin')].map((cell) =>
    [Number(cell.dataset.element.split(':')[1]), cell.querySelector('.bin-value').textContent]));
"""


def is_printed(value, counted, part):
    """Whether a cell shows what was counted: a number with six digits; of an output in several cells the
    part of them that the cell is, "(1, 2)"."""
    if isinstance(counted, str) and "(" in counted:
        counted = float(re.findall(r"[-+.e\d]+\d", counted)[part])
    if isinstance(counted, float):
        return abs(float(value) - counted) <= 1e-4 * abs(counted)
    return value == str(counted)


def ends_with_the_counts(page, trace):
    """Of more bins than a page has room for, those are seen that a step changes: no other may have changed."""
    page.keys("End")
    results = page.run(RESULTS)
    expect(results and all(results), "shows no result")
    counted = trace["counted"]
    bins = next((array for array in trace["arrays"] if array.get("content") == "bins"), {})
    per = max(1, trace["shapes"]["output"]["bytes"] // bins.get("bytes", trace["shapes"]["output"]["bytes"]))
    for element, value in (cell for cells in results for cell in cells):
        expect(is_printed(value, counted[element // per], element % per),
               f"bin {element // per} ends with {value}, {counted[element // per]} were counted")
    initial = bins.get("initial")
    seen = {element // per for element, _ in results[0]}
    for element in set(range(len(counted))) - seen if trace["rows"] == 1 else ():
        expect(initial and initial[element] == counted[element],
               f"does not show bin {element}, which has changed")
    wrong = page.run("return document.querySelectorAll('.wrong-bin').length")
    differ = [bin for bin, (a, b) in enumerate(zip(trace["counted"], trace["expected"])) if a != b]
    if isinstance(trace["counted"][0], int):  # others may be rounded differently
        expect(trace["wrong"] == differ, f"bins {trace['wrong']} are told to be wrong, {differ} are")
    expect(wrong == per * len(trace["wrong"]), f"{wrong} cells are marked as wrong, of {len(trace['wrong'])} bins")
    page.keys("Home")


# How many loads read something else than the page's memory holds before them.
MISREAD = """
const trace = read_trace();
keep_states(trace);
return trace.steps.filter((step, at) => {
  if (step.o !== "ld" || step.array === null || step.array.is_text || step.bad) return false;
  const held = state_after(trace, at - 1)[step.array.number];
  let wrong = false;
  each_element(step, (element, read) => {
    wrong ||= (held[element] ?? null) !== null && held[element] !== read;
  });
  return wrong;
}).length;
"""


def replays_memory(page, _trace):
    misread = page.run(MISREAD)
    expect(misread == 0, f"{misread} loads read something else than memory is said to hold")


def sums_are_the_profile(page, trace):
    page.keys("End")
    rows = page.run("return [...document.querySelectorAll('tr[data-metric]')].map("
                    "r => [r.dataset.metric, r.dataset.sum, r.dataset.value])")
    page.keys("Home")
    expect(rows or not trace["input"]["profile"], "there are no sums")
    for name, summed, value in rows:
        expect(summed == value, f"{name}: the steps sum up to {summed}, counted were {value}")
    command = trace["input"]["profile"]
    if command and trace["outcome"]["right"]:
        printed = COUNTED.findall(made([course.MAKE, "-s", *command.split()[1:]]))
        profile = [(name, count.replace(",", "")) for count, name in printed]
        expect([(name, value) for name, _, value in rows] ==
               [one for one in profile if one[1] != "0"], f"differs from {command}: {profile}")


def tells_the_race(page, trace):
    race = trace["race"]
    if not race:
        expect(not page.run("return document.querySelector('[data-race]')"), "tells a race")
        return
    for order in ("first", "second"):
        page.click(f"[data-race={order}]")
        expect(page.run(STEP) == race[order] + 1, f"the button leads not to the {order} access")
        expect(page.run("return document.querySelectorAll('.lane.racy').length"),
               f"no lane of the {order} access is marked")
    expect(page.run("return document.querySelectorAll('.flag').length") == 2, "no marks on the bar")
    rubbish = "Uninitialized" in race["words"]  # that was read first, and is told in its place
    expect(not trace["wrong"] or race["lost"] or rubbish, "does not say what got lost")
    expect(race["lost"] in page.text("#story"), "does not show what got lost")
    page.keys("Home")


def follows_themes(page, _trace):
    paper = "return getComputedStyle(document.body).backgroundColor"
    page.emulate("light")
    light = page.run(paper)
    page.emulate("dark")
    expect(page.run(paper) != light, "dark is as light")
    page.keys("t")
    expect(page.run(paper) == light, "t does not choose light")
    page.keys("t", "t")
    page.emulate("dark", media="print")
    expect(page.run(paper) == "rgb(255, 255, 255)", "the paper is not white")
    expect(not page.run("return document.querySelector('.tools').offsetHeight"), "prints buttons")
    page.emulate("light")
    expect(page.printed().startswith("JVBERi"), "is not printed")  # %PDF in base64


def fits_a_narrow_screen(page, _trace):
    page.size(400, 800)
    wide = page.run("return document.documentElement.scrollWidth")
    lane = page.run("return document.querySelector('.lane[data-lane]')?.offsetWidth ?? 30")
    page.size(1280, 900)
    expect(wide <= 400, f"is {wide} pixels wide on a screen of 400")
    expect(lane >= 30, f"a lane is {lane} pixels wide")


def is_accessible(page, _trace):
    for scheme in ("light", "dark"):
        page.emulate(scheme)
        found = page.violations()
        expect(not found, f"{scheme}: {'; '.join(found)}")
    page.emulate("light")


def is_quiet(page, _trace):
    errors, requests = page.errors(), page.requests()
    expect(not errors, f"on the console: {errors}")
    expect(not requests, f"asks for {requests}")


CHECKS = (steps_by_keys, plays, scrubs, filters_by_lines, filters_by_bins, filters_by_keyboard,
          ends_with_the_counts, replays_memory, sums_are_the_profile, tells_the_race,
          follows_themes, fits_a_narrow_screen, is_quiet, is_accessible)


def what_is_wrong(path, trace):
    """Sentences; none when the page is as it should be."""
    wrong = []
    if Path(path).stat().st_size >= MOST_BYTES:
        wrong.append(f"{path} has {Path(path).stat().st_size:,} bytes")
    with browser.Browser() as page:
        page.emulate("light")
        page.open(path)
        for check in CHECKS:
            try:
                check(page, trace)
            except (Wrong, browser.Failed) as error:
                wrong.append(f"{check.__name__}: {str(error).splitlines()[0]}")
    return wrong


def prove(name, command):
    if browser.missing():
        return [browser.missing()]
    path = page_of(made(command))
    wrong = what_is_wrong(path, trace_in(path))
    return lines_of("steps, filters, sums as profiled, themes, paper, without requests", wrong, f"trace of {name}: ")


def proof_of_chapter(stem):
    command = [course.MAKE, "-s", f"chapter{course.number(stem)}", "solution", "trace"]
    return Proof("trace_pages", stem, partial(prove, stem, command),
                 reads=(course.source("solutions", stem), *course.files(*PARTS)), guess=30)


def proof_of_mutant(patch):
    one = build.kernel(patch, "mutant")
    command = [course.MAKE, "-s", "-f", "common/make/variant.mk", "KIND=mutant", f"BINS={one.bins}",
               f"STEMS={one.name}", "trace"]
    return Proof("trace_pages", one.name, partial(prove, one.name, command),
                 reads=(patch, one.source, *course.files(*PARTS)),
                 builds=build.judged("mutant", one.bins, one.folder), guess=30)


def proofs():
    stems = course.text_stems("solutions")
    sources = {stem: Path(course.source("solutions", stem)).read_text() for stem in stems}
    shown = [next(stem for stem in stems if words in sources[stem]) for words in SHOWN]
    others = [stem for stem in course.stems("solutions") if stem not in stems]
    racy = [stem for stem in (*stems, *others) if replays.racy(stem)
            and course.contract(stem) != "many"]  # whose races are of copies and kernels
    return [*map(proof_of_chapter, (*shown, *course.first_of_each(others, course.kind).values())),
            *(proof_of_mutant(replays.shown_for_stub(stem))
              for stem in course.first_of_each(racy, course.contract).values())]
