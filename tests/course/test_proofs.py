"""test_proofs.py - the proofs of make check: each can pass, and fail.

Depends on: common/proofs/**/*.py tests/bare/*.py tests/course/*.[cp]* README.md .clang-format
"""
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import bare
import build
import check
import course
import judge
import proof
import scratch
from checks import (cheats, cross, further, house, layers, lectures, lessons, mutants,
                   packages, programs, replays, right, solutions, stubs, style, uses)
from quotes import claims, excerpts, figures, folded


class InFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def program(self, name, commands):
        path = self.write(name, f"#!/bin/sh\n{commands}\n")
        os.chmod(path, 0o755)
        return path


CODE = "void f()\n{\n    one();\n    if (two)\n        three();\n    four();\n}\n"


class Excerpts(InFolder):
    def wrong(self, lines, code=CODE):
        excerpts.code.cache_clear()
        page = self.write("lesson.md", f"Text.\n\n```cuda\n{lines}```\n\nMore.\n")
        return excerpts.wrong(page, [self.write("code.cu", code)])

    def test_may_be_shifted_as_a_whole(self):
        self.assertEqual([], self.wrong("    one();\n    if (two)\n        three();\n"))
        self.assertEqual([], self.wrong("one();\nif (two)\n    three();\n"))
        self.assertIn("stands nowhere", self.wrong("one();\nif (two)\nthree();\n")[0])

    def test_must_stand_letter_for_letter(self):
        self.assertEqual([], self.wrong("one();\nif (two) \n"))
        self.assertIn("lesson.md:4:", self.wrong("one();\nif (too)\n")[0])
        self.assertTrue(self.wrong("one()\n")[0].endswith(": one()"))
        self.assertEqual(1, len(self.wrong("ne();\n")))

    def test_must_not_leave_out_a_line_without_saying_so(self):
        self.assertEqual(1, len(self.wrong("one();\nfour();\n")))
        self.assertEqual([], self.wrong("one();\n...\nfour();\n"))
        self.assertEqual([], self.wrong("one();\n    // ...\nfour();\n"))
        self.assertEqual(1, len(self.wrong("four();\n...\none();\n")))

    def test_may_begin_with_an_empty_line_and_need_the_right_place_among_several(self):
        code = "a();\nb();\n\na();\nc();\n"
        self.assertEqual([], self.wrong("\na();\nc();\n", code))
        self.assertEqual([], self.wrong("a();\nc();\n", code))
        self.assertEqual(1, len(self.wrong("c();\na();\n", code)))

    def test_of_other_languages_are_not_compared(self):
        page = self.write("lesson.md", "```console\n$ make\n```\n```\nnone\n```\n")
        self.assertEqual([], excerpts.wrong(page, []))

    def test_must_end(self):
        page = self.write("lesson.md", "```c\none();\n")
        self.assertIn("has no end", excerpts.wrong(page, [self.write("c.c", CODE)])[0])


class Compared(InFolder):
    """What a lesson tells of times and rates; nothing of it is in the list."""

    def found(self, text, mark=True):
        data = self.write("some.csv", "ms\n0.127\n0.0467\n")
        page = self.write("lesson.md", "## Times\n\n" + (f"<!-- from {data} -->\nTimes.\n\n" if mark else "") + text)
        return claims.without_source(page)

    def test_has_its_numbers_in_the_files_of_its_section(self):
        self.assertEqual([], self.found("It takes 0.127 ms.\n"))
        self.assertEqual(["lesson: It takes 0.128 ms. [0.128]"], self.found("It takes 0.128 ms.\n"))
        self.assertEqual(["lesson: It is 2.7 times as fast. [2.7]"], self.found("It is 2.7 times as fast.\n"))
        self.assertEqual([], self.found("It is faster. It has 12345 words.\n"))

    def test_may_be_calculated(self):
        self.assertEqual([], self.found("0.127 / 0.0467 = 2.7, so it is 2.7 times as slow.\n"))

    def test_without_a_file_is_told_with_its_numbers(self):
        for sentence, numbers in (("It takes 3 microseconds.", " [3]"), ("It reads 45 GB/s.", " [45]"),
                                  ("It is twice as fast.", ""), ("It takes 13 times that.", " [13]"),
                                  ("It needs 7% more.", " [7]")):
            self.assertEqual([f"lesson: {sentence}{numbers}"], self.found(sentence + "\n", mark=False))
        self.assertEqual([], self.found("Is it twice as fast?\n", mark=False))
        self.assertEqual([], self.found("It has half as many words.\n", mark=False))


class Figures(InFolder):
    def wrong(self, paragraph):
        data = self.write("some.csv", "name,value\nfirst,1048576\nsecond,5.5939\nthird,61\n"
                                      "fourth,67108864\n")
        page = self.write("lesson.md", f"12345 is not looked at.\n\n<!-- from {data} -->\n"
                                       f"{paragraph}\n\nNor is 777.\n")
        return figures.wrong(page)

    def test_may_be_grouped_and_rounded(self):
        self.assertEqual([], self.wrong("1,048,576 and 1048576, 5.59 and 5.6 and 6 GB/s, 61."))
        self.assertEqual([], self.wrong("64 MiB and 1 MiB"))

    def test_that_are_not_in_the_file_are_named(self):
        self.assertIn("lesson.md:4: 1048577 is not", self.wrong("Here are 1,048,577.")[0])
        self.assertIn(" 5.58 ", self.wrong("Here is 5.58.")[0])
        self.assertIn(" 62 ", self.wrong("| table | 62 |")[0])
        self.assertIn("lesson.md:5: 60 is not", self.wrong("Two lines,\nand 60 in the second.")[0])
        self.assertEqual(1, len(self.wrong("65 MiB")))

    def test_are_not_parts_of_names(self):
        self.assertEqual([], self.wrong("On an H200, 32-byte sectors, `BINS=26`, chapter 9, "
                                        "chapters 3, 4 and 5, [61](a7.md)."))

    def test_need_a_file_that_can_be_read(self):
        page = self.write("lesson.md", "<!-- from /no/such.csv -->\n5\n")
        self.assertIn("cannot be read", figures.wrong(page)[0])

    def test_of_several_files_may_stand_in_either(self):
        one, two = self.write("one.csv", "7\n"), self.write("two.csv", "8\n")
        page = self.write("lesson.md", f"<!-- from {one}, {two} -->\n7 and 8\n")
        self.assertEqual([], figures.wrong(page))


class Rows(InFolder):
    """Of a table of claims: each row has the figures of its own file."""

    def wrong(self, measured, verdict="refuted", named="`one.csv`", heads="| Claim | H200 | Verdict | Figures |"):
        self.write("one.csv", "x,1.5\ny,0.25\n")
        page = self.write("page.md", f"{heads}\n|---|---|---|---|\n| 7 times | {measured} | {verdict} | {named} |\n")
        with mock.patch.object(claims, "FOLDER", str(self.folder)):
            return claims.wrong_rows(page)

    def test_have_numbers_of_the_file_that_the_row_names(self):
        self.assertEqual([], self.wrong("1.5 ms and 0.25"))
        self.assertIn("page.md:3: 1.7 is not a number", self.wrong("1.7 ms")[0])
        self.assertIn("cannot be read", self.wrong("1.5", named="`two.csv`")[0])

    def test_or_numbers_that_the_cell_calculates_from_them(self):
        self.assertEqual([], self.wrong("1.5 / 0.25 = 6"))
        self.assertIn(" 7 is not", self.wrong("1.5 / 0.25 = 7")[0])
        self.assertIn(" 3 is not", self.wrong("3 / 0.25 = 12")[0])

    def test_have_a_figure_and_a_verdict(self):
        self.assertIn("no figure", self.wrong("much faster")[0])
        self.assertIn('"true" is no verdict', self.wrong("1.5", "true")[0])

    def test_say_that_nothing_is_measured_where_no_file_is(self):
        self.assertEqual([], self.wrong("not measured", "open", "-"))
        self.assertIn("without a file", self.wrong("about 5", "open", "-")[0])
        self.assertIn("without a file", self.wrong("not measured", "refuted", "-")[0])

    def test_of_other_tables_are_not_looked_at(self):
        self.assertEqual([], self.wrong("9", heads="| Claim | H200 | Verdict | File |"))


class Folded(InFolder):
    """Of the numbers in what is folded, and in the questions."""

    def unknown(self, text, above="", code=""):
        data, kernel = self.write("some.csv", "818682,0.119\n"), self.write("k.cu", code)
        folded.figures.numbers_of.cache_clear()
        lines = (above + "\n## Quiz\n\n" + text).replace("DATA", data).split("\n")
        return [sentence.split(": ")[1].split(" is in no")[0]
                for sentence in folded.wrong("page.md", lines, [kernel])]

    def answer(self, text, **more):
        return self.unknown(f"<details><summary>Answer 77</summary>\n\n{text}\n\n</details>\n", **more)

    def test_stand_in_a_file_that_is_named_above_or_in_the_section(self):
        self.assertEqual(["818682", "0.12"], self.answer("818,682 in 0.12 ms"))
        mark = "<!-- from DATA -->"
        self.assertEqual([], self.answer(f"{mark}\n818,682 in 0.12 ms"))
        self.assertEqual(["0.13"], self.answer(f"{mark}\n818,682\n\nand 0.13 ms"))
        self.assertEqual([], self.answer("818,682", above=f"## Predict\n\n{mark}\n"))

    def test_or_are_calculated(self):
        self.assertEqual(["1280"], self.answer("256 blocks and 5 bins are 1,280"))
        for how in "256 x 5", "256 times 5", "5 × 256", "(250 + 6) x 5", "1,290 - 10":
            self.assertNotIn("1280", self.answer(f"1. {how} is 1,280."), how)
        self.assertEqual([], self.answer("12 / 7 is 1.7, and 1.71 as well"))
        self.assertEqual(["1.72"], self.answer("12 / 7 is 1.72"))
        self.assertEqual([], self.answer("12 / 0 is 1"))

    def test_or_are_small_or_in_the_code_or_quoted(self):
        self.assertEqual([], self.answer("12 of 1,024 or 255, on 26 bins, 64 MiB, `3333`, line 39"))
        self.assertEqual(["13", "1023.5"], self.answer("13 of 1023.5"))
        self.assertEqual([], self.answer("1,000 threads", code="int threads = 1000;"))
        self.assertEqual([], self.answer("It says so: 981.\n\n```\ncounted 981\n```"))
        self.assertEqual(["981"], self.answer("It says so: 981."))

    def test_or_are_sizes_that_the_text_gives_above(self):
        above = "## The idea\n\nThere are 133 multiprocessors, 1,333 and 3.25.\n"
        self.assertEqual(["1333", "3.25"], self.answer("133, 1,333, 3.25", above=above))
        self.assertEqual(["133", "133"], self.answer("133", above="## Predict\n\n<details>133</details>"))

    def test_in_a_question_may_be_round(self):
        self.assertEqual(["14.04", "307"], self.unknown("**13.** 300 blocks, 14.04 ms and 307?\n"))
        self.assertEqual(["300"], self.answer("It had 300 blocks."))

    def test_of_other_pages_are_not_looked_at(self):
        self.assertEqual([], folded.wrong("p.md", ["<details>", "17.5", "</details>"], []))


class Lessons(InFolder):
    def test_say_what_is_quoted_or_what_is_wrong(self):
        code, page = self.write("c.cu", CODE), self.write("page.md", "```c\none();\n```\n")
        self.assertIn("1 excerpts stand in the code, 0 tables", lessons.prove(page, [code])[0])
        page = self.write("page.md", "```c\ntwo();\n```\n<!-- from /no/such -->\n")
        self.assertEqual(2, len(lessons.prove(page, [code])))


class Style(InFolder):
    """Of the prose of lessons: sentences, terms, verbs before their subjects, and passives without one."""
    LONG = "word " * 25 + "end."

    def counts(self, text):
        return list(map(len, style.found(text)))

    def test_counts_sentences_of_more_than_25_words(self):
        self.assertEqual([1, 0, 0, 0], self.counts(self.LONG))
        self.assertEqual([0, 0, 0, 0], self.counts(self.LONG.replace("word ", "", 1)))
        self.assertEqual([1, 0, 0, 0], self.counts("Short one.\n\n1. An item.\n   " + self.LONG + " Short.\n"))
        self.assertEqual([0, 0, 0, 0], self.counts("word " * 23 + "`of code that has words` [one](of/a/link.md)."))
        self.assertEqual([0, 0, 0, 0], self.counts("word " * 20 + "end.\nIt " + "word " * 20 + "ends."))

    def test_counts_in_prose_alone(self):
        for text in (f"# {self.LONG}", f"```text\n{self.LONG}\n```", f"    {self.LONG}", f"<!-- {self.LONG} -->",
                     f"| a |\n|---|\n| {self.LONG} |", f"<summary>{self.LONG}</summary>", f"![{self.LONG}](a.svg)",
                     f"## Where this stands\n\n- {self.LONG}", "`of course`", "[Link](crowd.md)."):
            self.assertEqual([0, 0, 0, 0], self.counts(text + "\n"), text)
        self.assertEqual([1, 0, 0, 0], self.counts(f"<details>\n<summary>A</summary>\n\n{self.LONG}\n\n</details>"))
        self.assertEqual([1, 0, 0, 0], self.counts(f"## Where this stands\n\n{self.LONG}\n\n- {self.LONG}\n"))

    def test_knows_banned_terms_and_inverted_sentences(self):
        self.assertEqual([0, 3, 0, 0], self.counts("Keys crowd, in\nvain. Of course."))
        self.assertEqual([0, 0, 0, 0], self.counts("A metric, a justified line, every kind."))
        for sentence in "Between these are barriers.", "Behind the loop stands a barrier.", "In it lies a word.":
            self.assertEqual([0, 0, 1, 0], self.counts(sentence), sentence)
        for sentence in ("On a GPU that is a wrong count.", "In which bank is the word?", "In it each lane is one.",
                         "On the H200 there are a few.", "In a block the warps are the same.",
                         "After this is done, it ends."):
            self.assertEqual([0, 0, 0, 0], self.counts(sentence), sentence)

    def test_knows_passive_starts(self):
        for sentence in "It was not measured.", "What is left is the fold.", "They are then combined one by one.":
            self.assertEqual([0, 0, 0, 1], self.counts(sentence), sentence)
        for sentence in "The bins are zeroed.", "What is lost?", "It is red.", "They have been here.":
            self.assertEqual([0, 0, 0, 0], self.counts(sentence), sentence)

    def test_a_page_may_have_none(self):
        page = self.write("05_a.md", self.LONG)
        self.assertIn("05_a.md: long sentence (docs/style.md): word", style.prove(page)[0])
        self.assertTrue(style.prove(self.write("05_a.md", "Short."))[0].startswith("ok "))


class WithVerdict(InFolder):
    """A program that stands for `verdict`: leaves entries, prints a line, ends with a status."""

    def verdict(self, status, log="", prints=""):
        self.write("entries", log)
        program = self.program("verdict", f'cat {self.folder}/entries >"$5/test.log"\n'
                                          f"printf '%s\\n' '{prints}'\nexit {status}")
        self.patch("VERDICT", program)
        self.patch("suite_of", "{}/suite".format)

    def patch(self, name, value):
        patched = mock.patch.object(judge, name, value)
        patched.start()
        self.addCleanup(patched.stop)

    def outcome(self, *arguments):
        self.verdict(*arguments)
        return judge.judged(str(self.folder), "source.cu", "06_name")


class Judge(WithVerdict):
    def test_wants_a_failure_that_is_a_judgement(self):
        self.assertIsNone(judge.failure("m", "why", self.outcome(1, "failed counter\n")))
        self.assertIsNone(judge.failure("m", "why", self.outcome(1, "caught racecheck a.cu:3\n")))
        self.assertIn("FAIL m: passes", judge.failure("m", "why", self.outcome(0)))
        for log in "", "failed stopped\n", "input a\nschedules 4\n":
            message = judge.failure("m", "why", self.outcome(1, log, "Killed"))
            self.assertEqual("FAIL m: ends without a judgement: Killed", message)

    def test_reads_a_log(self):
        outcome = self.outcome(1, "input x\ncaught racecheck common/h.cu:3\ncaught racecheck ?\n"
                                  "failed far-end\nseed 3\n", "a b:\n  wrong on x")
        self.assertEqual([("racecheck", [("h.cu", 3)]), ("racecheck", [("?", None)])],
                         outcome.caught)
        self.assertEqual((["far end"], "wrong on x"), (outcome.failed, outcome.message))

    def test_takes_no_log_of_an_earlier_run(self):
        self.outcome(1, "failed counter\n")
        self.program("verdict", "exit 1")
        self.assertEqual([], judge.judged(str(self.folder), "s.cu", "06_name").failed)

    def test_asks_first_what_has_failed_others(self):
        suite = self.program("suite", "[ $1 = --names ] && echo any_x/a && echo c/b && echo c/d")
        experience = judge.Experience()
        self.assertEqual(["c/b", "c/d", "any_x/a"], judge.tests_of(suite, experience))
        experience.add("c/b", 2, False)
        experience.add("any_x/a", 5, True)
        self.assertEqual(["any_x/a", "c/d", "c/b"], judge.tests_of(suite, experience))

    def test_looks_for_a_judgement_until_there_is_one(self):
        suite = self.program("suite", '[ $1 = --names ] && echo c/a && echo c/b && echo c/d && exit\n'
                                      'case $8 in c/a) echo crash; exit 1 ;; c/b) exit 0 ;; esac\n'
                                      'echo "$VERDICT_LOG failed bins"; echo "  wrong on x" >&2; exit 1')
        self.patch("suite_of", lambda folder: suite)
        self.patch("bins_of", lambda folder: "5")
        outcome = judge.any_failure(str(self.folder))
        self.assertEqual((["bins"], "wrong on x"), (outcome.failed, outcome.message))

    def test_wants_exceptions_to_be_needed(self):
        self.assertIn("ok m: passes", cross.line_of("m", "why", self.outcome(0)))
        self.assertIn("FAIL m: should pass", cross.line_of("m", "why", self.outcome(1, "", "bad")))
        self.assertIn("FAIL m: passes", cross.line_of("m", "", self.outcome(0)))
        good = cross.line_of("m", "", self.outcome(1, "failed counter\n", "  5 atomics"))
        self.assertEqual("ok m: another technique; caught by: 5 atomics", good)


class Further(WithVerdict):
    def test_is_passed_by_the_reference_and_its_technique(self):
        praise = "further 6: right on 4 inputs"
        good = self.outcome(0, "", praise + ", and by its technique: 4 atomics")
        self.assertTrue(further.passes("m", 5, good).startswith("ok " + praise))
        self.assertIn("no technique is judged", further.passes("m", 5, self.outcome(0, "", praise)))
        bad = self.outcome(1, "failed bins\n", "  wrong on x")
        self.assertIn("FAIL further m with 26 bins: the reference is refused: wrong on x",
                      further.passes("m", 26, bad))

    def test_refuses_the_plain_solution_for_its_technique_alone(self):
        good = self.outcome(1, "failed counter\n", "  5 atomics")
        self.assertEqual("ok further m: the chapter's own solution is refused: 5 atomics",
                         further.is_refused("m", good))
        self.assertIn("passes, unchanged", further.is_refused("m", self.outcome(0)))
        for log in "failed bins\n", "failed stopped\n", "", "caught racecheck a.cu:3\n":
            self.assertIn("FAIL further m: the chapter's own solution is refused, but not for",
                          further.is_refused("m", self.outcome(1, log, "Killed")))

    def test_needs_a_reference(self):
        with mock.patch.object(course, "source", lambda folder, stem: None):
            self.assertIn("no kernel in solutions/06_name/further",
                          further.proofs_of("06_name")[0].prove()[0])


class Stubs(WithVerdict):
    EMPTY = "// TODO(6.1): Count.\n// end of TODO(6.1)\n"
    SOLVED = "// TODO(6.1): Count.\nx++;\n// end of TODO(6.1)\n"

    def lines(self, stub, solution, gaps=(2, "one\n"), message="not done yet: TODO(6.1) Count.",
              makefile="include ../Makefile\n"):
        stub, solution = self.write("stub.cu", stub), self.write("solution.cu", solution)
        self.write("Makefile", makefile)
        self.verdict(1, "", f"{stub}:1: {message}")
        program = self.program("gaps", 'if [ $2 = --stub ]; then sed "/x++/d" $3; exit; fi\n'
                               f"printf '{gaps[1]}'; exit {gaps[0]}")
        with mock.patch.object(stubs, "GAPS", program):
            return stubs.prove(stub, solution, str(self.folder / "suite"), "06_name")

    def test_that_is_a_solution_with_gaps_is_accepted(self):
        lines = self.lines(self.EMPTY, self.SOLVED)
        self.assertEqual(["ok"] * 4, [line.split()[0] for line in lines])
        self.assertIn("fails with: not done yet", lines[2])

    def test_must_have_the_makefile_of_all(self):
        self.assertIn("is not the line", self.lines(self.EMPTY, self.SOLVED, makefile="test:\n")[3])

    def test_must_be_what_reset_makes_of_the_solution(self):
        self.assertIn("FAIL", self.lines(self.EMPTY.replace(".\n", "!\n"), self.SOLVED)[0])
        self.assertIn("FAIL", self.lines(self.EMPTY, self.SOLVED + "int more;\n")[0])
        self.assertIn("FAIL", self.lines("b\na\n", "a\nb\n")[0])

    def test_must_fail_its_suite_and_say_why(self):
        for message in "", "wrong bins", "not done yet: TODO(7.1) Count.":
            self.assertIn("should say that it is not done yet",
                          self.lines(self.EMPTY, self.SOLVED, message=message)[2])

    def test_must_have_empty_gaps(self):
        self.assertIn("not all of its gaps are empty",
                      self.lines(self.SOLVED, self.SOLVED, gaps=(0, ""))[1])
        self.assertIn("has no end", self.lines(self.EMPTY, self.EMPTY, gaps=(3, "has no end"))[1])


PATCH = """Reason: right, but two threads
count in the same word.
Caught by: racecheck, perhaps initcheck
{}--- solutions/h.cu
+++ b/h.cu
@@ -1,3 +1,4 @@
 one
-two
+zwei
+drei
 three
"""


class Kernels(InFolder):
    """Those of tests/right and tests/cheats: whole files, or patches of a solution."""
    def made(self, name, text):
        solution = self.write("solutions/06_name/h.cu", "/* six */\none\ntwo\nthree\n")
        with mock.patch.object(course, "source", lambda folder, stem: solution):
            return Path(build.kernel_of(self.write(f"right/06_name/{name}", text),
                                        self.folder / "made"))

    def test_may_be_a_patch(self):
        patch = PATCH.format("").replace("@@ -1,3 +1,4 @@\n", "@@ -1,4 +1,5 @@\n /* six */\n")
        made = self.made("what.patch", patch)
        self.assertEqual(("what", "h.cu"), (made.parent.name, made.name))
        self.assertEqual("/* six */\none\nzwei\ndrei\nthree\n", made.read_text())
        gone = self.made("what.patch", patch.replace(" one", " eins"))
        self.assertFalse(gone.exists())
        self.assertIn("does not apply", build.does_not_apply("what.patch")[0])

    def test_may_be_a_whole_file(self):
        made = self.made("other.c", "int x;\r\n")
        self.assertEqual(("other", "h.c", b"int x;\r\n"),
                         (made.parent.name, made.name, made.read_bytes()))

    def test_have_heads_with_the_same_words(self):
        for whole, patch in (("/* Tries: a\n * b.\n * Refused: c\n * BINS=26 */\nint x;\n",
                              "Tries: a\nb.\nRefused: c\nBINS=26\n--- solutions/h.cu\n"),
                             ("/* Style: d.\n * Refused: c */\n",
                              "Style: d.\nRefused: c\n--- solutions/h.cu\n")):
            self.assertEqual(cheats.head_of(whole), cheats.head_of(patch))
            self.assertEqual("c", right.reason_of(patch))
        self.assertEqual(26, cheats.head_of("Tries: a\nRefused: c\nBINS=26\n--- b\n").bins)


class Mutants(WithVerdict):
    def caught(self, log, at="", patch=PATCH):
        source = self.write("h.cu", "one\nzwei\ndrei\nthree\n")
        return mutants.caught_by(patch.format(at), source, self.outcome(1, log))

    def line(self, patch, source):
        one = build.Kernel("06_name/m", "06_name", 5, source, str(self.folder))
        return mutants.prove(one, Path(patch).read_text())[0]

    def test_say_why_in_their_heads(self):
        head = mutants.head_of(PATCH.format("At: one\nBINS=256\nLooks right: so\n"))
        self.assertEqual("right, but two threads count in the same word.", head.reason)
        self.assertEqual(("racecheck", ["racecheck", "initcheck"]), (head.wanted, head.allowed))
        self.assertEqual((["one"], True, 256), (head.places, head.looks_right, head.bins))
        self.assertEqual({2, 3}, mutants.added_lines(PATCH))

    def test_are_caught_at_a_line_that_the_patch_adds(self):
        self.assertEqual(("racecheck at line 2, 3", None),
                         self.caught("caught racecheck x/h.cu:3 h.cu:2 h.cu:4\n"))
        self.assertEqual("but no report names a line that the patch adds",
                         self.caught("caught racecheck h.cu:1 ?\n")[1])
        self.assertIsNone(self.caught("caught racecheck other.cu:2\n")[0])

    def test_or_at_each_line_that_the_head_names(self):
        log = "caught racecheck h.cu:1 h.cu:4\n"
        self.assertEqual(("racecheck at line 1, 4", None), self.caught(log, "At: on\nAt: thr\n"))
        self.assertEqual("but no report names the line zwei", self.caught(log, "At: zwei\n")[1])

    def test_are_caught_by_no_other_check(self):
        self.assertEqual("but caught by memcheck, not by racecheck",
                         self.caught("caught memcheck h.cu:2\n")[1])
        self.assertEqual("but caught by memcheck, not by racecheck",
                         self.caught("caught racecheck h.cu:2\ncaught memcheck h.cu:2\n")[1])
        self.assertEqual("but caught by counter, not by racecheck",
                         self.caught("failed counter\n")[1])
        self.assertIsNone(self.caught("caught initcheck h.cu:2\ncaught racecheck h.cu:2\n")[1])
        self.assertIn("caught by initcheck", self.caught("caught initcheck h.cu:2\n")[1])

    def test_may_be_caught_by_an_assertion(self):
        patch = PATCH.replace("racecheck, perhaps initcheck", "far end")
        self.assertEqual(("far end", None), self.caught("failed far-end\n", patch=patch))
        self.assertIsNone(self.caught("failed bins\nfailed far-end\n", patch=patch)[1])
        self.assertEqual("but caught by bins, not by far end",
                         self.caught("failed bins\n", patch=patch)[1])
        self.assertIn("racecheck", self.caught("caught racecheck h.cu:2\nfailed far-end\n",
                                               patch=patch)[1])
        self.assertIsNone(self.caught("caught memcheck ?\nfailed refusal\n",
                                      patch=patch.replace("far end", "refusal"))[1])

    def test_must_say_by_what(self):
        patch = PATCH.replace("Caught by: racecheck, perhaps initcheck\n", "")
        self.assertIn("does not say by what", self.caught("failed bins\n", patch=patch)[1])

    def test_must_look_right_where_they_say_so(self):
        patch = self.write("m.patch", PATCH.format("Looks right: so\n"))
        source = self.write("h.cu", "one\nzwei\ndrei\nthree\n")
        self.verdict(1, "caught racecheck h.cu:2\n")
        for correct, word in ("yes", "ok"), ("no", "FAIL"):
            self.program("row", f'[ $SIM_CHECKS = none ] && echo "1,{correct},2" >"$4"')
            line = self.line(patch, source)
            self.assertTrue(line.startswith(f"{word} mutant 06_name/m: "), line)

    def test_that_only_the_chapters_own_tests_see_are_shown_those_first(self):
        patch = self.write("m.patch", PATCH.format("").replace("racecheck,", "counter,"))
        self.patch("suite_of", "{}/suite".format)
        self.patch("bins_of", lambda folder: "5")
        self.program("suite", '[ $1 = --names ] && echo any_one/a && echo chapter06/b && exit\n'
                             'echo $8 >>$0.ran; [ $8 = chapter06/b ] || exit 0\n'
                             'echo "$VERDICT_LOG failed counter"; echo "  5 atomics" >&2; exit 1')
        line = self.line(patch, patch)
        self.assertIn("caught by counter", line)
        self.assertEqual("chapter06/b\n", (self.folder / "suite.ran").read_text())

    def test_must_fail(self):
        patch = self.write("m.patch", PATCH.format(""))
        self.verdict(0)
        line = self.line(patch, patch)
        self.assertIn("FAIL mutant 06_name/m: passes the suite, but must not: right, but", line)


class Replays(InFolder):
    """What a lesson quotes of a replay, which is a program that prints its text and two steps."""

    def failures(self, quoted):
        block, = replays.BLOCK.findall(f"Text.\n\n```text\n{quoted}```\n\nMore.\n")
        source = self.program("input", 'echo "$TEXT $SIZE" >"$1"; cat $INPUT </dev/null >>"$1"')
        story = self.program("replay", 'cat "$1"; echo " *  1. reads"; echo " *  2. writes"')
        with mock.patch.object(build, "INPUT", SimpleNamespace(path=source)):
            lines = replays.prove_block("docs/02_a.md", block, story, str(self.folder / "text"))
            return [line for line in lines if line.startswith("FAIL")]

    def test_are_quoted_as_they_print(self):
        command = "$ make chapter2 replay TEXT=single SIZE=64\n"
        self.assertEqual([], self.failures(command + "single 64\n *  1. reads\n *  2. writes\n"))
        self.assertEqual([], self.failures(command + "...\n *  2. writes\n" + command +
                                           "single 64\n...\n"))
        text = f"{self.folder}/two"
        self.assertEqual([], self.failures(f"$ printf 'a b\\n' >{text}\n"
                                           f"$ make chapter2 replay INPUT={text}\n...\na b\n"))

    def test_are_quoted_with_nothing_else(self):
        command = "$ make chapter2 replay SIZE=8\n"
        self.assertIn("does not print:  *  2. writes 1",
                      self.failures(command + " *  1. reads\n *  2. writes 1\n")[0])
        self.assertTrue(self.failures(command + " 8\n *  2. writes\n"))
        self.assertTrue(self.failures(command + "...\n"))
        self.assertTrue(self.failures(command + " 8\n$ make chapter2 test\n"))


class Solutions(InFolder):
    def test_refuse_with_an_error_that_the_source_announces(self):
        source = self.write("c.cu", '#if BINS > 26\n#error "too many bins"\n#endif\n')
        self.assertEqual("too many bins", course.refusal(source, 256))
        self.assertIsNone(course.refusal(source, 26))
        self.assertIsNone(course.refusal(self.write("d.cu", '#include "no/file"\n'), 256))

    def test_have_verdicts(self):
        self.assertIn("ok chapter 6: right", solutions.judged("n", "chapter 6: right on 9\n", None))
        self.assertIn("FAIL", solutions.judged("n", "  wrong on x\n", None))
        self.assertIn("FAIL", solutions.judged("n", "", None))
        refuses = "chapter 7, 256 bins: refuses, and says: too many\n"
        self.assertIn("ok", solutions.judged("n", refuses, "too many"))
        self.assertIn("FAIL", solutions.judged("n", refuses, "too few"))
        self.assertIn("FAIL", solutions.judged("n", refuses, None))

    def test_are_right_and_unsuspected_with_all_seeds(self):
        fine = 'echo "6,yes,5" >"$4"'
        for commands, message in ((fine, "ok 06_name: right with 20 seeds"),
                               (f"{fine}; [ $SIM_SEED != 13 ] || echo race",
                                "with seed 13: status 0, right: race"),
                               (f"{fine}; exit 3", "with seed 1: status 3"),
                               ('echo "6,no,5" >"$4"', "wrong bins")):
            row = self.program("row", commands)
            self.assertIn(message, solutions.prove_seeds("06_name", row)[0])


class Layout(InFolder):
    def test_names_a_file_that_clang_format_would_change(self):
        command = house.formatter()
        if not command:
            self.skipTest("clang-format 14 is not installed")
        self.write(".clang-format", Path(".clang-format").read_text())
        good, bad = self.write("good.c", "int x;\n"), self.write("bad.c", "int   x;\n")
        self.assertEqual([bad], house.unformatted(command, [good, bad]))
        self.assertIn("ok 1 files", house.prove_layout([good])[0])
        self.assertIn("FAIL", house.prove_layout([bad])[0])

    def test_says_where_nothing_is_checked(self):
        with mock.patch.object(house, "formatter", return_value=None):
            self.assertTrue(house.prove_layout(["x"])[0].startswith("not checked"))


class Scripts(InFolder):
    def test_print_lines_or_a_sum(self):
        self.assertEqual(["ok a", "ok b"], programs.lines_of("s", 0, "ok a\nnoise\nok b\n"))
        self.assertEqual(["ok s: 12 passed, 0 failed"],
                         programs.lines_of("s", 0, "noise\n12 passed, 0 failed\n"))
        for status, printed in ((1, "1 passed, 2 failed\n"), (0, "0 passed, 0 failed\n"),
                                (0, "noise\n"), (0, ""), (-9, "ok a\n"), (1, "FAIL a\n")):
            self.assertIn("FAIL", programs.lines_of("s", status, printed)[-1])

    def test_name_what_they_depend_on(self):
        script = self.write("s.py", '"""\nDepends on: common/proofs/*.py\n"""\n')
        self.assertIn("common/proofs/check.py", programs.dependencies(script))
        self.assertNotIn("Makefile", programs.dependencies(script))
        everything = programs.dependencies(self.write("t.py", ""))
        for path in "Makefile", "tests/exceptions.txt", "common/proofs/checks/house.py":
            self.assertIn(path, everything)


class House(InFolder):
    def test_has_one_language_in_a_room(self):
        self.assertEqual([], house.mixed(["a/x.c", "a/x.h", "a/y.cu", "a/x.gp", "b/z.py"]))
        self.assertEqual(["a: C and shell side by side"], house.mixed(["a/x.c", "a/y.sh"]))
        self.assertEqual(1, len(house.mixed(["a/x.py", "a/y.mk"])))
        self.assertEqual(1, len(house.mixed(["a/x.c", "a/y.awk"])))
        self.assertEqual(1, len(house.mixed(["a/x.c", "a/simcc"])))
        self.assertEqual([], house.mixed(["common/sim/sim.h", "common/sim/simcc"]))

    def test_has_no_twins(self):
        self.assertEqual([], house.twins(["a/x.c", "a/x.h", "b/y.c", "b/x.mk"]))
        self.assertEqual(["x stands twice: in a and b"], house.twins(["a/x.c", "b/x.h"]))
        self.assertEqual([], house.twins(["common/contracts/reduce/cases.c", "common/contracts/many/cases.c",
                                          "common/judge/cases.h"]))
        self.assertEqual(["x stands twice: in common/contracts/reduce and common/judge"],
                         house.twins(["common/contracts/reduce/x.c", "common/judge/x.h"]))
        self.assertEqual([], house.twins(["common/proofs/checks/x.py", "b/x.c"]))
        self.assertEqual(["x stands twice: in b and common/proofs/checks"],
                         house.twins(["common/proofs/checks/x.py", "b/x.py"]))
        self.assertEqual([], house.twins([house.CUDA_HEADERS[0] + "/x.h", "b/x.h"]))

    def known(self, name, text):
        return [line.split(":")[1] for line in house.chapters_known([self.write(name, text)])]

    def test_knows_no_chapter(self):
        for lines, name, text in (
                (["1", "3"], "x.c", 'f("06_shared");\nint a;\n"%s chapter 5";\n'),
                (["2"], "x.mk", "# make chapter5 test\na := 01_one # chapter 1\nb := 1# 02_b\n"),
                (["4"], "x.py", '"""chapter 5\n"""\nif a:  # chapter 5\n    b = "chapter5"\n'),
                ([], "x.c", '/* chapter 5 */ uint16_t a; // 06_shared\n"chapter %d";\n')):
            self.assertEqual(lines, self.known(name, text), text)
        self.assertEqual([], self.known("x.py", 'def f():\n    """Of 06_shared."""\n    return 1\n'))
        self.assertEqual(["1"], self.known("x.sh", "case $stem in 03_*) ;; esac\n"))

    def test_has_plain_rules(self):
        self.assertEqual([], house.hard_to_read([self.write("long.mk", "x\n" * 1000)]))
        for line in "x" * 101, "$(eval a := b)", "define rule":
            wrong = house.hard_to_read([self.write("M", line + "\n")])
            self.assertEqual(1, len(wrong), line)
        self.assertEqual([], house.hard_to_read([self.write("M", "# evaluates, defines\n")]))


class Layers(InFolder):
    def symbols(self, *files):
        """What symbols_of says of ((folder, file, C), ...)."""
        for room, name, text in files:
            source = self.write(f"{room}/{name}.c", text)
            subprocess.run([*shlex.split(course.CC), "-c", source, "-o", f"{source[:-2]}.o"], check=True)
        return layers.symbols_of(layers.objects_of(self.folder))

    def test_call_nothing_to_their_right(self):
        for caller, called in (("machine", "engine"), ("engine/waiting", "engine")):
            symbols = self.symbols((caller, "early", "void late(void); void early(void) { late(); }"),
                                   (called, "late", "void late(void) {}"))
            self.assertIn((caller, "early", "late", called), layers.wrong_calls(*symbols, layers.outside()))

    def test_call_each_other_in_no_circle(self):
        symbols = self.symbols(("engine", "a", "void b(void); void a(void) { b(); }"),
                               ("engine", "b", "void c(void); void b(void) { c(); }"),
                               ("engine", "c", "void b(void); void c(void) { b(); }"))
        self.assertEqual(["b", "c", "b"], layers.circle(*symbols, "engine"))

    def test_include_nothing_to_their_right_and_no_private_header(self):
        for room, header in (("machine", "engine/engine.h"), ("machine", "base/table.h"),
                             ("checks/order", "checks/shadow.h"), ("device", "engine/waiting/waiting.h")):
            wrong = layers.wrong_includes(room, [("planted.c", f'#include "{header}"\n')])
            self.assertEqual([("planted.c", header)], wrong)
        self.assertEqual([], layers.wrong_includes("machine", [("a.c", '#include "base/base.h"\n#include "machine/own.h"\n')]))


class Uses(InFolder):
    def test_headers_of_no_room_that_is_closed(self):
        homes = {f"{name}.h": {name} for name in ("contract", "judge", "tools")}
        homes["reduce.h"] = {"tools", "contract"}
        for wrong, room, included in ((0, "judge", "contract.h"), (0, "judge", "unknown.h"),
                                      (0, "contract", "contract.h"), (0, "judge", "reduce.h"),
                                      (1, "judge", "tools.h"), (1, "sandbox", "parts/tools.h"),
                                      (1, "contract", "../judge/judge.h")):
            path = self.write("a.c", f' # include "{included}"\n#include <stdio.h>\n')
            self.assertEqual(wrong, len(uses.headers_used([(room, path)], homes)), included)

    def compiled(self, name, text, *options):
        source = self.write(name + ".c", text)
        subprocess.run([course.CC, source, "-o", source[:-2] + ("" if not options else ".o"), *options],
                       check=True)
        return source[:-2]

    def test_nothing_of_the_judge_in_the_process_of_a_kernel(self):
        for place, text in (("contracts/x/verify", "int right(void) { return 1; }"),
                            ("contracts/x/kernel", "int call(void) { return 1; }"),
                            ("judge/cases", "int drawn(void) { return 1; }")):
            self.compiled(f"build/common/{place}", text, "-c")
        begin = "int call(void) { return 1; } int main(void) { return call(); }"
        with mock.patch.object(course, "BUILD", str(self.folder / "build")):
            self.assertEqual([], uses.judges_half(self.compiled("good", begin)))
            wrong = uses.judges_half(self.compiled("bad", begin + " int right(void) { return 0; }"))
        self.assertIn("has right of verify, which is the judge's", wrong[0])


class Packages(InFolder):
    GIVES = {"cc": "compilers", "<a*.h>": "of-a", "sh": "base", "ls": "base", "-lz": "zlib", "git": "git"}

    def test_are_of_what_sh_runs(self):
        for wanted, text in (
                ("one two", "one a | two b"), ("one", 'x=$(one "a; two")'), ("one", "if ! one; then :; fi"),
                ("one two", "env -u A B=c one && exec two"), ("sudo apt-get", "sudo apt-get install x"),
                ("one", "f() { one; }\nf it's\n"), ("one", "# don't\none 'two; three' # four; five"),
                ("one", "case $x in a | b) one ;; c*) echo two ;; esac"), ("one", 'echo "$(one | "$two")"'),
                ("one", "cat() { one; } <<E\nthree; four\nE\n"), ("one", "a=(two three)\n[[ $a ]] || one"),
                ("timeout one", "timeout 5 one two"), ("one", "command -v one >/dev/null"), ("", "$a/one b")):
            self.assertEqual(set(wanted.split()) - {"env"}, packages.programs_of_shell(text) - {"env"}, text)

    def test_are_of_what_make_runs(self):
        self.assertEqual({"one", "two", "three"}, packages.programs_of_make(
            "A := $(shell one | two)\n# four\nb: c ; three $(call five,$@)\n\t@$(D) six $$x\nd: e\n"))

    def test_are_of_what_c_and_python_run(self):
        self.assertEqual({"one", "two", "three", "four"}, packages.programs_of_c(
            'popen("one -a | " "two"); execlp("three", "b");\nchar *words[] = {"four", "-c"};\n'))
        self.assertEqual({"one", "two"}, packages.programs_of_python(
            'import subprocess, shutil\nsubprocess.run(["one", "-a"])\nshutil.which("two")\n'))

    def test_have_a_word_on_a_page(self):
        def wrong(name, text, pages, more=""):
            return packages.wrong([self.write(name, text)], self.GIVES, pages, more)
        self.assertEqual([], wrong("x.c", "#include <abc.h>\n", "Install of-a, then"))
        self.assertIn("<abc.h>, of of-a: README.md", wrong("x.c", "#include <abc.h>\n", "of-ab, no-of-a")[0])
        self.assertIn("uses <b.h>: tests/bare", wrong("x.c", "# include <b.h>\n", "b")[0])
        self.assertIn("uses new: tests/bare", wrong("x.sh", "#!/bin/sh\nls | new\n", "")[0])
        self.assertIn("uses -lq: tests/bare", wrong("x.mk", "a: ; ls -lq -lz\n", "zlib")[0])
        self.assertIn("uses git, of git", wrong("x.py", "import shutil\nshutil.which('git')\n", "digit")[0])
        with mock.patch.object(packages, "of_authors", lambda path: True):
            self.assertEqual([], wrong("x.sh", "#!/bin/sh\ngit log\n", "", "or git"))
            self.assertIn("nor .ci/run", wrong("x.sh", "#!/bin/sh\ngit log\n", "git")[0])

    def test_are_used(self):
        files = [self.write("x.sh", "#!/bin/bash\nls\n")]
        self.assertEqual(["tests/bare/packages.txt: zlib: nothing uses -lz"],
                         packages.unused(files, {"ls": "base", "tr": "base", "-lz": "zlib"}))


class Lectures(unittest.TestCase):
    PAGE = "## Lecture 1: A\n\n{}\n## Lecture 2: B\n\n| 1, 2 | no plan |\n| 90 | all |\n| **90** | |\n"

    def wrong(self, plan):
        return lectures.wrong_plans(self.PAGE.format(plan))

    def test_a_plan_adds_up(self):
        self.assertEqual(self.wrong("| 60 | one |\n| 30 | two |\n| **90** | |\n"), [])

    def test_a_plan_of_other_minutes_or_without_a_sum_is_told(self):
        for plan in ("| 60 | one |\n| 25 | two |\n| **90** | |\n", "| 90 | one |\n",
                     "| 90 | one |\n| **85** | |\n", ""):
            self.assertEqual([line.split(" has ")[0] for line in self.wrong(plan)],
                             ["the plan of Lecture 1"])


    def test_a_chapter_with_too_few_mistakes_for_tutors_is_told(self):
        row = "| A | `Race reported` | What is read? |\n"
        for rows, count in ((row * 3, None), (row * 2, 2), (row * 2 + row.replace("?", "."), 2),
                            (row * 2 + row.replace("`", ""), 2)):
            lines = lectures.wrong_tutors((1, 2), f"## Chapter 1: A\n\n{rows}\n## Chapter 2: B\n\n{row * 3}")
            self.assertEqual([line.split(" with ")[0] for line in lines],
                             [f"chapter 1 has {count} mistakes"] if count else [])


class Labs(unittest.TestCase):
    SHEET = ("## Worksheet 1: A\n\n**Chapters.** 2 and 15, solved.\n\n1. **100 minutes.** One.\n\n"
             "       make chapter2 chapter15 run\n\n2. **20 minutes.** Two.\n\n"
             "| right | 15 | all |\n| why | 5 | a reason |\n| **sum** | **20** | |\n")

    def test_a_worksheet_adds_up(self):
        self.assertEqual([*lectures.wrong_sheets(self.SHEET)], [])

    def test_what_does_not_add_up_or_is_not_needed_is_told(self):
        for old, new, message in (("100 min", "90 min", "its steps take 110 minutes, not 120"),
                               ("| 15 |", "| 14 |", "its points are 19, and a sum of 20 is asked for"),
                               ("**20**", "**25**", "its points are 20, and a sum of 20 is asked for"),
                               ("2 and 15", "2", "chapter15 is run, and not among its chapters")):
            self.assertEqual([*lectures.wrong_sheets(self.SHEET.replace(old, new))], [f"worksheet 1: {message}"])


class BareSystems(unittest.TestCase):
    def test_install_what_the_page_says(self):
        first, known = bare.variants("With `cage` installed as well: `sudo apt-get install -y one two-dev && make`"
                                     ", later `apt-get install -y lib-mpi mpi-bin`.")
        self.assertEqual(("one", "two-dev"), first)
        self.assertEqual(((), ("cage",), ("lib-mpi", "mpi-bin", "python3"), ("cage", "lib-mpi", "mpi-bin", "python3")),
                         tuple(known[letter].packages for letter in "abch"))

    def test_are_judged_by_what_their_programs_say(self):
        for wanted, step, status, message in (
                ((1, 0, ""), bare.Step("make"), 0, "x\n"),
                ((0, 1, "status 2"), bare.Step("make"), 2, "x\n"),
                ((7, 0, ""), bare.Step("make"), 0, "a, 5 bins: 3 passed, 0 failed\nb: 4 passed, 0 failed\n"),
                ((3, 1, "1 failed"), bare.Step("make"), 0, "a: 3 passed, 1 failed\n"),
                ((9, 0, ""), bare.Step("make"), 0, "a: 3 passed, 0 failed\n9 passed, 0 failed\n"),
                ((9, 1, "status 2"), bare.Step("make"), 2, "9 passed, 0 failed\n"),
                ((1, 0, ""), bare.Step("make", says=("needs",), status=2), 2, "it needs\n"),
                ((0, 1, "does not say: needs"), bare.Step("make", says=("needs",)), 0, "it\n")):
            self.assertEqual(wanted, bare.judged(step, status, message))


class Overdue(unittest.TestCase):
    """A process that waits for ever is ended, by its mark, and no other."""

    def test_ends_what_runs_too_long(self):
        marked = {**os.environ, proof.MARK: "this test"}
        with subprocess.Popen(["sleep", "61"], env=marked) as one, \
                subprocess.Popen(["sleep", "62"], env={**marked, proof.MARK: "another"}) as other:
            self.assertEqual(proof.end_overdue(60, f"{proof.MARK}=this test".encode()), [])
            self.assertEqual(proof.end_overdue(-1, f"{proof.MARK}=this test".encode()), ["sleep 61"])
            self.assertEqual(one.wait(), -9)
            self.assertIsNone(other.poll())
            other.kill()


class Scratch(unittest.TestCase):
    """A make in the course's own folder would wait for ever for the lock of the make that proves; one in a
    copy has a lock of its own to take."""

    def test_keeps_the_lock_of_its_own_folder(self):
        with mock.patch.dict(os.environ, {"LOCKED": "1", "WATCHED": "2"}):
            self.assertEqual("1", scratch.environment(os.getcwd()).get("LOCKED"))
            for elsewhere in ("/tmp", ""):
                self.assertNotIn("LOCKED", scratch.environment(elsewhere))
            self.assertNotIn("WATCHED", scratch.environment(os.getcwd()))


class Store(InFolder):
    """What is kept, and what is proved anew."""

    def setUp(self):
        super().setUp()
        self.runs, self.lines = 0, ["ok fine"]
        self.broken, self.file = {}, self.write("input", "one")

    def prove(self):
        self.runs += 1
        return self.lines

    def runs_after(self, knows="", name="a/b", builds=()):
        proof.hash_of_file.cache_clear()
        one = proof.Proof("kind", name, self.prove, (self.file,), builds, knows)
        with mock.patch.object(course, "BUILD", str(self.folder)):
            self.result, self.seconds = proof.result(one, self.broken), proof.seconds(one)
        return self.runs

    def test_proves_what_has_not_changed_once(self):
        self.assertEqual([1, 1], [self.runs_after(), self.runs_after()])
        self.assertEqual((["ok fine"], self.seconds), self.result)

    def test_proves_anew_what_has_changed(self):
        self.runs_after()
        self.write("input", "two")
        self.assertEqual(2, self.runs_after())
        self.assertEqual(3, self.runs_after(knows="other"))
        self.assertEqual(4, self.runs_after(knows="other", name="c"))
        os.remove(self.file)
        self.assertEqual(5, self.runs_after(knows="other", name="c"))

    def test_keeps_no_failure_and_no_remark(self):
        for lines in ["FAIL so"], ["ok one", "FAIL two"], ["not checked"], []:
            self.runs, self.lines = 0, lines
            self.assertEqual([1, 2], [self.runs_after(), self.runs_after()])

    def test_proves_nothing_without_its_programs(self):
        self.broken = {"t": "error: ;"}
        self.assertEqual(0, self.runs_after(builds=(proof.Target("solution", 5, "t"),)))
        self.assertEqual(["FAIL kind a/b: t cannot be built: error: ;"], self.result.lines)

    def test_takes_an_exception_for_a_failure(self):
        self.lines = None
        self.runs_after()
        self.assertIn("FAIL kind a/b: TypeError", self.result.lines[0])

    def test_depends_on_the_modules_of_the_proof(self):
        sources = [Path(path).name for path in proof.sources_of(mutants)]
        self.assertEqual({"mutants.py", "judge.py", "course.py", "build.py"},
                         set(sources))
        self.assertIn("mutants.py", [Path(path).name for path in proof.sources_of(lessons)])
        one = lessons.proof_of("README.md")
        self.assertIs(lessons, proof.module_of(one.prove))
        before = proof.key_of(one)
        with mock.patch.object(proof, "sources_of", lambda module: [self.file]):
            self.assertNotEqual(before, proof.key_of(one))


KIND = """
from proof import Proof

def broken():
    raise OSError("gone")

def proofs():
    said = {"a/one": ["ok a"], "b/one": ["FAIL b", "ok c"], "b/two": ["not checked: d"]}
    return [Proof("some", name, lambda lines=lines: lines) for name, lines in said.items()] + [
        Proof("some", "c", broken)]
"""


class Check(InFolder):
    """Of pytest with the proofs of one kind, in a folder of its own."""

    def check(self, *arguments):
        for name in ("conftest.py", "pytest.ini", "build.py", "course.py", "judge.py", "proof.py",
                     "check.py"):
            self.write(f"common/proofs/{name}", Path("common/proofs", name).read_text())
        self.write("common/proofs/checks/some.py", KIND)
        return subprocess.run([sys.executable, "-B", "-c", "import sys, pinned; pinned.use = str; "
                               "import check; sys.exit(check.main(sys.argv[1:]))", *arguments],
                              text=True, capture_output=True, env=course.environment(
                                  PYTHONPATH=f"{self.folder}/common/proofs:common/packages"))

    def test_adds_up_and_names_failures_again(self):
        done = self.check()
        lines = done.stdout.splitlines()
        self.assertEqual({"ok a", "FAIL b", "ok c", "not checked: d",
                          "FAIL some c: OSError: gone"}, set(lines[:5]))
        self.assertEqual(["", "What failed:", "FAIL b", "FAIL some c: OSError: gone"],
                         [lines[5], lines[6], *sorted(lines[7:9])])
        self.assertEqual((1, "1 passed, 2 failed"), (done.returncode, lines[-1]))

    def test_selects_by_kind_and_name(self):
        for words, last in ((["some", "a/one"], "1 passed, 0 failed"), (["-k", "one"], "1 passed, 1 failed"),
                            (["some", "-k", "two"], "0 passed, 0 failed"),
                            (["-k=not b and not (c and not a)"], "1 passed, 0 failed")):
            self.assertEqual(last, self.check(*words).stdout.splitlines()[-1], words)
        done = self.check("typo")
        self.assertIn("there is no kind of proof typo; there are some", done.stderr + done.stdout)
        self.assertEqual(2, done.returncode)
        done = self.check("some", "typo")
        self.assertIn("no proof is called so", done.stdout)
        self.assertTrue(done.returncode)

    def test_leaves_each_proof_that_takes_long_to_one_of_the_shares(self):
        many = ('        Proof("some", "c", broken)]', '        *(Proof("some", f"m{i}", lambda i=i: [f"ok m{i}"],'
                ' guess=1 + i % 9) for i in range(20)), Proof("some", "q", lambda: ["ok quick"])]')
        with mock.patch(f"{__name__}.KIND", KIND.replace(*many)):
            shares = [self.check(f"--share={share}/3").stdout.splitlines() for share in range(3)]
            proved = [[int(line[4:]) for line in lines if line.startswith("ok m")] for lines in shares]
            self.assertEqual([f"share {share}/3 of the proofs that take long: {len(proved[share])} of 20 some"
                              for share in range(3)], [lines[0] for lines in shares])
            self.assertEqual([*range(20)], sorted(sum(proved, [])))
            loads = [sum(1 + number % 9 for number in share) for share in proved]
            self.assertLessEqual(max(loads) - min(loads), 1, "the shares take as long as each other")
            self.assertEqual([1, 1, 1], [lines.count("ok quick") for lines in shares])
            for wrong in ("3/3", "1", "1/0", "-1/3", "a/b"):
                done = self.check(f"--share={wrong}")
                self.assertIn(f"--share={wrong}: K/N is wanted", done.stderr + done.stdout)
                self.assertTrue(done.returncode)
        few = self.check("--share=0/3").stdout.splitlines()
        self.assertEqual("1 passed, 2 failed", few[-1])

    def test_says_in_one_line_that_there_is_no_pytest(self):
        def missing(what):
            raise check.pinned.Missing(f"{what} needs a network")
        with mock.patch.object(check.pinned, "use", missing), mock.patch("builtins.print") as printed:
            self.assertEqual(1, check.main([]))
        printed.assert_called_once_with("left out: all proofs, which pytest runs: make check needs a "
                                        "network\n0 passed, 1 failed")

    def test_names_what_make_cannot_build_and_quotes_the_compiler(self):
        message = ("b/m/one/h.cu:1: error: no ;\nmake: *** [v.mk:3: b/m/one/kernel.o] Error 1\n"
                "b/m/two/h.cu:7: error: no }\nmake: *** [v.mk:3: b/m/two/kernel.o] Error 1\n"
                "make: Target 'b/m/two/test' not remade because of errors.\n")
        paths = ["b/m/one/test", "b/m/two/test", "b/m/three/test"]
        self.assertEqual({paths[0]: "b/m/one/h.cu:1: error: no ;",
                          paths[1]: "b/m/two/h.cu:7: error: no }"}, build.failures(message, paths))
        message = "v.mk:7: *** missing separator.  Stop.\n"
        self.assertEqual({path: message.strip() for path in paths}, build.failures(message, paths))
