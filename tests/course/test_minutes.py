"""test_minutes.py - the minutes of a lesson are counted as docs/syllabus.md says, and wrong ones are told.

Depends on: common/reports/minutes.py common/proofs/*.py common/proofs/checks/hours.py tests/course/test_minutes.py
"""
import tempfile
import unittest

import minutes
from checks import hours

LESSON = minutes.Lesson("05_name", words=1604, new=7, known=3, exact=32.02, minutes=30)
PLAN = """| day | chapters | lecture, min | lessons | further | review | sum |
|---:|---|---:|---:|---:|---:|---:|
| 1 | 1, 2 | 90 | 35 | 60 | 30 | 215 |
| 2 | 3 | 90 | 25 | 30 | 0 | 145 |
| **sum** | | **180** | **60** | **90** | **30** | **360** |
"""


class Minutes(unittest.TestCase):

    def test_words_are_those_that_are_read(self):
        self.assertEqual(minutes.words_of("One two, three.\n"), 3)
        for other in ("| Time | 30 minutes: 1 |\n", "```c\nint x;\n```\n", "<details>\nfolded\n</details>\n",
                      "<!-- from docs/results/x.csv -->\n| a | b |\n|---|---|\n| 1 | 2 |\n", "\n## Find the bug\nmore\n"):
            self.assertEqual(minutes.words_of("One two\n" + other), 2, other)

    def test_a_table_that_explains_is_read(self):
        self.assertEqual(minutes.words_of("One\n\n| a | b |\n|---|---|\n"), 3)

    def test_lines_are_those_of_the_gaps(self):
        source = ("int a;\n    // TODO(5.1): Add.\n    a += b; // it adds\n    // a comment\n    {\n    }\n"
                  "    // end of TODO(5.1)\nint c;\n    /* TODO(5.2): Call. */\n    f();\n    /* end of TODO(5.2) */\n")
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            file.write(source)
            file.flush()
            self.assertEqual(list(minutes.lines_of(file.name)), ["a += b;", "f();"])

    def test_lines_that_differ_in_names_are_of_one_kind(self):
        self.assertEqual(minutes.kind_of("atomicAdd(&bins[bin], 1);"), minutes.kind_of("atomicAdd(&of[i],  32);"))
        for other in ("atomicSub(&bins[bin], 1);", "atomicAdd(&bins[bin + 1], 1);", "if (a) atomicAdd(&bins[bin], 1);"):
            self.assertNotEqual(minutes.kind_of("atomicAdd(&bins[bin], 1);"), minutes.kind_of(other))

    def test_a_head_within_a_step_is_right(self):
        self.assertEqual(minutes.time_of(LESSON), "| Time | 30 minutes: 1,600 words to read, 10 lines to write |\n")
        optional = minutes.time_of(LESSON, "; optional ")
        self.assertEqual(optional, "| Time | 30 minutes: 1,600 words to read, 10 lines to write; optional |\n")
        self.assertIsNone(hours.wrong_head(LESSON, optional))
        self.assertEqual(minutes.TIME.search(optional)[1], "; optional ")
        for head in ("30 minutes: 1,600 words to read, 10", "35 minutes: 1,700 words to read, 10"):
            self.assertIsNone(hours.wrong_head(LESSON, f"| Time | {head} lines to write |"), head)

    def test_a_head_that_is_further_off_is_told(self):
        for head in ("25 minutes: 1,600 words to read, 10", "40 minutes: 1,600 words to read, 10",
                     "30 minutes: 1,500 words to read, 10", "30 minutes: 1,600 words to read, 11"):
            self.assertIn("but it takes 32.0 minutes, for 1604 words and 10 lines",
                          hours.wrong_head(LESSON, f"| Time | {head} lines to write |"), head)
        self.assertIn("says no time", hours.wrong_head(LESSON, "| Time | 30 minutes |"))

    def test_a_plan_adds_up(self):
        of_number = {1: 15, 2: 20, 3: 25}
        self.assertEqual(minutes.plan(PLAN, of_number), PLAN)
        self.assertIn("| **180** | **65** | **90** | **30** | **365** |", minutes.plan(PLAN, {**of_number, 3: 30}))
        with_lab = PLAN.replace("review", "lab").replace(" sum |\n", " home | sum |\n")
        self.assertIn("| 1 | 1, 2 | 90 | 35 | 60 | 30 | 65 | 185 |", minutes.plan(with_lab.replace(
            "| 215 |", "| 0 | 0 |").replace("| 145 |", "| 0 | 0 |"), of_number))

    def test_a_list_gets_the_minutes(self):
        row = "| 5 | name | [lesson](docs/05_name.md) | 45 | a copy |"
        self.assertEqual(minutes.listed(row, {"05_name": 30}), row.replace("45", "30"))
        of = LESSON._replace(stem="05_name", minutes=30)
        self.assertEqual([], list(hours.wrong_list(row.replace("45", "30"), [of])))
        self.assertIn("not what the lessons say", list(hours.wrong_list(row, [of]))[0])
        self.assertIn("06_name is not in the list", list(hours.wrong_list(row, [of, of._replace(stem="06_name")]))[0])

    def test_a_wrong_sum_in_a_sentence_is_told(self):
        right = PLAN + "\nWith an exam: 360 + 90 = 450 minutes, or 7 h 30 min.\n"
        self.assertEqual(list(hours.wrong_sums(right)), [])
        for old, new in (("= 450", "= 460"), ("7 h 30", "7 h 40"), ("360 + 90 = 450", "350 + 100 = 450")):
            self.assertEqual(len(list(hours.wrong_sums(right.replace(old, new)))), 1, new)
        self.assertEqual(len(list(hours.wrong_sums(PLAN))), 1)
