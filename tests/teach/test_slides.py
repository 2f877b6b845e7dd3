"""test_slides.py - the slides of all lectures can be made, and what a line names and is not there is said."""
import re
from pathlib import Path

import pytest
import slides


def lecture(*lines):
    return slides.lectures("\n".join(["## Lecture 9: A title", "", "- You can count.", "", "### Slides", "", *lines, ""]))[0]


def test_all_lectures(tmp_path, capsys):
    assert slides.main(str(tmp_path)) == 0, capsys.readouterr().out
    made = sorted(tmp_path.glob("lecture*.html"))
    assert len(made) == len(slides.lectures(Path(slides.PAGE).read_text()))
    for path in made:
        page = path.read_text()
        assert page.count("<section") >= 15 and not re.search(r"(?:src|href)=[\"']https?:", page)


@pytest.mark.parametrize("line, said", [
    ("- 99: title", "there is no lesson 99"), ("- 05: picture 05_none", "does not show 05_none"),
    ("- 05: The idea", "has no points"), ("- 05: Quiz 77", "no question 77"), ("- 05: code TODO(5.9)", "no TODO(5.9)"),
    ("- 05: cost table 9", "tables"), ("- nonsense", "what is meant by nonsense?")])
def test_what_is_not_there_is_said(line, said):
    wrong = []
    slides.slides_of(lecture(line), wrong)
    assert len(wrong) == 1 and said in wrong[0], wrong


def test_points_and_notes():
    wrong = []
    made = slides.slides_of(lecture("- 05: The idea", "  - A point", "    of two lines", "  A note."), wrong)
    assert not wrong and made[1].blocks[0].inside[0][0].text == "A point of two lines" and made[1].notes[0] == "A note."


def test_points_of_a_title_end_where_the_next_begins():
    """A comma within a point does not end it."""
    points = [item[0].text for block in slides.Lesson("13").afterwards()[1:] for item in block.inside]
    assert len(points) == 3 and points[0] == "turn a loop that loads, waits and works into a software pipeline", points


def test_a_question_has_what_is_given():
    """Of a paragraph that also asks to write answers down, the rest."""
    (_, question, _), *_ = slides.of_lesson("04", "Predict 1", [])
    assert question[0].text.startswith("The text is English, 1,048,576 characters long"), question
