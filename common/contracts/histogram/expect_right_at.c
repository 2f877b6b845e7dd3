/* expect_right_at.c - what suites say of a text, as the judge of any input has it. */
#include "harness.h"

void expect_right_at(const char *what, const unsigned char *text, size_t length,
                     size_t misalignment)
{
    const struct input input = input_of_text(what, text, length, misalignment);
    judge_input(&input, SCHEDULES, true);
}

void expect_right_once_at(const char *what, const unsigned char *text, size_t length,
                          size_t misalignment)
{
    const struct input input = input_of_text(what, text, length, misalignment);
    judge_input(&input, 1, true);
}

void expect_right_untold_at(const char *what, const unsigned char *text, size_t length,
                            size_t misalignment)
{
    const struct input input = input_of_text(what, text, length, misalignment);
    judge_input(&input, 1, false);
}

void expect_right_on(const char *what, const unsigned char *text, size_t length)
{
    expect_right_at(what, text, length, 0);
}

struct measurement measure_at(const struct text *text, size_t misalignment)
{
    const struct input input = input_of_text(text->name, text->bytes, text->length, misalignment);
    return judge_cost(&input);
}

struct measurement measure(const struct text *text)
{
    return measure_at(text, 0);
}
