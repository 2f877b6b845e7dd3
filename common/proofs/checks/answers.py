"""answers.py - proves that what `make chapterN predict` shows for the reference is the lesson's answer.

Under Predict of each lesson comments say what counts an answer (common/course/lesson.h):
at least two a lesson; each can be read and calculated, and what comes out for the reference stands
in the folded answer. One that is the answer itself is folded.
"""
import ast
import csv
import re
import subprocess
from collections import namedtuple
from functools import partial
from pathlib import Path

import course
from checks import form
from proof import Proof, Target, lines_of
from quotes import folded

LEAST = 2  # in a lesson
ARRAYS = {"reduce": ("values", 1 << 20), "k_means": ("points", 1 << 13),
          "joint_histogram": ("pairs", 1 << 13), "pair_counts": ("points", 1 << 9),
          "pair_forces": ("atoms", 1 << 12)}  # of a contract without keys, so many units
COUNT = re.compile(r"^ *<!-- count: ([^=:;]{1,63}) = ([^=]{1,255}?)"
                   r"(?: in ([a-z0-9]+)-(\d+)(?:-([a-z_]+))?)? -->$")
COLUMN = re.compile(r"[a-z]\w*_[\w.]*|\b(?:blocks|votes|passes|attempts|locks|copies|launches|shuffles|devices|collectives)\b")
WORDS = ("none", "one", "two", "three", "four", "five", "six")  # 0 to 6
Count = namedtuple("Count", "question label sum text bins operation folded")


def counts_of(lesson):
    """(the Counts of a page, {question: its folded answer}, lines that cannot be read)."""
    found, answers, wrong, inside, question = [], {}, [], False, 0
    for line in form.section(lesson, "Predict").splitlines():
        inside |= line.startswith("<details")
        item = re.match(r"(\d+)\. ", line)
        question = int(item.group(1)) if item else question
        if "<!-- count" in line:
            match = COUNT.match(line)
            if match:
                label, total, text, bins, operation = match.groups()
                found.append(Count(question, label, total, text, int(bins or 0), operation, inside))
            else:
                wrong.append(line.strip())
        elif inside:
            answers[question] = answers.get(question, "") + " " + line
    return found, answers, wrong


def readable(value):
    """A number as the program shows it: 1,280 and 0.19."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2g}" if value < 1 else f"{value:.2f}".rstrip("0")


def calculated(total, row):
    """The value of a sum; row is {column: value}."""
    total = COLUMN.sub(lambda name: row[name.group()], total)
    total = re.sub(r"(?<=\d),(?=\d{3})", "", total).replace(" x ", " * ")
    return folded.calculated(ast.parse(total.strip(), mode="eval"))


def stands_in(value, answer):
    """Whether an answer has a number, in digits or as a word."""
    shown = re.escape(readable(value))
    word = WORDS[int(value)] if value in range(len(WORDS)) else shown
    return re.search(rf"(?<![\d.,]){shown}(?![\d]|[.,]\d)|\b{word}\b", answer, re.IGNORECASE)


def first_operation(stem):
    """That which the head of the suite names first; None where the contract has none."""
    return (course.operations(stem) or [None])[0]


def placed(stem, count):
    """The Count with what it is counted on where its comment does not say so."""
    operation = first_operation(stem)
    usual = (ARRAYS[course.contract(stem)] if course.contract(stem) in ARRAYS else
             ("uniform", 12281) if operation else ("english", 5))
    text, bins = (count.text, count.bins) if count.text else usual
    return count._replace(text=text, bins=bins, operation=operation and count.operation or operation)


def variant(count):
    return "keys" if count.operation else count.bins


def folder_of(stem, count):
    return f"{course.BUILD}/solution-{variant(count)}/{stem}/{count.operation or ''}".rstrip("/")


def program_of_input(stem, count):
    room = course.contract(stem).removesuffix("_batched")
    return f"{course.BUILD}/common/program/{room}/input"


def row_of(stem, count):
    """What the reference costs on the text, or the keys, that a Count names: {column: value}."""
    path = Path(folder_of(stem, count), f"{count.text}-{count.bins}.csv")
    if count.text == "english":  # that one is make's
        path = path.with_name("english.csv")
    else:
        text = path.with_suffix(".text")
        kind = (dict(SIZE=str(count.bins), OPERATIONS=count.operation) if count.text in dict(ARRAYS.values()) else
                dict(KEYS=count.text, SIZE="64K", KEY_BINS=str(count.bins),
                     OPERATIONS=count.operation) if count.operation else
                dict(TEXT=count.text, SIZE="1M", NUM_BINS=str(count.bins)))
        made = course.environment(TEXT_SEED="1", SIM_CHECKS="none", SIM_SEED="1", **kind)
        subprocess.run([program_of_input(stem, count), text, "README.md"], env=made, check=True)
        subprocess.run([f"{folder_of(stem, count)}/row", text, stem[:2], stem[3:], path],
                       env=made, check=True)
    with open(path, encoding="utf-8") as file:
        return next(csv.DictReader(file))


def wrong_with(stem, count, answer):
    """A sentence, or None."""
    named = COLUMN.search(count.sum)
    if bool(named) == count.folded:
        return "belongs below the question" if named else "is the answer, and not folded"
    try:
        value = calculated(count.sum, row_of(stem, count) if named else {})
    except (KeyError, SyntaxError, AttributeError, ZeroDivisionError) as error:
        return f"cannot be calculated: {type(error).__name__}: {error}"
    if not stands_in(value, answer):
        return f"is {readable(value)} for the reference, and the folded answer has no such number"
    return None


def is_run(stem):
    """Whether kernels of this chapter's contract have counters to predict: a batch is of another size
    than its lesson asks about."""
    contract = Path(course.source("solutions", stem)).stem
    return Path("common/contracts", contract, "contract.c").exists()


def prove(page, stem):
    counts, answers, wrong = counts_of(Path(page).read_text())
    failures = [f"this cannot be read: {line}" for line in wrong]
    if len(counts) < LEAST and is_run(stem):
        failures.append(f"under Predict {len(counts)} answers are counted, fewer than {LEAST}")
    for count in (placed(stem, count) for count in counts):
        problem = wrong_with(stem, count, answers.get(count.question, ""))
        if problem:
            failures.append(f"Predict {count.question}, {count.label} = {count.sum}: {problem}")
    return lines_of(f"{len(counts)} predictions are counted, and the answers are the lesson's", failures, f"{page}: ")


def proof_of(stem):
    page = f"docs/{stem}.md"
    needed = [placed(stem, count) for count in counts_of(Path(page).read_text())[0]
              if COLUMN.search(count.sum)]
    builds = set()
    for count in needed:
        rows = [f"{folder_of(stem, count)}/english.csv"] if count.text == "english" else [
            f"{folder_of(stem, count)}/row", program_of_input(stem, count)]
        builds |= {Target("solution", variant(count), path) for path in rows}
    return Proof("answers", stem, partial(prove, page, stem), reads=(page,),
                 builds=tuple(sorted(builds)))


def proofs():
    return [proof_of(stem) for stem in course.stems("solutions") if Path(f"docs/{stem}.md").is_file()]
