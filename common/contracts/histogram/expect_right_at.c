/* expect_right_at.c - what suites say of a text, as the judge of any input has it. */
#include "harness.h"

void call_on_text(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    struct call call = call_of(length, num_bins(), 0);
    call.values = (uintptr_t)d_text;
    call.bins = (uintptr_t)d_bins;
    call_make(&call);
}

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
