"""quizzes.py - the questions of all lessons: a page of the book, and a file for a learning platform.

The file is in GIFT, which Moodle and others import: essays, each with its answer as feedback.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reports"))

import deck  # noqa: E402
import pages  # noqa: E402

SECTIONS = ("Predict", "Quiz")  # what GIFT has; on the page are the quizzes
GIFT = "quiz.gift.txt"


def parts_of(stem):
    """(title, {section: its lines}) of a lesson."""
    parts = pages.sections(Path("docs", f"{stem}.md").read_text())
    return parts[0][0], dict(parts[1:])


def page(stems):
    """The quiz bank as Markdown: the sections Quiz of all lessons, as they are written there."""
    bank = ["# Quiz bank", "All questions of the quizzes, for the day after, for an oral exam, or to "
            f"see what is left after a month. The answers are folded. <a href=\"{GIFT}\">The same, "
            "with the questions that come before a run, for Moodle</a> (GIFT format, essays)."]
    for stem in stems:
        title, sections = parts_of(stem)
        if "Quiz" in sections:
            bank += [f"## {title}", f"[The lesson]({stem}.md)",
                     "\n".join(sections["Quiz"]).strip()]
    return "\n\n".join(bank) + "\n"


def escaped(markup):
    """HTML as GIFT has it: on one line for a paragraph, its own signs marked."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", markup).replace("\n", "\\n")


def gift(stems):
    """All questions with their answers, as a GIFT file."""
    bank = []
    for stem in stems:
        title, sections = parts_of(stem)
        bank.append(f"$CATEGORY: Histogram Ladder/{title.replace('/', '//')}\n")
        for name in SECTIONS:
            asked = pages.questions(pages.blocks(sections.get(name, [])))
            for number, (question, answer) in asked.items():
                bank.append(f"::{escaped(f'{title}, {name} {number}')}::[html]"
                            f"{escaped(deck.html_of_blocks(question, 'q'))} "
                            f"{{####{escaped(deck.html_of_blocks(answer, 'a'))}}}\n")
    return "\n".join(bank)
