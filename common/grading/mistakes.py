"""mistakes.py - what went wrong, in words that are the same for all who made that mistake."""
import re
from collections import defaultdict

# What stands before the words that tell a mistake.
BEFORE = re.compile(r"^\S+?:(\d+:)*\s*|^wrong on .*?; (?=likeliest cause)|^.*?likeliest cause: "
                    r"|^right on .*?, but by ")


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
