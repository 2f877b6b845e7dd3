"""hours.py - proves that each lesson says how long it takes, as common/reports/minutes.py counts it, and that what is
added up of it is right.

Small changes of a lesson need no other numbers: its minutes and its words may be off by one step of rounding. No lesson
takes more than an hour, without rounding. The lists of lessons and the plans of the syllabus follow from the minutes, and
the sums in its sentences from the plans.
"""
import re
from pathlib import Path

import course
import minutes
from proof import Proof, lines_of

PRINTED = re.compile(r"^\| Time \| (\d+) minutes: ([\d,]+) words to read, (\d+) lines to write(?:;[^|\n]*| )\|$", re.MULTILINE)
SUM = re.compile(r"((?:[\d,]+\s\+\s)+[\d,]+)\s=\s([\d,]+)\s+minutes,\s+or\s(\d+) h (\d+) min")
MOST = 60  # minutes of a lesson
AGAIN = "python3 -B common/reports/minutes.py --write"


def number(text):
    return int(text.replace(",", ""))


def wrong_head(lesson, text):
    """What is wrong with what a lesson says of its time, or None."""
    stated = PRINTED.search(text)
    if not stated:
        return "says no time, or other things than minutes, words and lines"
    time, words, lines = map(number, stated.groups())
    if abs(time - lesson.exact) > minutes.STEP or abs(words - lesson.words) > minutes.ROUND \
            or lines != lesson.new + lesson.known:
        return (f"says {time} minutes, {words} words, {lines} lines; but it takes {lesson.exact:.1f} minutes, for "
                f"{lesson.words} words and {lesson.new + lesson.known} lines: {AGAIN}")
    if lesson.exact > MOST:
        return f"takes {lesson.exact:.1f} minutes: fold what can be read later, or cut it in two steps with a verdict each"
    return None


def prove_heads():
    found = minutes.lessons()
    wrong = [f"docs/{one.stem}.md: {words}" for one in found
             if (words := wrong_head(one, Path(f"docs/{one.stem}.md").read_text()))]
    longest = max(one.minutes for one in found)
    return lines_of(f"{len(found)} lessons take as long as they say, the longest {longest} minutes", wrong)


def wrong_sums(text):
    """Sentences about sums of the syllabus that are wrong, and plans whose sum no sentence goes on with."""
    sums = [number(table.group().rpartition("**")[0].rpartition("**")[2]) for table in minutes.PLAN.finditer(text)]
    found = SUM.findall(" ".join(text.split("\n")))
    for terms, stated, hours, rest in found:
        right = sum(map(number, terms.split(" + ")))
        if right != number(stated) or right != 60 * int(hours) + int(rest):
            yield f"{terms} = {stated} minutes, or {hours} h {rest} min: it is {right}"
    begun = [number(terms.split(" + ")[0]) for terms, *_ in found]
    if begun != sums or not sums:
        yield f"the plans take {sums} minutes, and the sentences below them begin with {begun}"


def heads_of_lessons():
    """The Lessons with the minutes that they say now."""
    return [lesson._replace(minutes=int(PRINTED.search(Path(f"docs/{lesson.stem}.md").read_text()).group(1)))
            for lesson in minutes.lessons()]


def wrong_list(text, stated):
    """A sentence for each lesson that a list leaves out, and where it gives one other minutes."""
    stems = {row[1] for row in minutes.LISTED.findall(text)}
    yield from (f"{one.stem} is not in the list" for one in stated if one.stem not in stems)
    if minutes.listed(text, {one.stem: one.minutes for one in stated}) != text:
        yield f"its minutes are not what the lessons say: {AGAIN}"


def prove_lists():
    stated = heads_of_lessons()
    wrong = [f"{path}: {words}" for path in minutes.LISTS for words in wrong_list(Path(path).read_text(), stated)]
    return lines_of(f"{' and '.join(minutes.LISTS)}: {len(stated)} lessons, with their minutes", wrong)


def prove_sums():
    text, stated = Path(minutes.SYLLABUS).read_text(), heads_of_lessons()
    wrong = [] if minutes.syllabus(text, stated) == text else [f"its plans are not what the lessons say: {AGAIN}"]
    wrong += wrong_sums(text)
    return lines_of(f"{len(minutes.PLAN.findall(text))} plans add up", wrong, f"{minutes.SYLLABUS}: ")


def proofs():
    lessons = course.files("docs/[0-9]*_*.md")
    reads = ("common/reports/minutes.py", *lessons, *course.files("solutions/*/*.c*"))
    return [Proof("hours", "lessons", prove_heads, reads=reads),
            Proof("hours", "lists", prove_lists, reads=(*reads, *minutes.LISTS)),
            Proof("hours", "syllabus", prove_sums, reads=(*reads, minutes.SYLLABUS))]
