/* 47_reproducible.c - right, with the same bits on every grid, every schedule and every address, within an
 * error bound, and at the speed of chapter 46.
 *
 * Operations: float_sum
 *
 * Bits are compared where each order of additions gives others: floats of many sizes and both signs. */
#include "reduce/harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 1 << 16, REQUEST = 512, SEEDS = 8, BITS = 4 };

static float float_of(const unsigned char *held)
{
    float number;
    memcpy(&number, held, sizeof number);
    return number;
}

/* Fails unless the sum has the bits of `first`, which it had when things were as they are not now. */
static void expect_same_bits(const struct input *input, const unsigned char *first,
                             const char *first_time, const char *this_time)
{
    unsigned char held[16];
    run_unjudged(input, held);
    expect_that(memcmp(first, held, BITS) == 0,
                "%s: the sum is %.9g %s, and %.9g %s; floats round after each addition, so that "
                "only a fixed order, or fixed point, gives the same bits",
                input->name, (double)float_of(first), first_time, (double)float_of(held),
                this_time);
}

/* Ones, and between them floats of 2^60 to 2^110 that cancel, half an array away: a sum in double precision
 * keeps 53 bits, and which it loses depends on the order. */
static struct input input_that_cancels(size_t length)
{
    struct input input = input_of_values(VALUES_ONES, 1, length);
    const size_t groups = length / 3;
    uint32_t drawn = 1;
    for (size_t group = 0; group < groups; group++) {
        drawn = drawn * 1664525 + 1013904223;
        const double large = ldexp(1 + (drawn >> 9) / 8388608.0, 60 + (int)(drawn >> 8) % 50);
        value_set_number(&input, 3 * group, large, 0);
        value_set_number(&input, 3 * ((group + groups / 2 + 1) % groups) + 1, -large, 0);
    }
    snprintf(input.name, sizeof input.name,
             "float_sum, %s values: ones, and floats between 2^60 and 2^110 that cancel",
             grouped(length));
    return input;
}

static void expect_same_bits_on_grids(const struct input *input)
{
    const unsigned int multiprocessors[] = {3, 8, 132};
    unsigned char first[16];
    set_multiprocessors(1);
    run_unjudged(input, first);
    for (size_t i = 0; i < sizeof multiprocessors / sizeof *multiprocessors; i++) {
        char now[64];
        snprintf(now, sizeof now, "on %u of them", multiprocessors[i]);
        set_multiprocessors(multiprocessors[i]);
        expect_same_bits(input, first, "on one multiprocessor", now);
    }
}

static void expect_same_bits_on_schedules(const struct input *input, unsigned int multiprocessors)
{
    unsigned char first[16];
    set_multiprocessors(multiprocessors);
    set_schedule(1);
    run_unjudged(input, first);
    for (unsigned int seed = 2; seed <= SEEDS; seed++) {
        char now[64];
        snprintf(now, sizeof now, "on schedule %u", seed);
        set_schedule(seed);
        expect_same_bits(input, first, "on schedule 1", now);
    }
}

/* From one block to as many as an H200 holds; of lengths that make one segment, or dozens, or leave a
 * rest. Catches a part of the array for each thread or block: how long it is depends on the grid. */
Test(chapter47, leaves_the_same_bits_on_every_grid)
{
    operation_choose(0);
    const size_t lengths[] = {77, 1000, 5003, LENGTH, 2 * LENGTH + 12345};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input input = input_of_values(VALUES_ANY, 10 + i, lengths[i]);
        expect_same_bits_on_grids(&input);
        input_free(&input);
    }
    struct input input = input_that_cancels(LENGTH / 2);
    expect_same_bits_on_grids(&input);
    input_free(&input);
}

/* Blocks and warps take turns in another order for each seed. Catches sums that are added as they come:
 * by atomicAdd, of floats or doubles, by whoever has the next ticket, with a correction or without. */
Test(chapter47, leaves_the_same_bits_on_every_schedule)
{
    operation_choose(0);
    const unsigned int multiprocessors[] = {3, 132};
    for (size_t i = 0; i < sizeof multiprocessors / sizeof *multiprocessors; i++) {
        struct input input = input_of_values(VALUES_ANY, 20 + i, LENGTH + 77);
        expect_same_bits_on_schedules(&input, multiprocessors[i]);
        input_free(&input);
    }
    struct input input = input_that_cancels(LENGTH / 2 + 1);
    expect_same_bits_on_schedules(&input, 8);
    input_free(&input);
}

/* The same values at another address. Catches a head that is summed by itself, so that the first word is
 * another one, and lanes that get what is aligned. */
Test(chapter47, leaves_the_same_bits_wherever_the_values_begin)
{
    operation_choose(0);
    struct input input = input_of_values(VALUES_ANY, 30, LENGTH / 4 + 5);
    unsigned char first[16];
    set_multiprocessors(3);
    run_unjudged(&input, first);
    for (size_t by = 1; by <= 7; by++) {
        char now[64];
        snprintf(now, sizeof now, "%zu value%s after it", by, by == 1 ? "" : "s");
        input.misalignment = by;
        expect_same_bits(&input, first, "when values begin at a multiple of 256 bytes", now);
    }
    input_free(&input);
}

/* How far off the sum is, at most gamma(h) x M: see oracle.h. Two levels are enough to have h = 2 sqrt n:
 * sections of sqrt n values are added one by one, and then their sqrt n sums. A tree, fixed point and a
 * correction have far less. Some more is for what has sections of a fixed size. */
static void expect_small_error(const struct input *input)
{
    enum { SOME_MORE = 64 };
    unsigned char held[16];
    const struct oracle oracle = result_of(input);
    const double depth = 2 * ceil(sqrt((double)input->length)) + SOME_MORE;
    run_unjudged(input, held);
    const double error = fabs((double)float_of(held) - oracle.floats.sum);
    expect_that(
        result_agrees(&oracle, held, result_bound(&oracle, depth)),
        "%s: the sum is off by %.3g; when no value passes through more than 2 sqrt n + 64 = "
        "%.0f additions it is off by at most gamma(%.0f) x sum of magnitudes = %.3g",
        input->name, error, depth, depth, result_bound(&oracle, depth));
}

/* 2^24 and then ones, each of which is lost when it is added by itself; values that cancel; large ones
 * beside tiny ones. Catches one long chain of additions in a fixed order: reproducible, and far off. */
Test(chapter47, is_within_its_error_bound)
{
    operation_choose(0);
    struct input input = input_of_values(VALUES_ONES, 1, LENGTH);
    value_set_number(&input, 0, 1 << 24, 0);
    snprintf(input.name, sizeof input.name, "float_sum, 2^24 and %s ones", grouped(LENGTH - 1));
    expect_small_error(&input);
    input_free(&input);
    const enum values contents[] = {VALUES_ANY, VALUES_ALTERNATING, VALUES_LARGEST};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        input = input_of_values(contents[i], 40 + i, LENGTH + 31);
        expect_small_error(&input);
        input_free(&input);
    }
}

/* Reading as in chapter 46: 32 lanes x 16 bytes, but for the ends; once, or twice where a common exponent
 * is found first. Catches kernels that are reproducible because their blocks have a fixed size, and read
 * value by value: chapters 40 and 41. */
Test(chapter47, reads_16_sectors_a_request)
{
    operation_choose(0);
    struct input input = input_of_values(VALUES_ANY, 50, LENGTH);
    set_multiprocessors(2);
    struct measurement cost = measure_input(&input);
    const uint64_t bytes = cost.length * sizeof(float);
    expect_at_least(cost.full_requests * REQUEST, "bytes read in requests of 16 sectors",
                    bytes - bytes / 8,
                    "aligned values are read 32 lanes x 16 bytes at a time, but for the ends, an "
                    "eighth at most: %s - %s / 8",
                    grouped(bytes), grouped(bytes));
    expect_at_most(cost.most_read, "times that one value is read", 2,
                   "once for the sum, and perhaps once before for a common exponent");
    technique_is(
        "the same bits on every grid, schedule and address; %s load requests, %.2f sectors "
        "each",
        grouped(cost.values.load.requests),
        (double)cost.values.load.sectors / (double)cost.values.load.requests);
    input_free(&input);
}

/* Catches one thread, or one block, that adds everything in order: reproducible, and a hundred times as
 * slow as reading. */
Test(chapter47, is_shared_by_the_whole_device)
{
    enum { MULTIPROCESSORS = 8 };
    operation_choose(0);
    struct input input = input_of_values(VALUES_ANY, 60, 2 * LENGTH);
    set_multiprocessors(MULTIPROCESSORS);
    struct measurement cost = measure_input(&input);
    expect_threads_share(&reduce_contract, &cost);
    expect_at_least(cost.reading_blocks, "blocks that read", MULTIPROCESSORS,
                    "each of %s multiprocessors has something to add, or it is idle",
                    grouped(MULTIPROCESSORS));
    input_free(&input);
}
