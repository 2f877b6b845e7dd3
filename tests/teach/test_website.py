"""test_website.py - two sites: a student's says nothing of exam, tutors' notes and solutions, nor does its search."""
import json
import re
from pathlib import Path

import website


def test_what_students_get(tmp_path):
    student, lecturer = website.pages_of(False), website.pages_of(True)
    assert set(student) < set(lecturer) and "exam.md" in lecturer and "solution/05_privatized_global.md" in lecturer
    assert not [name for name in student if website.is_for_lecturers(name) or name.startswith("solution")]
    for name, text in student.items():
        assert not re.search(r"\]\((?:\.\./)*(?:exam|tutors|solutions?)\b", text), name
        assert "## For lecturers" not in text, name


def test_sites_are_made(tmp_path):
    assert website.main(str(tmp_path)) == 0
    pages = {kind: json.loads(re.search(r"Search.setIndex\((.*)\)", Path(tmp_path, kind, "searchindex.js").read_text())[1])
             for kind in ("student", "lecturer")}
    assert "exam" in pages["lecturer"]["docnames"] and "tutors" in pages["lecturer"]["docnames"]
    assert not {"exam", "tutors", "solutions"} & set(pages["student"]["docnames"])
    assert (tmp_path / "student/05_privatized_global.html").exists() and not (tmp_path / "student/exam.html").exists()
    for page in tmp_path.glob("*/*.html"):
        assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', page.read_text()), f"{page} needs a network"
