"""test_alike.py - a submission that was copied is found, also with other names; one of somebody's own is not.

Depends on: common/grading/*.py tests/course/test_alike.py solutions/06_*/*.cu tests/right/06_*/*.cu
"""
import re
import unittest
from collections import namedtuple
from pathlib import Path

import alike
import course

Chapter = namedtuple("Chapter", "stem number file")
SHARED = Chapter("06_shared", 6, "histogram.cu")
SOLUTION = Path("solutions/06_shared/histogram.cu").read_text()
STUB = alike.stub_of(Path(), SHARED, course.LADDER)


def right(name):
    """A kernel of somebody else's."""
    return Path(f"tests/right/06_shared/{name}.cu").read_text()


def renamed(text):
    """Other names, numbers, comments and lines."""
    text = re.sub(r"//.*", "", text)
    for name, other in (("shared_bins", "mine"), ("thread", "t"), ("threads", "all"), ("i", "position"), ("bin", "b")):
        text = re.sub(rf"\b{name}\b", other, text)
    return text.replace("256", "512").replace(" {\n", "\n{ // so\n")


def pairs(**texts):
    return [(one, other) for _, one, other, *_ in alike.pairs(texts, STUB)]


class Alike(unittest.TestCase):
    def test_a_copy(self):
        self.assertEqual([("ada", "bob")], pairs(ada=SOLUTION, bob=SOLUTION.replace("    ", "\t"),
                                                 eve=right("dynamic_shared")))

    def test_a_copy_with_other_names(self):
        self.assertNotEqual(SOLUTION, renamed(SOLUTION))
        self.assertEqual([("ada", "bob")], pairs(ada=SOLUTION, bob=renamed(SOLUTION), eve=right("atomic_ref")))

    def test_a_part_is_found_in_the_lines_where_it_is(self):
        (share, _, _, lines, others), = alike.pairs({"ada": SOLUTION, "bob": "\n" * 100 + SOLUTION}, STUB)
        self.assertEqual((1, others), (share, [line + 100 for line in lines]))

    def test_work_of_ones_own(self):
        own = ("atomic_ref", "cuda_by_example", "dynamic_shared", "early_exits_that_are_right", "one_warp_syncwarp")
        self.assertEqual([], pairs(**{name: right(name) for name in own}))

    def test_the_stub_alone(self):
        self.assertEqual([], pairs(ada=STUB, bob=STUB))

    def test_what_a_whole_class_has(self):
        self.assertEqual([], pairs(**{f"student{i}": SOLUTION for i in range(12)}))

    def test_what_was_handed_in_to_take_long(self):
        self.assertEqual([], pairs(ada="/*" * 500000, bob='"\\' * 500000, eve="'\\" * 500000, joe="x" * 1000000))

    def test_the_page(self):
        page = alike.alike_page({"06_shared": {"<ada>": SOLUTION, "bob": SOLUTION}}, [SHARED], Path(), course.LADDER)
        self.assertIn("<td>&lt;ada&gt;</td>", page)
        self.assertIn("100%", page)
        self.assertIn("None.", alike.alike_page({}, [SHARED], Path(), course.LADDER))
