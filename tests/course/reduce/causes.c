/* causes.c - tests of the likeliest cause of a wrong result. Others are proved by planted mistakes: tests/advice. */
#define _GNU_SOURCE
#include "result.h"

#include <math.h>

#include "of_values.h"

enum { BLOCKS = 4, THREADS = 96 };

/* The judge's library calls it, and nobody here. */
void reduce(void);
void reduce(void)
{
}

/* What is said of a result, of a kernel of 4 blocks of 96 threads. */
static void expect_cause(const struct input *input, struct result held, const struct result *again,
                         const char *expected)
{
    char cause[500] = "";
    const struct oracle oracle = result_of(input);
    const struct result before = operation_chosen() == SUM || operation_chosen() == MAX
                                     ? integer(0xfffef123)
                                     : floats(1048576.5f, 3);
    struct difference d = {.input = input,
                           .oracle = &oracle,
                           .bound = result_bound(&oracle, 64),
                           .held = held.bytes,
                           .again = again ? again->bytes : NULL,
                           .blocks = BLOCKS,
                           .threads_per_block = THREADS,
                           .cause = cause,
                           .size = sizeof cause};
    d.before = before.bytes;
    cr_assert(!result_agrees(&oracle, held.bytes, d.bound));
    first_cause(&d);
    cr_assert(strstr(cause, expected), "'%s' is not in '%s'", expected, cause);
}

/* The sum of the small values that a wrong kernel takes. */
static struct input numbers;
static uint32_t sum_where(int (*takes)(size_t i))
{
    uint32_t sum = 0, word;
    for (size_t i = 0; i < numbers.length; i++) {
        memcpy(&word, numbers.values + 4 * i, sizeof word);
        sum += takes(i) ? word : 0;
    }
    return sum;
}

static void expect_left_out(size_t length, int (*takes)(size_t i), const char *expected)
{
    choose(SUM);
    numbers = input_of_values(VALUES_SMALL, 1, length);
    expect_cause(&numbers, integer(sum_where(takes)), NULL, expected);
    input_free(&numbers);
}

static void expect_message(enum operation operation, struct result held, const char *expected)
{
    choose(operation);
    struct input input = input_of_values(VALUES_ONES, 1, 1000);
    expect_cause(&input, held, NULL, expected);
    input_free(&input);
}

Test(causes, nothing_written)
{
    expect_message(SUM, integer(0xfffef123), "no thread stores the result");
    expect_message(DOT, floats(1048576.5f, 3), "what it held before");
}

static int not_the_last(size_t i)
{
    return i + 1 < numbers.length;
}

static int whole_fours(size_t i)
{
    return i < numbers.length / 4 * 4;
}

Test(causes, a_tail_that_is_dropped)
{
    expect_left_out(1000, not_the_last, "one value is missing, the last one");
    expect_left_out(1003, whole_fours, "no multiple of 4 is rounded down");
}

static int not_of_block_0(size_t i)
{
    return i / THREADS % BLOCKS != 0;
}

Test(causes, a_block_that_is_missing)
{
    expect_left_out(1000, not_of_block_0, "exactly what block 0 read");
}

static int first_warps(size_t i)
{
    return i % THREADS < 32;
}

static int first_lanes(size_t i)
{
    return i % 32 == 0;
}

/* 96, 48, 24, 12, 6, 3, 1: of three one is dropped, which are those whose rest is 2. */
static int even_halves(size_t i)
{
    return i % THREADS % 3 < 2;
}

Test(causes, a_part_of_a_block_that_is_missing)
{
    expect_left_out(1000, first_warps, "only the first warp of each block");
    expect_left_out(1000, first_lanes, "only one lane of each warp");
    expect_left_out(1000, even_halves, "a tree drops an odd one");
}

Test(causes, everything_twice_or_once_for_each_block)
{
    expect_message(SUM, integer(2000), "exactly 2 times");
    expect_message(FLOAT_SUM, floats(4000, 0), "every block reads all values");
}

Test(causes, floats_that_are_lost)
{
    choose(FLOAT_SUM);
    struct input input = input_of_values(VALUES_LARGEST, 1, 10000);
    expect_cause(&input, floats(1048600, 0), NULL, "takes no more ones");
    input_free(&input);
}
