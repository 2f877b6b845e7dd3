/* cases.c - the inputs that break kernels: lengths, kinds of values, alignments; and values that break an operation. */
#include <stdio.h>

#include "random_numbers.h"
#include "reduce/harness.h"
#include "settings.h"
#include "words_in_bytes.h"

enum { A_FEW_MULTIPROCESSORS = 3, MANY_MULTIPROCESSORS = 132 };

static void expect_right_values(enum values kind, size_t length)
{
    judge_and_free(input_of_values(kind, 1 + length, length), USUAL_SCHEDULES, true);
}

/* Judges an input once, with words that tell it from others. */
static void expect_right_once_values(enum values kind, size_t length, const char *more)
{
    struct input input = input_of_values(kind, 1 + length, length);
    input_say_more(&input, "%s", more);
    judge_and_free(input, 1, true);
}

/* The first inputs are of ordinary size, where what is wrong is explained best. Their lengths are primes, so that no
 * block and no vector divides them; on one multiprocessor each thread has several values. The last is longer than
 * 256^2, so that two launches of blocks of 256 leave more than one value. */
static void expect_right_on_each_values(void)
{
    set_multiprocessors(1);
    expect_right_values(VALUES_SMALL, 8191);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
    expect_right_values(VALUES_ONES, 2053);
    expect_right_once_values(VALUES_ANY, 4093, "");
    expect_right_once_values(VALUES_ALTERNATING, 2039, "");
    expect_right_once_values(VALUES_RISING, 3067, "");
    expect_right_once_values(VALUES_SPIKE, 1021, "");
    if (result_is_float(operation_chosen()))
        expect_right_once_values(VALUES_LARGEST, 66047,
                                 ""); /* so many values that their loss is seen */
    else
        expect_right_once_values(VALUES_LARGEST, 16381, "");
}

enum { SHORT = 8191, MORE_THAN_8_BITS = 257 };

/* Learns how the kernel shares a short array. Where nobody knows it is taken to have a block of the largest size. */
static struct measurement shape_of_kernel(void)
{
    enum { MOST = 1024 };
    struct measurement shape = {.threads_per_block = MOST};
#ifdef SIMULATED_GPU
    struct input input = input_of_values(VALUES_SMALL, 3, SHORT);
    shape = measure_input(&input);
    input_free(&input);
#endif
    return shape;
}

/* How many values a block takes of a short array. With so many for each there may be more blocks than a number of 8
 * bits counts. */
static size_t values_of_a_block(const struct measurement *shape)
{
    return SHORT / (shape->blocks > 0 ? shape->blocks : 1) + 1;
}

/* Judges arrays that end before the first multiple of 16 bytes, or just there. */
static void expect_right_before_a_boundary(void)
{
    for (size_t misalignment = 1; misalignment <= 3; misalignment++)
        for (size_t length = 1; length <= 4; length += misalignment) {
            struct input input = input_of_values(VALUES_SMALL, length, length);
            input.misalignment = misalignment;
            input_say_more(&input, ", %zu after a multiple of 256 bytes", misalignment);
            judge_and_free(input, 1, false);
        }
}

static void expect_right_on_all_values(size_t unused)
{
    (void)unused;
    expect_right_on_each_values();
    const struct measurement shape = shape_of_kernel();
    expect_right_around_lengths(&reduce_contract, shape.threads_per_block,
                                shape.blocks > 1 ? shape.threads : 0);
    expect_right_at_misalignments(&reduce_contract);
    expect_right_before_a_boundary();
    set_multiprocessors(MANY_MULTIPROCESSORS);
    expect_right_once_values(VALUES_SMALL, 3001, ", 132 multiprocessors");
    if (operation_turn(operation_chosen()) == 0)
        expect_right_once_values(VALUES_SMALL, MORE_THAN_8_BITS * values_of_a_block(&shape),
                                 ", 132 multiprocessors");
}

void expect_values_right_on_edge_cases(void)
{
    for_each_operation(expect_right_on_all_values, 0, 1);
}

static struct input draw_input_values(uint64_t *state, size_t unused)
{
    (void)unused;
    const enum values kind = (enum values)random_below(state, VALUES_KINDS);
    const size_t length = 1 + random_below(state, 1u << (4 + random_below(state, 10)));
    struct input input = input_of_values(kind, next_random(state), length);
    input.misalignment = random_below(state, 8);
    return input;
}

void expect_values_right_on_drawn_inputs(void)
{
    judge_drawn(draw_input_values, 0, 4);
}

/* The rest are values that break an operation. */
enum { LENGTH = 521 };

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

/* Judges small numbers among which is one with these bits and one with those; for dot one is an x and the other a y. */
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

/* Judges denormals, which some hardware takes for 0, of both signs. */
static void denormal(void)
{
    struct input input = begin_special_values("denormals");
    uint64_t state = 5;
    for (size_t i = 0; i < LENGTH; i++)
        value_set(&input, i, random_below(&state, 1 << 23) | (random_below(&state, 2) ? SIGN : 0),
                  ONE);
    judge_special_values(input);
}

/* Judges floats that are not like others; dot multiplies them as well. */
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

static void expect_special_values(size_t unused)
{
    (void)unused;
    if (result_is_float(operation_chosen()))
        expect_right_on_floats();
    else
        expect_right_on_integers();
}

void expect_values_right_on_special_values(void)
{
    for_each_operation(expect_special_values, 0, A_FEW_MULTIPROCESSORS);
}
