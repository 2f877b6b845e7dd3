"""formats.py - results for other programs: Gradescope's results.json, JUnit's XML, a CSV file.

results.json is what https://gradescope-autograders.readthedocs.io/en/latest/specs/ asks for.
"""
import csv
import io
import json
import xml.etree.ElementTree as xml

import late
from points import items_for, most, number, printable, says

BEGINS_A_FORMULA = ("=", "+", "-", "@")  # in a spreadsheet


# Gradescope

def results_json(graded, chapters, items, how):
    """The text of results.json."""
    results = {
        "score": graded.points(items, chapters),
        "execution_time": round(sum(found["seconds"] for found in graded.findings.values())),
        "output": f"Judged {how}.",
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [test for chapter in chapters
                  for test in tests_of(graded.findings[chapter.stem], chapter,
                                       items_for(chapter, items))],
    }
    board = [line for chapter in chapters
             for line in leaderboard(graded.findings[chapter.stem], chapter)]
    if board:
        results["leaderboard"] = board
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def tests_of(found, chapter, items):
    """A test for each item; what the judge said stands with the first that is seen and not met."""
    has_message, tests = False, []
    for index, item in enumerate(items, 1):
        met = item.is_met(found)
        tells = not met and not has_message and item.name != "extra"
        has_message |= tells
        tests.append({
            "name": f"chapter {chapter.number}: {item.words}",
            "number": f"{chapter.number}.{index}",
            "score": number(item.weight if met else 0),
            "max_score": number(item.weight),
            "status": "passed" if met else "failed",
            "output": words_for(found, item, met, tells),
            "output_format": "text",
            "visibility": item.visibility,
        })
    return tests


def words_for(found, item, met, tells):
    if item.name == "extra":
        return printable(found["extra_says"] or ("" if met else says(found)))
    if tells:
        return "\n".join(map(printable, found["output"].splitlines() or [found["sentence"]]))
    return says(found) if found["kind"] == "solved" else "" if met else "see above"


def leaderboard(found, chapter):
    """Counters of a kernel that is right: fewer is better."""
    if not found["right"] or not found["no_report"]:
        return []
    return [{"name": f"{chapter.number}: {name}", "value": value, "order": "asc"}
            for name, value in found["costs"].items() if name != "characters"]


# JUnit

def junit_xml(everybody, chapters, items):
    """The text of junit.xml: a suite for each student, a case for each item of a chapter."""
    root = xml.Element("testsuites", name="grades")
    for graded in everybody:
        suite = xml.SubElement(root, "testsuite", name=graded.shown)
        failures = 0
        for chapter in chapters:
            found = graded.findings[chapter.stem]
            for item in items_for(chapter, items):
                failures += not add_case(suite, graded, chapter, item, found)
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(failures))
        suite.set("errors", "0")
        suite.set("skipped", "0")
        suite.set("time", f"{sum(one['seconds'] for one in graded.findings.values()):.2f}")
    root.set("tests", str(sum(int(suite.get("tests")) for suite in root)))
    root.set("failures", str(sum(int(suite.get("failures")) for suite in root)))
    xml.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, "unicode") + "\n"


def add_case(suite, graded, chapter, item, found):
    """Adds a case. Returns whether it is passed."""
    met = item.is_met(found)
    first = not len(suite) or suite[-1].get("classname") != f"{graded.shown}.{chapter.stem}"
    case = xml.SubElement(suite, "testcase", classname=f"{graded.shown}.{chapter.stem}",
                          name=item.name, time=f"{found['seconds'] if first else 0:.2f}")
    if not met:
        message = found["extra_says"] if item.name == "extra" else found["sentence"]
        failure = xml.SubElement(case, "failure", type=found["kind"], message=printable(message))
        if item.name != "extra":
            failure.text = "\n".join(map(printable, found["output"].splitlines()))
    return met


# CSV

def grades_csv(everybody, chapters, items):
    """The text of grades.csv: a row for each student."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    heads = ["name", "points", "of"]
    for chapter in chapters:
        heads += [f"{chapter.number} {item.name}" for item in items_for(chapter, items)]
        heads += [f"{chapter.number} found", f"{chapter.number} says"]
    table.writerow(heads)
    for graded in everybody:
        row = [cell(graded.shown), graded.points(items, chapters), most(items, chapters)]
        for chapter in chapters:
            found = graded.findings[chapter.stem]
            row += [number(item.weight if item.is_met(found) else 0)
                    for item in items_for(chapter, items)]
            row += [found["kind"], cell(says(found))]
        table.writerow(row)
    return text.getvalue()


def counted_csv(students, chapters, best):
    """The text of counted.csv: a row for each student, points before and after lateness."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["student", "before", "after", "of"] + [
        f"{chapter.number} {head}" for chapter in chapters
        for head in ("submission", "handed in", "days late", "before", "after")])
    for student, tries in students:
        row = [cell(student), late.total(tries, "before"), late.total(tries, "after"), best]
        for chapter in chapters:
            one = tries[chapter.stem]
            row += [cell(one.name), late.minute(one.when), one.days, one.before, one.after] if one else [""] * 3 + [0, 0]
        table.writerow(row)
    return text.getvalue()


def cell(text):
    """A text that no spreadsheet takes for a formula."""
    return "'" + text if text.startswith(BEGINS_A_FORMULA) else text
