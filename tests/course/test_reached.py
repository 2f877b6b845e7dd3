"""test_reached.py - what reached.py makes of what gcov says.

Depends on: tests/course/reached.py tests/course/test_reached.py common/proofs/*.py
"""
import pytest

import reached

SOURCE = """__global__ void kernel(int n)
{
    for (int i = 0; i < n && n < 9; i++)
        count(i);
    if (n > 5) {
        CHECK(free(n));
    }
}
"""


def line(number, count, *sides):
    branches = [{"count": taken, "throw": False} for side in sides for taken in side]
    return {"line_number": number, "count": count, "branches": branches}


def output(*lines):
    return {"files": [{"file": "kernel.cu", "lines": list(lines)}]}


@pytest.fixture
def chapter(tmp_path):
    source = tmp_path / "kernel.cu"
    source.write_text(SOURCE)
    return reached.Reached(source)


def missed(chapter, *instances):
    for lines in instances:
        chapter.add(output(*lines), "kernel.cu")
    return chapter.missed()


def test_a_line_that_no_kernel_reaches_is_missed(chapter):
    assert missed(chapter, [line(4, 0), line(5, 2)], [line(4, 0), line(5, 1)]) == [(4, "line")]


def test_a_line_that_one_operation_reaches_is_reached(chapter):
    assert missed(chapter, [line(4, 0)], [line(4, 7)]) == []


def test_a_side_that_is_never_taken_is_missed(chapter):
    assert missed(chapter, [line(5, 3, (3, 0))]) == [(5, "side")]


def test_two_operations_may_take_a_side_each(chapter):
    assert missed(chapter, [line(5, 3, (3, 0))], [line(5, 1, (0, 1))]) == []


def test_each_of_two_conditions_has_two_sides(chapter):
    assert missed(chapter, [line(3, 5, (4, 1), (4, 0))]) == [(3, "side")]


def test_copies_of_a_line_are_taken_together(chapter):
    assert missed(chapter, [line(5, 5, (4, 0), (0, 1))]) == []


def test_a_copy_that_is_not_entered_says_nothing(chapter):
    assert missed(chapter, [line(5, 0, (0, 0))], [line(5, 2, (1, 1))]) == []


def test_what_begins_a_kernel_is_generated(chapter):
    assert missed(chapter, [line(2, 0, (0, 0))]) == []


def test_a_row_excuses_a_block_with_all_that_is_in_it(chapter):
    rows, needed = [("06_x", "block", "if (n > 5)", "why")], set()
    missed(chapter, [line(5, 3, (0, 3)), line(6, 0), line(7, 0)])
    assert list(reached.findings("06_x", chapter, rows, needed)) == []
    assert needed == set(rows)


def test_a_row_of_another_chapter_excuses_nothing(chapter):
    missed(chapter, [line(6, 0)])
    wrong = list(reached.findings("06_x", chapter, [("07_y", "line", "CHECK", "why")], set()))
    assert wrong == ["FAIL 06_x: line 6 is not reached by the judge's cases: CHECK(free(n));"]


def test_counters_lie_in_a_section_of_their_own():
    assembly = "\t.local\t__gcov0.f\n\t.comm\t__gcov0.f,24,16\n\t.local\tother\n\t.comm\tother,8,8\n"
    moved = reached.branch_addresses(assembly)
    assert moved.count(".pushsection reached") == 2 and "__gcov0.f:\n\t.zero 24" in moved
    assert "\t.local\tother\n\t.comm\tother,8,8\n" in moved


def test_what_an_atomic_asks_is_no_branch():
    asked = "(__builtin_constant_p(__v) && (__v) == 1 ? (unsigned int)ONE : 0u)"
    assert "?" not in reached.without_questions(asked)
    assert "?" not in reached.without_questions("(__builtin_constant_p(__c) ? (unsigned int)C : 0u)")


def test_what_chance_decides_may_be_missed(chapter):
    rows, needed = [("05", reached.CHANCE, "n > 5", "it depends")], set()
    missed(chapter, [line(5, 3, (3, 0))])
    assert list(reached.findings("05", chapter, rows, needed)) == []
    assert len(list(reached.findings("06", chapter, rows, needed))) == 1
