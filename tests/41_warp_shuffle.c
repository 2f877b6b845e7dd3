/* 41_warp_shuffle.c - right, and lanes of a warp combine by shuffles.
 *
 * Operations: sum max float_sum dot
 *
 * The edge cases of tests/reduce.c catch here a lane that takes no part although the mask names it, a
 * distance that is left out, and a pair of which one word is shuffled. */
#include "reduce/harness.h"

enum { LENGTH = 1 << 14, WARP = 32, MOST_OF_A_THREAD = 8 };

/* The most warps that a block has in one of the launches. */
static uint64_t warps_in(const struct measurement *cost)
{
    const uint64_t last =
        (uint64_t)cost->shape.block[0] * cost->shape.block[1] * cost->shape.block[2];
    const uint64_t threads = last > cost->threads_per_block ? last : cost->threads_per_block;
    return (threads + WARP - 1) / WARP;
}

static uint64_t words(void)
{
    return operation_bin_bytes(operation_chosen()) / 4;
}

/* Each warp that reads values and leaves one has combined those of its lanes somewhere. It is not in
 * shared memory, which has one word for each warp, nor by atomics; and not in global memory, where a
 * warp stores one value at most, and a value of the array is read once. Catches shuffles for show,
 * beside a thread that does the work, or a warp that reads the whole array; and a warp whose lanes leave their values for the next launch;
 * and warps that all store what one has to. */
static void expect_combined_within_warps(const struct measurement *cost)
{
    const uint64_t warps = cost->counters.blocks * warps_in(cost);
    expect_at_least(cost->shuffles, "shuffles", cost->reading_blocks,
                    "%s: each block that reads values has a warp that shuffles; blocks",
                    operation_name(operation_chosen()));
    expect_at_most(cost->most_by_thread, "values that one thread reads", MOST_OF_A_THREAD,
                   "%s: a thread may combine a few in a register first, and no more: what is "
                   "left to the warp is the work",
                   operation_name(operation_chosen()));
    expect_at_most(cost->most_read, "reads of one value", words(),
                   "%s: each of the values comes into one warp, read in as many parts as it "
                   "has words at most; words",
                   operation_name(operation_chosen()));
    expect_at_most(cost->elsewhere.store.lanes + cost->result.store.lanes,
                   "stores to global memory", warps * words(),
                   "%s: a warp leaves one value: warps x words of a value = %s x %s",
                   operation_name(operation_chosen()), grouped(warps), grouped(words()));
    expect_at_most(cost->result.store.lanes, "stores to the result", 2 * words(),
                   "%s: one thread of the last block stores it, and not one of each warp: twice "
                   "%s words",
                   operation_name(operation_chosen()), grouped(words()));
    expect_at_least(cost->values.load.lanes, "lanes that load values",
                    16 * cost->values.load.requests,
                    "%s: all lanes of a warp bring values to it, at least 16 in each of %s "
                    "requests on the average: 16 x %s",
                    operation_name(operation_chosen()), grouped(cost->values.load.requests),
                    grouped(cost->values.load.requests));
}

/* A warp is reduced in registers, and so it has one value to hand to others. Catches the tree of
 * chapter 40, which has a value of each thread there, and one that is begun in shared memory and ended
 * by shuffles. */
static void expect_one_value_a_warp(const struct measurement *cost)
{
    expect_at_most(cost->most_words, "words of shared memory in a block", warps_in(cost) * words(),
                   "%s: each warp leaves one value: warps x words of a value = %s x %s",
                   operation_name(operation_chosen()), grouped(warps_in(cost)), grouped(words()));
    if (operation_turn(operation_chosen()) == 0)
        technique_is("words of shared memory for the %s warps of a block: %s; barriers: %s",
                     grouped(warps_in(cost)), grouped(cost->most_words),
                     grouped(cost->most_barriers));
}

/* Values meet in registers. Catches atomics that combine what lanes, warps or blocks have, wherever. */
static void expect_no_atomics(const struct measurement *cost)
{
    expect_exactly(cost->shared.atomic.lanes + cost->elsewhere.atomic.lanes +
                       cost->result.atomic.lanes,
                   "atomics", 0,
                   "%s: lanes shuffle, and the results of blocks are values of another launch; "
                   "atomics",
                   operation_name(operation_chosen()));
}

/* A shuffle needs all lanes whose values are combined, and not those that happen to be together. Catches
 * __activemask() as the mask, which is right only as long as the lanes of a warp have not gone apart. */
static void expect_lanes_named(const struct measurement *cost)
{
    expect_exactly(cost->counters.activemasks, "lanes call __activemask() for a mask", 0,
                   "%s: it says who happens to be together, and CUDA never promises that lanes "
                   "are: take the mask from the block's size, or from a ballot before the "
                   "branch; calls",
                   operation_name(operation_chosen()));
}

/* Between what the warps leave and what one of them reads there is a barrier, and a second one where a
 * thread of another warp stores the result. Shuffles need none. Catches a barrier in each step. */
static void expect_few_barriers(const struct measurement *cost)
{
    expect_at_most(cost->most_barriers, "barriers in a block", 2,
                   "%s: one before the values of the warps are read, and one after their result "
                   "is left, if others want it; barriers",
                   operation_name(operation_chosen()));
}

/* One run of each operation says all of it. */
Test(chapter41, hands_one_value_a_warp_to_shared_memory)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_of_values(VALUES_SMALL, 1, LENGTH);
        const struct measurement cost = measure_input(&input);
        expect_combined_within_warps(&cost);
        expect_one_value_a_warp(&cost);
        expect_no_atomics(&cost);
        expect_lanes_named(&cost);
        expect_few_barriers(&cost);
        input_free(&input);
    }
}
