"""exam.py - draws an exam and its key from the questions of docs/exam.md: make exam CHAPTERS=1-9 SEED=7.

    CHAPTERS=1-9 SEED=7 POINTS=60 exam.py [FOLDER]        in the root of the course; FOLDER is build/exam

FOLDER gets exam.html and key.html, both as PDF too where Chromium is, and exam.gift for Moodle. The same SEED
draws the same exam. What is wrong is said in one line, with status 2.
"""
import html
import os
import random
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("packages", "book", "handout")]

import pinned  # noqa: E402

pinned.need("an exam")
import bank  # noqa: E402 - of them is what it reads pages with
import deck  # noqa: E402
import hand_out  # noqa: E402
import pdf  # noqa: E402
from bank import Wrong  # noqa: E402
from pages import as_html  # noqa: E402
from quizzes import escaped  # noqa: E402

READING = 10  # of the minutes of an exam one in so many is for reading
RULES = ("Bank = word % 32. A sector has 32 bytes. A warp has 32 lanes. In shared memory, atomic additions of the "
         "constant 1 to one address are merged when no result is used. Other additions are not merged.")
STYLE = """
body { max-width: 174mm; margin: 0 auto; padding: 5mm 0; font: 11pt/1.4 system-ui, sans-serif; color: #1f2328; }
h1 { font-size: 18pt; } h2 { font-size: 12pt; margin: 6mm 0 2mm; } p { margin: 0 0 2mm; } ul { list-style: none; }
section { break-inside: avoid; } pre { padding: 2mm; background: #f0f2f5; white-space: pre-wrap; }
pre, code { font: 11pt/1.3 ui-monospace, monospace; } .answer { border-left: 1mm solid #b3361b; padding-left: 3mm; }
.name { margin: 8mm 0; } .points { display: flex; flex-wrap: wrap; margin-bottom: 4mm; font-size: 9pt; }
.points span { border: 1px solid #59636e; margin: 0 -1px -1px 0; padding: 1mm 2mm; text-align: center; }
@page { size: A4; margin: 18mm; }
"""


def asked_for(words, points):
    """The questions of the chapters that CHAPTERS says; they have so many points, or more."""
    stems = sorted(path.name for path in Path("chapters").glob("[0-9][0-9]_*") if path.is_dir())
    numbers = [hand_out.number(stem) for stem in hand_out.chosen(words, stems, "CHAPTERS")]
    found = [one for one in bank.questions(Path(bank.PAGE).read_text()) if one.chapter in numbers]
    for number in set(numbers) - {one.chapter for one in found}:
        raise Wrong(f"CHAPTERS={words}: {bank.PAGE} has no question of chapter {number}")
    if points > total(found, "points"):
        raise Wrong(f"POINTS={points}: CHAPTERS={words} has questions of {total(found, 'points')} points: name "
                    "more chapters, or fewer points")
    return found


def total(questions, what):
    return sum(getattr(one, what) for one in questions)


def chosen(asked, points, seed):
    """Questions of so many points, or a little less: of each chapter about as many, and of each kind."""
    waiting, taken = list(asked), []
    random.Random(seed).shuffle(waiting)
    while True:
        left = points - total(taken, "points")
        fitting = [one for one in waiting if one.points <= left and left - one.points != 1]
        if not fitting:
            return [one for one in asked if one in taken]
        taken.append(min(fitting, key=lambda one: [sum(getattr(other, what) == getattr(one, what) for other in taken)
                                                   for what in ("chapter", "kind")]))
        waiting.remove(taken[-1])


def shown(blocks):
    """Some blocks as HTML, code as large as the page has it and not as a slide."""
    return re.sub(r" style='[^']*'", "", deck.html_of_blocks(blocks, ""))


def section(place, question, with_answer):
    """A question with room for an answer, so much for each minute, or with its answer."""
    said = f"{place}. {question.kind.capitalize()} ({question.points} points, {question.minutes} minutes)"
    below = "" if question.kind == "multiple choice" else f"<div style='height: {8 * question.minutes}mm'></div>"
    if with_answer:
        said += f", {question.name} in the bank, {question.goal}: {html.escape(question.title)}"
        below = f"<div class='answer'>{shown(question.answer)}</div>"
    return f"<section><h2>{said}</h2>\n{shown(question.asked)}\n{below}</section>"


def page(questions, of_what, with_answers):
    """The exam, or its key, as a page that asks for nothing beside itself."""
    title, minutes, points = ("Exam, the key" if with_answers else "Exam"), *(
        total(questions, what) for what in ("minutes", "points"))
    reading = -(-minutes // (READING - 1))
    places = "".join(f"<span>{i}<br>/ {one.points}</span>" for i, one in enumerate(questions, 1))
    name = (f"<p class='name'>Name: {'_' * 36} &nbsp; Number: {'_' * 16}</p>\n"
            f"<div class='points'>{places}<span>all<br>/ {points}</span></div>\n")
    return (f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
            f"<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n<p>{html.escape(of_what)}: {len(questions)} "
            f"questions, {points} points, {minutes + reading} minutes, {reading} of them to read.</p>\n"
            + ("" if with_answers else name) + f"<p>{RULES}</p>\n"
            + "\n".join(section(i, one, with_answers) for i, one in enumerate(questions, 1)) + "\n</body></html>\n")


def gift(questions, of_what):
    """The exam in Moodle's format: choices with what each of them stands for, numbers, essays."""
    said = [f"$CATEGORY: Histogram Ladder/{of_what}\n"]
    for one in questions:
        asked, answer = one.asked, "" if one.value is None else f"#{one.value}"
        if one.kind == "multiple choice":
            asked = [block for block in asked if block.kind != "list"]
            found, right = bank.choices(one)
            answer = "".join(f"\n{'=' if letter == right else '~'}{escaped(as_html(text))}#{escaped(as_html(said_of))}"
                             for letter, (text, said_of) in found.items()) + "\n"
        said.append(f"::{one.name} {one.kind}::[html]{escaped(shown(asked))} "
                    f"{{{answer}####{escaped(shown(one.answer))}}}\n")
    return "\n".join(said)


def write(folder, chapters, points, seed):
    """Makes the files. Returns what to say."""
    taken = chosen(asked_for("" if chapters == "chapters" else chapters, points), points, seed)
    if not taken:
        raise Wrong(f"POINTS={points}: no question of CHAPTERS={chapters} has so few")
    if any(one.drawn for one in taken):
        print("counting for the answers, on the simulated GPU", file=sys.stderr, flush=True)
    taken = bank.drawn(taken, lambda one, all_of: random.Random(f"{seed} {one.name}").choice(all_of))
    of_what, browser = f"Chapters {chapters}, seed {seed}", pdf.browser()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "exam.gift").write_text(gift(taken, of_what))
    for name in ("exam", "key"):
        (folder / f"{name}.html").write_text(page(taken, of_what, name == "key"))
        (folder / f"{name}.pdf").unlink(missing_ok=True)
        if browser:
            pdf.printed_by(browser, folder / f"{name}.html", folder / f"{name}.pdf")
    return (f"{folder}: {len(taken)} questions, {total(taken, 'points')} points: exam.html, key.html, exam.gift" + (
        ", exam.pdf, key.pdf" if browser else "\nno PDF: that needs Chromium: sudo apt-get install -y chromium"))


def main(folder="build/exam"):
    chapters, seed, points = (os.environ.get(name) or usual for name, usual in
                              (("CHAPTERS", ""), ("SEED", "1"), ("POINTS", "60")))
    try:
        if not points.isdigit() or int(points) == 0:
            raise Wrong(f"POINTS={points} is not a whole number from 1 on")
        print(write(Path(folder), chapters, int(points), seed))
    except (Wrong, hand_out.Refused, pdf.Failed, OSError) as reason:
        print(f"exam: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
