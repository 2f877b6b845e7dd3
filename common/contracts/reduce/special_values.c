/* special_values.c - values that break an operation. */
#include <stdio.h>

#include "reduce/harness.h"
#include "random_numbers.h"
#include "special_floats.h"

enum { LENGTH = 521, A_FEW_MULTIPROCESSORS = 3 };

static struct input begin_special_values(const char *what)
{
    struct input input = input_of_values(VALUES_SMALL, 11, LENGTH);
    snprintf(input.name, sizeof input.name, "%s, %s", operation_name(operation_chosen()), what);
    return input;
}

static void judge_special_values(struct input input)
{
    judge_and_free(input, 1, true);
}

/* Among small numbers one with these bits, and one with those; of dot in x, or in y. */
static void mix_in_values(const char *what, uint32_t one, uint32_t other)
{
    struct input input = begin_special_values(what);
    value_set(&input, 77, one, ONE);
    if (operation_chosen() == DOT)
        value_set(&input, 500, ONE, other);
    else
        value_set(&input, 500, other, 0);
    judge_special_values(input);
}

static void set_all(struct input *input, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < LENGTH; i++)
        value_set(input, i, x, y);
}

static void all_are(const char *what, uint32_t x, uint32_t y)
{
    struct input input = begin_special_values(what);
    set_all(&input, x, y);
    judge_special_values(input);
}

/* Denormals, which some hardware takes for 0, beside numbers that are not. */
static void denormal(void)
{
    struct input input = begin_special_values("denormals");
    uint64_t state = 5;
    for (size_t i = 0; i < LENGTH; i++)
        value_set(&input, i, random_below(&state, 1 << 23) | (random_below(&state, 2) ? SIGN : 0),
                  ONE);
    judge_special_values(input);
}

/* A product of numbers of all sizes, none of which is neutral. */
static void expect_right_on_floats(void)
{
    mix_in_values("one NaN among numbers", NOT_A_NUMBER, ONE);
    mix_in_values("a NaN with a sign near the end", ONE, NOT_A_NUMBER | SIGN);
    mix_in_values("one infinity", INFINITE, ONE);
    mix_in_values("minus infinity", ONE, INFINITE | SIGN);
    mix_in_values("infinities of both signs", INFINITE, INFINITE | SIGN);
    all_are("nothing but -0", SIGN, ONE);
    denormal();
    if (operation_chosen() == DOT)
        mix_in_values("infinity times 0", INFINITE, 0);
}

static void expect_right_on_integers(void)
{
    all_are("nothing but 4,294,967,295", UINT32_MAX, 0);
    all_are("nothing but 0", 0, 0);
    all_are("nothing but 2,147,483,648", SIGN, 0); /* what is smallest of signed integers */
    mix_in_values("4,294,967,295 once", UINT32_MAX, 0);
}

static void expect_right_on_values_values(size_t unused)
{
    (void)unused;
    if (result_is_float(operation_chosen()))
        expect_right_on_floats();
    else
        expect_right_on_integers();
}

void expect_values_right_on_special_values(void)
{
    for_each_operation(expect_right_on_values_values, 0, A_FEW_MULTIPROCESSORS);
}
