"""test_late.py - lateness takes what the lecturer's dates say, and a wrong file of dates is told in one line.

Depends on: common/grading/*.py tests/course/test_late.py
"""
import os
import tempfile
import time
import unittest
from collections import namedtuple
from pathlib import Path

import formats
import late
from points import Graded, Item, Wrong

Chapter = namedtuple("Chapter", "stem number")
SHARED, SWAP = Chapter("06_shared", 6), Chapter("21_compare_and_swap", 21)
ITEMS = [Item("right", 2, "visible"), Item("technique", 3, "visible")]
POLICY = "chapter,due,cutoff,percent,tries\n*,2026-11-02 18:00,2026-11-09,10,best\n21,2026-11-16,2026-11-18,50,last\n"
FULL, HALF = {"right": True, "technique": True}, {"right": True, "technique": False}


class Dates(unittest.TestCase):

    def setUp(self):
        os.environ["TZ"] = "UTC"
        time.tzset()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = Path(self.folder.name, name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def dates(self, policy=POLICY, times=None, names=("ada",), chapters=(SHARED,)):
        return late.Late(self.file("late.csv", policy), times and self.file("times.csv", times), list(names), chapters,
                         {6, 21})

    def counted(self, handed_in, policy=POLICY, chapter=SHARED):
        """The tries that count: {student: (name, days, before, after)}; handed_in is {name: (student, time, finding)}."""
        times = "submission,student,time\n" + "".join(
            f"{name},{student},{when}\n" for name, (student, when, _) in handed_in.items())
        dates = self.dates(policy, times, handed_in, (chapter,))
        for name in handed_in:
            dates.note(name, chapter.stem, 0)
        everybody = [Graded(name, name, {chapter.stem: finding}) for name, (_, _, finding) in handed_in.items()]
        return {student: (one.name, one.days, one.before, one.after)
                for student, tries in dates.students(everybody, ITEMS) for one in tries.values()}

    def one(self, when, **more):
        return self.counted({"ada": ("ada", when, FULL)}, **more)["ada"][1:]

    def test_a_day_that_has_begun_takes_its_percent(self):
        self.assertEqual(self.one("2026-11-02 18:00"), (0, 5, 5))
        self.assertEqual(self.one("2026-11-02 18:00:01"), (1, 5, 4.5))
        self.assertEqual(self.one("2026-11-03 18:00"), (1, 5, 4.5))
        self.assertEqual(self.one("2026-11-04 09:00"), (2, 5, 4))

    def test_after_the_cutoff_nothing_counts_and_a_day_is_until_its_end(self):
        self.assertEqual(self.one("2026-11-09 23:59:59"), (8, 5, 1))
        self.assertEqual(self.one("2026-11-10 00:00"), (8, 5, 0))

    def test_no_more_than_all_is_taken(self):
        self.assertEqual(self.one("2026-11-06 18:00", policy=POLICY.replace(",10,", ",30,")), (4, 5, 0))

    def test_an_offset_counts(self):
        self.assertEqual(self.one("2026-11-02T19:30+02:00"), (0, 5, 5))
        self.assertEqual(self.one("2026-11-02T17:30-02:00"), (1, 5, 4.5))

    def test_of_several_tries_the_best_counts_after_lateness(self):
        tries = {"ada": ("ada", "2026-11-01 10:00", HALF), "ada-2": ("ada", "2026-11-04 10:00", FULL),
                 "ada-3": ("ada", "2026-11-12 10:00", FULL), "ben": ("ben", "2026-11-01 10:00", HALF),
                 "ben-2": ("ben", "2026-11-04 10:00", HALF)}
        self.assertEqual(self.counted(tries), {"ada": ("ada-2", 2, 5, 4), "ben": ("ben", 0, 2, 2)})

    def test_or_the_last_before_the_cutoff(self):
        tries = {"ada": ("ada", "2026-11-15 10:00", FULL), "ada-2": ("ada", "2026-11-17 10:00", HALF),
                 "ada-3": ("ada", "2026-11-19 10:00", FULL), "ben": ("ben", "2026-11-19 10:00", FULL)}
        self.assertEqual(self.counted(tries, chapter=SWAP), {"ada": ("ada-2", 1, 2, 1), "ben": ("ben", 3, 5, 0)})

    def test_without_dates_of_submissions_files_have_them(self):
        dates = self.dates(names=("ada", "zoe"))
        for name, seconds in ("ada", 1793642400), ("zoe", 9e99):  # 2026-11-02 18:00
            dates.note(name, SHARED.stem, seconds)
        self.assertEqual(dates.sentence("ada", SHARED.stem), "Handed in 2026-11-02 18:00, in time.")
        self.assertIn("after the cutoff 2026-11-09 23:59: it does not count", dates.sentence("zoe", SHARED.stem))
        self.assertEqual(dates.sentence("nobody", SHARED.stem), "")

    def test_the_table_has_points_before_and_after(self):
        times = "submission,student,time\nada,=1+1,2026-11-04 09:00\n"
        dates = self.dates(times=times, chapters=(SHARED, SWAP))
        dates.note("ada", SHARED.stem, 0)  # and no file of chapter 21
        graded = Graded("ada", "ada", {SHARED.stem: FULL, SWAP.stem: {"right": False, "technique": False}})
        table = formats.counted_csv(dates.students([graded], ITEMS), (SHARED, SWAP), 10).splitlines()
        self.assertEqual(table[1], "'=1+1,5,4,10,ada,2026-11-04 09:00,2,5,4,,,,0,0")
        self.assertEqual(dates.sentence("ada", SHARED.stem),
                         "Handed in 2026-11-04 09:00, 2 days late: 20% of the points are taken.")

    def wrong(self, *arguments, **more):
        with self.assertRaises(Wrong) as caught:
            self.dates(*arguments, **more)
        sentence = str(caught.exception).replace(self.folder.name + "/", "")
        self.assertNotRegex(sentence, r"[\x00-\x1f\x7f]")
        return sentence

    def test_a_wrong_policy_is_told_in_one_line_with_its_row(self):
        head = POLICY.splitlines()[0] + "\n"
        for row, words in {
                "7,2026-11-02,2026-11-09,10,best": "'7' is no chapter, and * is all that have no row",
                "²,2026-11-02,2026-11-09,10,best": "'²' is no chapter, and * is all that have no row",
                "6,2026-02-30,2026-11-09,10,best": "'2026-02-30' is no date for due: 2026-11-02 18:00 is one",
                "6,0001-01-01 00:00+23:00,2026-11-09,10,best":
                    "'0001-01-01 00:00+23:00' is no date for due: 2026-11-02 18:00 is one",
                "6,2026-11-02,2026-11-01,10,best": "cutoff is before due",
                "6,2026-11-02,2026-11-09,101,best": "'101' is no percent from 0 to 100",
                "6,2026-11-02,2026-11-09,nan,best": "'nan' is no percent from 0 to 100",
                "6,2026-11-02,2026-11-09,10%,best": "'10%' is no percent from 0 to 100",
                "6,2026-11-02,2026-11-09,10,first": "'first' is not best or last, of a student's tries",
                "6,2026-11-02,2026-11-09,10": "has 4 cells; a row is chapter,due,cutoff,percent,tries",
                "\x1b]0;a\x07" + "x" * 99 + ",2026-11-02,2026-11-09,10,best":
                    f"'�]0;a�{'x' * 34}...' is no chapter, and * is all that have no row"}.items():
            self.assertEqual(self.wrong(head + row), f"LATE=late.csv:2: {words}")
        self.assertEqual(self.wrong(POLICY + POLICY.splitlines()[1]), "LATE=late.csv:4: chapter * stands there twice")
        self.assertEqual(self.wrong(head + "21,2026-11-02,2026-11-09,10,best"),
                         "LATE=late.csv: has no row for chapter 6, and none for *")

    def test_what_is_no_table_is_told_too(self):
        for text, words in {
                b"": "late.csv:1: the first row is not chapter,due,cutoff,percent,tries",
                b"chapter;due\n": "late.csv:1: the first row is not chapter,due,cutoff,percent,tries",
                b"\xff\xfe": "late.csv: is no text in UTF-8",
                b"a" * (late.MOST_BYTES + 1): "late.csv: has more than 4,194,304 bytes"}.items():
            self.assertEqual(self.wrong(text), f"LATE={words}")
        self.assertRegex(self.wrong(POLICY + '"'), r"LATE=late\.csv:\d: is no row of a CSV file")
        self.assertRegex(self.wrong(POLICY + "a" * 200_000), r"LATE=late\.csv:\d: is no row of a CSV file: field larger")
        for path in self.folder.name, "/dev/zero":
            with self.assertRaisesRegex(Wrong, "LATE=.*: (Is a directory|is no plain file)"):
                late.Late(path, None, ["ada"], (SHARED,), {6})

    def test_wrong_dates_of_submissions_are_told(self):
        head = "submission,student,time\n"
        for rows, words in {
                "bob,bob,2026-11-02 18:00": ":2: there is no submission 'bob'",
                "ada,ada,2026-11-02": ":2: '2026-11-02' is no date for time, with an hour: 2026-11-02 18:00 is one",
                "ada,,2026-11-02 18:00": ":2: ada has no student",
                "ada,ada,2026-11-02 18:00\nada,ada,2026-11-02 18:00": ":3: ada stands there twice",
                "": ": has no row for the submission 'ada'"}.items():
            self.assertEqual(self.wrong(times=head + rows), f"TIMES=times.csv{words}")

    def test_what_a_spreadsheet_writes_is_read(self):
        text = "\ufeff" + POLICY.replace("\n", "\r\n") + ",,,,\r\n\r\n"
        self.assertEqual(self.one("2026-11-04 09:00", policy=text), (2, 5, 4))
