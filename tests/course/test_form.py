"""test_form.py - the proofs of the lessons' form and terms can pass, and fail.

Depends on: common/proofs/**/*.py tests/course/test_form.py
"""
import tempfile
import unittest
from pathlib import Path

from checks import form, glossary

LESSON = """# 6. Title

A paragraph
of two lines.

| | |
|---|---|
| Time | 40 minutes |
| Needs | [chapter 5](05_name.md), `a \\| b` |
| Afterwards | you can |

## An example by hand

```text
bin  0  1
     2  6
```

## The idea

## What the gaps use

| name | meaning | in use |
|---|---|---|
| `count_one(bins)` | counts, `a \\| b` | `count_one(b)` |
| `atomicAdd(to, value)` | adds | `atomicAdd(&a, 7)` |

## The outline

```text
6.1: count
```

## What to write

## Predict

## Do it

<details><summary>Hint 6.1, the idea</summary>

Count.

</details>

<details><summary>Hint 6.1, the shape</summary>

With one.

</details>

<details><summary>Hint 6.1, the line</summary>

```cuda
count_one(bins); // one
```

</details>

## Run it

```
all is right
```

## The kernel

## What the counters say

## Find the bug

    count_one(bins);
""" + "".join(f"""
**{number}.** What is wrong here?

```cuda
count_two(bins);
```

<details><summary>Answer</summary>

This:

```text
two in place of one
```

</details>
""" for number in range(1, 4)) + """
## When not to use it

Never with two.

## Go further

## Quiz
""" + "".join(f"""
**{number}.** Why?

<details><summary>Answer</summary>

So.

</details>
""" for number in range(1, 7)) + "\n## Where this stands\n\n- A book.\n"


class Form(unittest.TestCase):
    """Of a lesson, whose chapter has one gap."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    SOLUTION = ("// TODO(6.1): Count.\ncount_one(bins); // one\nold_line(bins);\natomicAdd(&bins[1], 1);\n"
                "// end of TODO(6.1)\n")

    def wrong(self, old="", new="", number=6):
        self.assertIn(old, LESSON)
        stub = self.write("stub.cu", "// TODO(6.1): Count.\n// end of TODO(6.1)\n")
        form.excerpts.code.cache_clear()
        return form.wrong(LESSON.replace(old, new, 1), number, stub,
                          [self.write("earlier.cu", "  old_line(bins);\n")],
                          self.write("solution.cu", self.SOLUTION))

    def test_is_that_of_all_lessons(self):
        self.assertEqual([], self.wrong())

    def test_has_a_head_that_says_how_long_it_takes(self):
        self.assertIn("does not begin with `# 7. Title`", self.wrong(number=7)[0])
        for old, new in (("40 minutes", "an hour"), ("| Needs", "| Need"), ("you can", ""),
                         ("| Time | 40 minutes |\n", "")):
            self.assertIn("no table of three rows", self.wrong(old, new)[0], old)
        self.assertEqual(["takes 61 minutes, more than 60"], self.wrong("40", "61"))
        self.assertEqual([], self.wrong("40 minutes", "60 minutes; optional"))
        self.assertEqual(["has no link to an earlier lesson that it needs"],
                         self.wrong("[chapter 5](05_name.md)", "chapter 5"))

    def test_has_headings_in_their_order(self):
        self.assertEqual(["lacks the headings Predict"], self.wrong("## Predict\n", ""))
        self.assertEqual([], self.wrong("## What the counters say\n", ""))
        self.assertIn("of its own: Why", self.wrong("## Predict", "## Why\n\n## Predict")[0])
        self.assertIn("another order", self.wrong("## The kernel\n\n## What the counters say",
                                                  "## What the counters say\n\n## The kernel")[0])
        idea, example = "## The idea\n", "## An example by hand\n"
        self.assertIn("another order", form.wrong_headings(LESSON.replace(idea, "## X\n").replace(
            example, idea).replace("## X\n", example))[0])
        self.assertIn("not the form of a lesson", self.wrong("## What to write", "## Write")[0])

    def test_has_its_parts(self):
        drawn = "```text\nbin  0  1\n     2  6\n```"
        for old, new, sentence in (
                (drawn, "2 and 6", "has an example by hand that is not drawn in text"),
                ("6.1: count\n", "6.1: count\n" * 11, "has no outline of at most 10 lines"),
                ("```text\n6.1: count\n```", "Count.", "has no outline of at most 10 lines"),
                ("| name | meaning | in use |\n|---|---|---|\n", "",
                 "has no table of what the gaps use: name, meaning, in use"),
                ("| `atomicAdd(to, value)` | adds | `atomicAdd(&a, 7)` |\n", "",
                 "does not say what the gaps use: atomicAdd"),
                ("```text\ntwo", "```cuda\ntwo", "has fewer than 3 mistakes with what the verdict says of them"),
                ("**3.** What", "What", "has fewer than 3 mistakes with what the verdict says of them"),
                ("Never with two.", "", "does not say when not to use it"),
                ("```\nall is right\n```", "All is right.", "does not show what a run prints"),
                ("- A book.", "A book.", "has no list of sources")):
            self.assertEqual([sentence], self.wrong(old, new), old)
        self.assertEqual([], self.wrong("6.1: count\n", "6.1: count\n" * 10))

    def test_has_three_hints_for_each_gap(self):
        self.assertEqual(["has no hint 6.1, the shape", "has a hint 6.1, the form, for which there is "
                          "no gap"], self.wrong("the shape", "the form"))
        self.assertEqual(2, len(self.wrong("Hint 6.1, the idea", "Hint 6.2, the idea")))
        self.assertEqual(["has no code of the solution in hint 6.1, the line"],
                         self.wrong("```cuda\ncount_one", "```cuda\ncount_two"))
        self.assertEqual(["has no code of the solution in hint 6.1, the line"],
                         self.wrong("```cuda", "```"))

    def test_gives_nothing_away_before_it_is_asked_for(self):
        away = "gives away a line that fills a gap: count_one(bins);"
        self.assertEqual([away], self.wrong("## Predict", "Write `count_one(bins);` here.\n\n## Predict"))
        self.assertEqual([], self.wrong("## Predict", "Write `old_line(bins);` here.\n\n## Predict"))
        self.assertIn("in hint 6.1, the shape", self.wrong("With one.", "count_one(bins);")[0])

    def test_has_six_questions_with_answers(self):
        self.assertEqual(["has a quiz of 5 questions, not 6: **1.** to **6.**"],
                         self.wrong("**6.** Why?", "Why?"))
        self.assertEqual(["has no folded answer to question 1 of its quiz"],
                         self.wrong("<details><summary>Answer</summary>\n\nSo.", "<details>So."))


class Terms(unittest.TestCase):
    """Of lessons in which terms come up."""

    def wrong(self, term, number, **lessons):
        texts = {int(name[1:]): glossary.lesson_of(text) for name, text in lessons.items()}
        return [sentence.split(": ...")[0] for sentence in glossary.wrong_place(term, number, texts, [0])]

    def test_terms_are_in_italics_where_they_come_first(self):
        first, wrong = "No word of it.", ("Latency", 2)
        self.assertEqual([], self.wrong(*wrong, l1=first, l2="This is *latency*."))
        self.assertEqual([], self.wrong(*wrong, l1=first, l2="Of *latencies\nand more*."))
        for text in "This is latency.", "**latency**", "`*latency*`", "*latencyx*":
            self.assertEqual(["Latency: lesson 2 does not have it in italics"],
                             self.wrong(*wrong, l1=first, l2=text))
        self.assertEqual(["Latency: there is no lesson 2"], self.wrong(*wrong, l1=first))

    def test_terms_come_in_no_earlier_lesson(self):
        known = "*bank conflict*"
        for text in "Bank\nconflicts here.", "a *bank conflict*", "[bank conflicts](2.md)":
            self.assertEqual(["bank conflict: lesson 1 has it, before lesson 2 explains it"],
                             self.wrong("bank conflict", 2, l1=text, l2=known), text)
        for text in ("`bank conflict`", "```\nbank conflict\n```", "## A bank conflict", "bank-conflict",
                     "<summary>A bank conflict</summary>", "x\n## Where this stands\nbank conflicts"):
            self.assertEqual([], self.wrong("bank conflict", 2, l1=text, l2=known), text)
        self.assertEqual([], self.wrong("bank conflict", 2, l0="bank conflict", l2=known))
        self.assertEqual([], self.wrong("flush", 2, l2="It is *flushed*."))
        self.assertEqual([], self.wrong("row", 2, l1="five times in a row", l2="a *row*"))

    def test_terms_are_in_italics_first_where_they_are_introduced(self):
        for text in "five *rows*", "x\n## Where this stands\na *row*":
            self.assertEqual(["row: lesson 1 introduces it, not 2"], self.wrong("row", 2, l1=text, l2="a *row*"))
        self.assertEqual([], self.wrong("row", 2, l1="in *row order*", l2="a *row*"))

    def test_entries_have_one_form(self):
        lessons = {6: glossary.lesson_of("*a b*")}
        entry = "**a b** (chapter 6): What. [Lesson 6](06_shared.md)"
        self.assertEqual(("a b", []), glossary.wrong_entry(entry, lessons))
        for old, new, output in (("chapter 6", "chapter 5", "no lesson 5"), ("What", "A. B. C. D", "more than 3 sentences"),
                               ("06_", "05_", "are not one"), ("Lesson 6", "Lesson 5", "are not one"),
                               (": What", " What", "not of the form")):
            self.assertIn(output, glossary.wrong_entry(entry.replace(old, new), lessons)[1][0])
