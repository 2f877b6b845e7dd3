"""webpages.py - a page for each student, and one for the class: self-contained, light and dark."""
import os
import re
from collections import defaultdict
from html import escape
from urllib.parse import quote

import late
from points import items_for, most, number, points_of, says

STYLE = """
:root { color-scheme: light dark; --good: #1a7f37; --bad: #b3261e; --line: #8886; --bar: #4a78c8 }
@media (prefers-color-scheme: dark) { :root { --good: #57c072; --bad: #ff8a80; --bar: #7aa5f0 } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } th, td { padding: .25rem .7rem; text-align: left;
  border-bottom: 1px solid var(--line); vertical-align: top } td.n, th.n { text-align: right }
pre { white-space: pre-wrap; padding: .7rem; border: 1px solid var(--line); border-radius: 6px }
.good { color: var(--good) } .bad { color: var(--bad) } rect { fill: var(--bar) }
svg text { fill: currentColor; font-size: 12px } .names { font-size: .85rem }
"""
LATER = {"after_due_date": "shown after the due date", "after_published": "shown later",
         "hidden": None}
NAMED = 12  # names beside a mistake
# What stands before the words that tell a mistake.
BEFORE = re.compile(r"^\S+?:(\d+:)*\s*|^wrong on .*?; (?=likeliest cause)|^.*?likeliest cause: "
                    r"|^right on .*?, but by ")


def page(title, body):
    return ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width\">"
            f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n"
            f"<body>\n<h1>{escape(title)}</h1>\n{body}</body></html>\n")


def row(cells, tag="td"):
    """Cells are HTML; a number stands to the right."""
    return "<tr>" + "".join(f'<{tag} class="n">{cell}</{tag}>' if isinstance(cell, (int, float))
                            else f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>\n"


# A student sees what is visible, and no points of what is not.

def student_page(graded, chapters, items, dates):
    seen = [item for item in items if item.visibility == "visible"]
    points = number(sum(points_of(graded.findings[chapter.stem], seen) for chapter in chapters))
    body = f"<p>{points} of {most(seen, chapters)} points.</p>\n"
    body += "".join(f"<p>{escape(item.words)}: {LATER[item.visibility]}.</p>\n" for item in items
                    if LATER.get(item.visibility))
    return page(graded.shown, body + "".join(
        section(graded.findings[chapter.stem], chapter, items_for(chapter, seen),
                dates.sentence(graded.name, chapter.stem) if dates else "")
        for chapter in chapters))


def section(found, chapter, items, handed_in):
    rows = "".join(row([mark(item.is_met(found)), escape(item.words),
                        number(item.weight if item.is_met(found) else 0),
                        f"of {number(item.weight)}"]) for item in items)
    costs = "".join(row([escape(name), f"{value:,}"]) for name, value in found["costs"].items())
    more = found["output"].partition("\n")[2]
    return (f"<h2>Chapter {chapter.number}, {escape(chapter.stem.partition('_')[2])}</h2>\n"
            f"<table>{rows}</table>\n<p>{escape(says(found))}</p>\n"
            + (f"<p>{escape(handed_in)}</p>\n" if handed_in else "")
            + (f"<pre>{escape(more)}</pre>\n" if more else "")
            + (f"<h3>Counters</h3><table>{costs}</table>\n" if costs and found["right"] else ""))


def mark(met):
    color, word, sign = ("good", "yes", "✓") if met else ("bad", "no", "✗")
    return f'<span class="{color}" role="img" aria-label="{word}">{sign}</span>'


# The class.

def class_page(everybody, chapters, items, how, dates):
    all_points = [graded.points(items, chapters) for graded in everybody]
    best = most(items, chapters)
    mean = sum(all_points) / len(all_points)
    body = (f"<p>{len(everybody)} submissions, mean {mean:.2f} of {best} points. "
            f"Judged {escape(how)}.</p>\n<h2>Distribution</h2>\n{bars(all_points, best)}\n")
    body += "<h2>Most frequent mistakes</h2>\n" + mistakes(everybody, chapters)
    body += "<h2>Everybody</h2>\n<table>" + row(
        ["name", "points", *(f"chapter {chapter.number}" for chapter in chapters)], "th")
    body += "".join(row([link(graded), graded.points(items, chapters), *(
        summary(graded.findings[chapter.stem], items) for chapter in chapters)])
        for graded in everybody)
    body += "</table>\n"
    return page("Grades", body + (by_dates(dates.students(everybody, items), chapters) if dates else ""))


def by_dates(students, chapters):
    """Points before and after lateness, with the tries that count."""
    rows = row(["student", "before", "after", *(f"chapter {chapter.number}" for chapter in chapters)], "th")
    for student, tries in students:
        rows += row([escape(student), late.total(tries, "before"), late.total(tries, "after"),
                     *(dated(tries[chapter.stem]) for chapter in chapters)])
    return f"<h2>By dates</h2>\n<table>{rows}</table>\n"


def dated(tried):
    if not tried:
        return "nothing handed in"
    when = f"{tried.days} days late" if tried.counts and tried.days else "in time" if tried.counts else "after the cutoff"
    return f"{tried.before} → {tried.after}, {escape(tried.name)}, {when}"


def link(graded):
    return f'<a href="{quote(os.fsencode(graded.place))}/index.html">{escape(graded.shown)}</a>'


def summary(found, items):
    color = "good" if found["kind"] == "solved" else "bad"
    return (f'<span class="{color}">{number(points_of(found, items))}</span> '
            f"{escape(found['kind'])}")


def bars(values, best):
    """How many have so many points: ten bars at most, whole points where these are fewer."""
    count = int(best) if 1 <= best <= 10 and best == int(best) else 10
    tallies = [0] * (count + 1)
    for value in values:
        tallies[int(value * count / best + 1e-9)] += 1
    width, height, highest = 56, 120, max(tallies)
    drawn = ""
    for index, tally in enumerate(tallies):
        tall = round(height * tally / highest)
        x = index * width
        drawn += (f'<rect x="{x + 6}" y="{20 + height - tall}" width="{width - 12}" '
                  f'height="{tall}"/>'
                  f'<text x="{x + width // 2}" y="{14 + height - tall}" text-anchor="middle">'
                  f'{tally or ""}</text>'
                  f'<text x="{x + width // 2}" y="{height + 36}" text-anchor="middle">'
                  f'{number(round(index * best / count, 2))}</text>')
    words = ", ".join(f"{tally} with {number(round(index * best / count, 2))} or more"
                      for index, tally in enumerate(tallies) if tally)
    return (f'<svg role="img" aria-label="{words}" width="{width * (count + 1)}" '
            f'height="{height + 44}">{drawn}</svg>')


# What went wrong, in words that are the same for all who made that mistake.

def mistake_of(finding):
    """A sentence without this kernel's own numbers and names, or None when nothing is wrong."""
    if finding["kind"] == "solved":
        return None
    sentence = finding["sentence"]
    cause = re.search(r"likeliest cause: (.*)", finding["output"])
    if finding["kind"] in ("wrong", "stopped") and cause:
        sentence = cause[1]
    if finding["kind"] == "missing":
        sentence = sentence.partition(";")[0]
    for _ in range(3):
        sentence = BEFORE.sub("", sentence)
    if finding["kind"] == "compile":
        sentence = "does not compile: " + re.sub(r"[‘'`].*?[’']", "…", sentence)
    if finding["kind"] == "technique":
        sentence = sentence.partition(";")[0]
    sentence = re.sub(r" on [\d,]+ characters? of \w+ text| \([^()]*\)", "", sentence)
    sentence = re.sub(r"\bline \d+", "a line", sentence)
    sentence = re.sub(r"(?<![\w(.-])\d[\d,]*", "N", re.sub(r"\bin a line while", "while", sentence))
    return sentence.strip()


def most_frequent(graded, chapters):
    """[(chapter, mistake, [names])], the most frequent first."""
    found = defaultdict(list)
    for one in graded:
        for chapter in chapters:
            mistake = mistake_of(one.findings[chapter.stem])
            if mistake:
                found[chapter.number, mistake].append(one.shown)
    return sorted(((chapter, mistake, names) for (chapter, mistake), names in found.items()),
                  key=lambda row: (-len(row[2]), row[0], row[1]))


def mistakes(everybody, chapters):
    rows = ""
    for number_of_chapter, mistake, names in most_frequent(everybody, chapters):
        named = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more"
                                            if len(names) > NAMED else "")
        rows += row([len(names), number_of_chapter, escape(mistake),
                     f'<span class="names">{escape(named)}</span>'])
    return f"<table>{row(['how many', 'chapter', 'mistake', 'who'], 'th')}{rows}</table>\n" \
        if rows else "<p>None.</p>\n"
