/* 06_shared.c - the exercise of chapter 6: as many blocks as the device holds at a time. */
#include "histogram/harness.h"

/* Much longer than what two multiprocessors count with one character a thread. */
enum { LENGTH = 1 << 18 };

/* What a multiprocessor of an H200 holds at a time. */
enum { RESIDENT_THREADS = 2048 };

/* The cost of a call on a device with so few multiprocessors. */
static struct measurement cost_on(unsigned int multiprocessors)
{
    set_multiprocessors(multiprocessors);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    text_free(&text);
    return cost;
}

/* Fails unless all threads of the grid fit on the device, and fill at least three quarters of it:
 * blocks of 768 threads leave a quarter free. */
static void expect_a_full_device(const struct measurement *cost, uint64_t multiprocessors)
{
    const uint64_t fit = multiprocessors * RESIDENT_THREADS;
    expect_at_most(cost->threads, "threads in the grid", fit,
                   "those that do not fit wait until a block has ended, to zero and commit once "
                   "more; %s multiprocessors hold at a time %s x 2,048",
                   grouped(multiprocessors), grouped(multiprocessors));
    expect_at_least(cost->threads, "threads in the grid", fit / 4 * 3,
                    "three quarters of what %s multiprocessors hold at a time are %s x 2,048 x 3/4",
                    grouped(multiprocessors), grouped(multiprocessors));
}

/* Catches a number of blocks that depends on the length alone, and a grid that is a constant. */
Test(further06, fills_the_device_whatever_its_size)
{
    const struct measurement small = cost_on(2), large = cost_on(6);
    expect_a_full_device(&small, 2);
    expect_a_full_device(&large, 6);
    technique_is("%s blocks on 2 multiprocessors, %s on 6, and %s and %s atomics to commit",
                 grouped(small.blocks), grouped(large.blocks), grouped(small.bins.atomic.lanes),
                 grouped(large.bins.atomic.lanes));
}

/* Fewer blocks, fewer commits: each adds its bins once. Catches a block that commits more often. */
Test(further06, commits_once_for_each_block)
{
    const struct measurement cost = cost_on(2);
    expect_exactly(cost.reading.global_atomics, "global atomics in the main loop", 0,
                   "the main loop counts in shared memory and needs none");
    expect_commits_once(&cost, "bins", num_bins());
    expect_no_counting_in_global_memory(&cost);
}

/* Catches counting in registers, aggregation and votes, which belong to the next chapters. */
Test(further06, still_makes_one_shared_atomic_for_each_counted_character)
{
    struct text text = text_of(TEXT_RUNS, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_at_least(cost.shared.atomic.lanes, "shared atomics", cost.counted,
                    "a block's bins in shared memory get one for each counted character");
    text_free(&text);
}
