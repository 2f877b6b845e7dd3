"""gradebook.py - what comes of a grading, as files: for the lecturer, each student, Moodle, Canvas and Gradescope.

    grades.csv     a row for each student: points, and of each chapter the items, the kind of finding and its sentence
    moodle.csv     of submissions that Moodle packed: what its grading worksheet imports
    canvas.csv     of those that Canvas packed: what its gradebook imports
    class.txt      how many have how many points, and which sentences were said most often
    NAME.txt       for a student: the points that are visible, and what the judge said
    NAME.json      Gradescope's results.json (https://gradescope-autograders.readthedocs.io/en/latest/specs/)
"""
import csv
import io
import json
import re
from collections import Counter

from points import ITEMS, number

BEGINS_A_FORMULA = ("=", "+", "-", "@")  # in a spreadsheet
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
MOST_FREQUENT = 12


class Gradebook:
    """Of chapters, with the items that give points; `findings` are {student: {stem: finding}}."""

    def __init__(self, stems, items, findings):
        self.stems, self.items, self.findings = stems, items, findings

    def items_of(self, stem):
        """`extra` only where a chapter counts one text, on one device."""
        return [item for item in self.items if item.name != "extra" or int(stem[:2]) < 20 or stem[:2] in ("32", "33")]

    def points(self, student, items=None):
        return number(sum(item.weight for stem in self.stems for item in self.items_of(stem)
                          if item.name in self.findings[student][stem]["items"] and (items is None or item in items)))

    def most(self, items=None):
        return number(sum(item.weight for stem in self.stems for item in self.items_of(stem)
                          if items is None or item in items))

    # For the lecturer.

    def grades_csv(self):
        heads = ["name", "id", "email", "points", "of"]
        for stem in self.stems:
            heads += [f"{int(stem[:2])} {word}" for word in (*(item.name for item in self.items_of(stem)), "found", "says")]
        return table([heads, *(self.row(student) for student in self.findings)])

    def row(self, student):
        row = [student.name, student.number, student.email, self.points(student), self.most()]
        for stem in self.stems:
            found = self.findings[student][stem]
            row += [number(item.weight if item.name in found["items"] else 0) for item in self.items_of(stem)]
            row += [found["kind"], found["sentence"]]
        return row

    def moodle_csv(self):
        """What the page "Upload grading worksheet" takes; Moodle finds a row by its identifier."""
        return table([["Identifier", "Full name", "Grade", "Maximum grade"],
                      *([f"Participant {student.number}", student.name, self.points(student), self.most()]
                        for student in self.findings if student.lms == "moodle")])

    def canvas_csv(self):
        """What the gradebook's "Import" takes: a student is found by the ID, an assignment by its name."""
        named = "Chapters " * (len(self.stems) > 1) + "Chapter " * (len(self.stems) == 1) + \
            ", ".join(str(int(stem[:2])) for stem in self.stems)
        return table([["Student", "ID", "SIS User ID", "SIS Login ID", "Section", named],
                      ["    Points Possible", "", "", "", "", self.most()],
                      *([student.name, student.number, "", "", "", self.points(student)]
                        for student in self.findings if student.lms == "canvas")])

    def class_txt(self):
        """The distribution, and the most frequent mistakes, without the numbers and names of one kernel."""
        tallies = Counter(self.points(student) for student in self.findings)
        lines = [f"{points:>6} of {self.most()} points: {'#' * count} {count}" for points, count in sorted(tallies.items())]
        said = Counter((int(stem[:2]), mistake_of(found)) for one in self.findings.values() for stem, found in one.items()
                       if found["kind"] not in ("solved", "missing", "unfinished"))
        lines += ["", "What was said most often:"] * bool(said)
        lines += [f"{count:>6} x chapter {chapter}: {words}" for (chapter, words), count in said.most_common(MOST_FREQUENT)]
        return "\n".join(lines) + "\n"

    # For a student, who sees what is visible, and no points of what is not.

    def student_txt(self, student):
        seen = [item for item in self.items if item.visibility == "visible"]
        lines = [one_line(student.name), f"{self.points(student, seen)} of {self.most(seen)} points"]
        for stem in self.stems:
            found = self.findings[student][stem]
            lines += ["", f"Chapter {int(stem[:2])}, {stem[3:]}"]
            for item in (item for item in self.items_of(stem) if item in seen):
                met = item.name in found["items"]
                lines.append(f"  {number(item.weight * met):>4} of {number(item.weight)}  {ITEMS[item.name]}")
            lines += [found["told"]] if found.get("told") else []
            lines += ["", found["output"] or found["sentence"]]
        return "\n".join(lines) + "\n"

    def results_json(self, student):
        tests, told = [], False
        for stem in self.stems:
            found = self.findings[student][stem]
            for index, item in enumerate(self.items_of(stem), 1):
                met = item.name in found["items"]
                said = found.get("extra", "") if item.name == "extra" else found["output"] or found["sentence"]
                tests.append({
                    "name": f"chapter {int(stem[:2])}: {ITEMS[item.name]}", "number": f"{int(stem[:2])}.{index}",
                    "score": number(item.weight if met else 0), "max_score": number(item.weight),
                    "status": "passed" if met else "failed", "output": "" if met else said if not told else "see above",
                    "output_format": "text", "visibility": item.visibility})
                told = told or not met
            told = False
        return json.dumps({"score": self.points(student), "output": "", "output_format": "text", "visibility": "visible",
                           "stdout_visibility": "hidden", "tests": tests}, indent=1, ensure_ascii=False) + "\n"


def table(rows):
    """The text of a CSV file of which no spreadsheet takes a cell for a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value):
    text = one_line(value) if isinstance(value, str) else value
    return "'" + text if isinstance(text, str) and text.startswith(BEGINS_A_FORMULA) else text


def one_line(text):
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def mistake_of(found):
    """A sentence that is the same for all who made a mistake."""
    sentence = re.sub(r"^\S+?:(?:\d+:)*\s*|^.*likeliest cause: |^right on .*?, but by |\([^()]*\)", "", found["sentence"])
    return re.sub(r"\d[\d,.]*", "N", sentence)
