/* lesson.c - what programs read in a lesson. */
#define _GNU_SOURCE
#include "lesson.h"

#include "costs.h"
#include "in_folder.h"
#include "predictions.h"

static const char page[] =
    "# 5. Private copies (optional)\n\nIt begins.\n\n| | |\n|---|---|\n| Time | 30 minutes |\n"
    "| Afterwards | you can [copy](x.md) |\n\n## Predict\n\nThe text is long.\n\n"
    "1. How many [loads](y.md), and how\n   many sectors?\n   <!-- count: loads = blocks x 2 -->\n"
    "2. Why?\n\n<details><summary>Answers</summary>\n\n1. Some.\n   <!-- count: sectors = 4 in "
    "uniform-256 -->\n2. So.\n\n</details>\n\n## Afterwards\n\n### Go further\n\n<!-- from x -->\n"
    "Leave *room* between\nthe [copies](z.md).\n\nMore.\n\n### Hints\n\n"
    "<details><summary>Hint 5.1, the idea</summary>\n\nThink.\n\n</details>\n"
    "<details>\n<summary>Hint 5.1, the shape</summary>\n\n```cuda\nx++;\n```\n\n</details>\n"
    "<details><summary>Hint 5.2, the colour</summary>\n\nNo step.\n\n</details>\n";

static struct lesson lesson;

static void read_page(void)
{
    enter_folder();
    write_text("05_name.md", page);
    cr_assert(lesson_read(&lesson, "05_name.md"));
}

TestSuite(lesson, .init = read_page);

Test(lesson, says_at_its_head_what_it_is)
{
    cr_expect_str_eq(lesson.title, "Private copies (optional)");
    cr_expect(lesson.optional && lesson.minutes == 30);
    cr_expect_str_eq(trimmed(lesson.afterwards, lesson.afterwards + strlen(lesson.afterwards)),
                     "you can copy");
    cr_expect_str_eq(lesson_paragraph(&lesson, "Go further"), "Leave *room* between the copies.");
    cr_expect_null(lesson_paragraph(&lesson, "Quiz"));
}

Test(lesson, has_hints_in_three_steps)
{
    cr_assert_eq(lesson.hint_count, 2);
    const struct hint *shape = lesson_hint(&lesson, 5, 1, 1);
    cr_assert(shape && shape->last - shape->first == 3);
    cr_expect_str_eq(lesson.lines[shape->first + 1], "x++;");
    cr_expect_null(lesson_hint(&lesson, 5, 1, 2));
    cr_expect_null(lesson_hint(&lesson, 5, 2, 0));
}

Test(lesson, asks_for_each_number_of_a_question)
{
    const struct questions questions = questions_of(&lesson);
    cr_assert(questions.count == 2 && questions.answered && questions.wrong_line == 0);
    cr_expect_str_eq(questions.begin, "The text is long.");
    const struct question *first = &questions.all[0];
    cr_expect_str_eq(first->words, "How many loads, and how many sectors?");
    cr_assert_eq(first->count_count, 2);
    cr_expect_str_eq(first->counts[0].label, "loads");
    cr_expect_str_eq(first->counts[0].sum, "blocks x 2");
    cr_expect(first->counts[1].bins == 256 && strcmp(first->counts[1].text, "uniform") == 0);
    cr_expect_str_eq(first->counts[1].sum, "4");
    cr_expect_eq(questions.all[1].count_count, 0);
}

Test(lesson, tells_of_a_comment_that_counts_nothing)
{
    write_text("bad.md", "# 1. a\n\n## Predict\n\n1. How many?\n   <!-- count: loads -->\n");
    cr_assert(lesson_read(&lesson, "bad.md"));
    cr_expect_eq(questions_of(&lesson).wrong_line, 6);
    write_text("bad.md", "## Predict\n\n1. How many?\n   <!-- count: a = b in uniform-0 -->\n");
    cr_assert(lesson_read(&lesson, "bad.md"));
    cr_expect_eq(questions_of(&lesson).wrong_line, 4);
}

/* Of this course; the tests above are about a page of their own. */
Test(lessons, have_counts_that_can_be_read)
{
    static struct lesson each;
    size_t asked = 0;
    for (char **file = matches("docs/[0-9]*_*.md"); *file; file++) {
        cr_assert(lesson_read(&each, *file), "%s", *file);
        const struct questions questions = questions_of(&each);
        cr_expect(questions.count > 0 && questions.answered && questions.wrong_line == 0, "%s:%zu",
                  *file, questions.wrong_line);
        for (size_t i = 0; i < questions.count; i++)
            for (size_t j = 0; j < questions.all[i].count_count; j++) {
                const struct question_count *count = &questions.all[i].counts[j];
                double value;
                asked++;
                cr_expect(is_of_kernel(count->sum) ||
                              expression_value(count->sum, NULL, NULL, &value),
                          "%s: %s", *file, count->sum);
            }
    }
    cr_expect_gt(asked, 100);
}
