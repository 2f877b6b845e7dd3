"""test_catalogs.py - the check of translations finds what is missing, stale or wrong, and nothing else.

Depends on: common/book/catalogs.py tests/course/test_catalogs.py
"""
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import catalogs

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def entry(english, translated, flag=""):
    return f'{flag}msgid "{english}"\nmsgstr "{translated}"\n\n'


class Wrong(unittest.TestCase):
    """What a translation has to leave as it is."""

    def test_keeps_figures_code_and_links(self):
        self.assertEqual([], catalogs.wrong("In `a[i]` are 1,280 of 5.", "Von 5 sind 1,280 in `a[i]`.", False))
        self.assertEqual([], catalogs.wrong("[a](06_b.md#c): 1.2 ms", "1.2 ms: [x](06_b.md#c)", False))

    def test_finds_another_figure(self):
        self.assertIn("1,280 is missing", catalogs.wrong("1,280 of 5", "1,281 von 5", False)[0])
        self.assertIn("1.280 is new", catalogs.wrong("1,280 of 5", "1.280 von 5", False)[0])
        self.assertIn("5 is missing", catalogs.wrong("5 of 5", "5 von allen", False)[0])

    def test_finds_other_code(self):
        self.assertIn("`bin`", catalogs.wrong("`bins` is `a`", "`bin` ist `a`", False)[0])

    def test_finds_another_link(self):
        self.assertEqual(1, len(catalogs.wrong("[a](six.md)", "[a](seven.md)", False)))
        self.assertEqual(1, len(catalogs.wrong("![a](six.svg)", "[a]", False)))

    def test_finds_other_conversions(self):
        for translated in ("%u: %s", "%s", "%s: %s: %s", "%1$s: %1$u", "%2$s: %1$u", "%s: %d"):
            self.assertTrue(catalogs.wrong("%s: %u", translated, True), translated)
        for translated in ("%s - %u", "%2$u: %1$s", "%s %lu", "%1$s, %2$zu"):
            self.assertFalse(catalogs.wrong("%s: %u", translated, True), translated)

    def test_lets_a_plural_go(self):
        self.assertEqual([], catalogs.wrong("%u byte%s of %s", "%1$u Bytes von %3$s", True))
        self.assertTrue(catalogs.wrong("%u byte%s of %s", "%1$u Bytes%2$s", True))


class Sources(unittest.TestCase):
    """Whether the programs still say a sentence."""

    def output(self, sentence, *texts):
        with mock.patch.object(catalogs, "literals", lambda: texts):
            return catalogs.is_printed(sentence)

    def test_finds_it_whole_and_in_parts(self):
        self.assertTrue(self.output("%s: not done yet: %s", "%s:%u: not done yet: TODO %s\n"))
        self.assertTrue(self.output("read by %s", "read\n by %s"))
        self.assertTrue(self.output("%s, %s", "anything"))

    def test_misses_what_nobody_says_any_more(self):
        self.assertFalse(self.output("%s: not made yet", "%s: not done yet"))
        self.assertFalse(self.output("a thread reads it twice", "a thread\nreads it\ntwice"))
        self.assertFalse(self.output("one, %s and two", "one", "two"))


class Compared(unittest.TestCase):
    """A catalog beside its lesson."""

    def compared(self, text, units):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "05_name.po")
            path.write_text(HEAD + text)
            with mock.patch.object(catalogs, "units", lambda name, ladder: units):
                return catalogs.compared(path, "ladder")

    def test_sorts_its_entries(self):
        text = entry("one", "eins") + entry("two", "") + entry("three", "drei", "#, fuzzy\n") + entry("old", "alt")
        self.assertEqual((["one"], ["two", "three", "four"], ["old"]),
                         self.compared(text, ["one", "two", "three", "four"]))

    def test_refuses_what_is_no_catalog(self):
        with self.assertRaises(ValueError):
            self.compared("this is none\n", [])


class Update(unittest.TestCase):
    """A catalog that is renewed."""

    def test_keeps_and_marks(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(catalogs, "LOCALE", Path(folder)):
            path = catalogs.path_of("de", "05_name")
            for units in (["The block has counted all bins.", "Two."],
                          ["The block has counted all its bins.", "Two.", "New."]):
                with mock.patch.object(catalogs, "units", lambda name, ladder, units=units: units):
                    catalogs.update("de", "05_name", "ladder")
                if units[-1] == "Two.":
                    path.write_text(path.read_text().replace('msgstr ""\n\nmsgid "Two."\nmsgstr ""',
                                                             'msgstr "Der Block."\n\nmsgid "Two."\nmsgstr "Zwei."'))
            renewed = catalogs.read(path)
            self.assertEqual({"Two.": "Zwei."}, catalogs.entries(renewed))
            self.assertTrue(renewed.get("The block has counted all its bins.").fuzzy)
            self.assertEqual("", renewed.get("New.").string)
