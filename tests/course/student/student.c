/* student.c - verdicts that are kept, and how far a student is by them. */
#define _GNU_SOURCE
#include "student.h"

#include "in_folder.h"

static const char stub[] = "// TODO(1.1): Count.\n// end of TODO(1.1)\n",
                  done[] = "// TODO(1.1): Count.\nx++;\n// end of TODO(1.1)\n",
                  half[] = "// TODO(1.1): a\nx++;\n// end of TODO(1.1)\n// TODO(1.2): b\n"
                           "// end of TODO(1.2)\n";
static const char *const first = "chapters/01_first/histogram.cu",
                         *const second = "chapters/02_second/histogram.cu";

static void make_course(void)
{
    enter_folder();
    write_text("common/contract/histogram.h", "\n");
    write_text("common/teach/points.txt", "right 2\nno-report 1\ntechnique 2\n");
    write_text("tests/01_first.c", "\n");
    write_text("tests/02_second.c", "\n");
    write_text("tests/03_third.c", "\n");
    write_text("docs/01_first.md", "# 1. The first\n\n| Time | 20 minutes |\n");
    write_text("docs/02_second.md", "# 2. The second (optional)\n");
    write_text(first, stub);
    write_text(second, stub);
    write_text("chapters/03_third/histogram.cu", stub);
}

/* The words for a chapter, by its place in the course. */
static const char *words_for(size_t place)
{
    const struct course course = course_read("chapters", 5);
    return progress_words(&course.chapters[place]);
}

static unsigned int current(void)
{
    const struct course course = course_read("chapters", 5);
    const struct progress *progress = course_current(&course);
    return progress ? progress->chapter.number : 0;
}

TestSuite(student, .init = make_course);

Test(student, is_at_the_first_chapter_that_is_not_solved)
{
    cr_expect_str_eq(words_for(0), "untouched");
    cr_expect_str_eq(words_for(1), "untouched (optional)");
    cr_expect_eq(current(), 1);
    write_text(first, half);
    cr_expect_str_eq(words_for(0), "in work, 1 of 2 gaps empty");
    write_text(first, done);
    cr_expect_str_eq(words_for(0), "in work, not judged yet");
    record_add(first, 5, OUTCOME_WRONG, "wrong on x");
    cr_expect_str_eq(words_for(0), "in work, wrong");
    record_add(first, 5, OUTCOME_ANOTHER, "9 atomics");
    cr_expect_str_eq(words_for(0), "right, by another technique");
    cr_expect_eq(current(), 1);
    record_add(first, 5, OUTCOME_SOLVED, "5 atomics");
    cr_expect_str_eq(words_for(0), "solved");
    cr_expect_eq(current(), 3); /* 2 is optional */
    write_text(second, half);
    cr_expect_eq(current(), 2);
}

Test(student, has_a_verdict_on_a_text_for_as_long_as_it_stands)
{
    write_text(first, done);
    record_add(first, 5, OUTCOME_SOLVED, "5 atomics");
    write_text(first, half);
    cr_expect_str_eq(words_for(0), "in work, 1 of 2 gaps empty; once solved");
    write_text(first, done);
    cr_expect_str_eq(words_for(0), "solved");
    record_add(first, 26, OUTCOME_WRONG, "wrong on x"); /* with 5 it is solved all the same */
    cr_expect_str_eq(words_for(0), "solved");
    record_add(first, 5, OUTCOME_WRONG, "wrong on y");
    cr_expect_str_eq(words_for(0), "in work, wrong");
}

Test(student, has_what_was_said_kept_once)
{
    write_text(first, done);
    record_add(first, 5, OUTCOME_WRONG, "wrong on x\nand more");
    record_add(first, 5, OUTCOME_WRONG, "wrong on x");
    write_text("chapters/01_first/verdicts.txt",
               format("%snonsense\n", text_of_file("chapters/01_first/verdicts.txt")));
    const struct record record = record_read(first);
    cr_assert_eq(record.count, 1);
    cr_expect_str_eq(record.verdicts[0].message, "wrong on x");
}

Test(student, earns_points_and_spends_minutes)
{
    write_text(first, done);
    write_text(second, done);
    record_add(first, 5, OUTCOME_SOLVED, "");
    record_add(second, 5, OUTCOME_ANOTHER, "");
    const struct course course = course_read("chapters", 5);
    const struct totals totals = course_totals(&course);
    cr_expect(totals.points == 8 && totals.most_points == 15 && totals.solved == 1);
    cr_expect(totals.minutes == 20 && totals.minutes_done == 20);
}

Test(student, may_lack_a_file)
{
    cr_assert(unlink(first) == 0);
    cr_expect_str_eq(words_for(0), "missing: No such file or directory");
    cr_expect_eq(current(), 1);
}
