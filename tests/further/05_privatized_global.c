/* 05_privatized_global.c - the exercise of chapter 5: copies that share no stripe of the L2 cache. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 18, STRIPE = 256 };

/* Stripes that so many counters take when they begin at the border of one. */
static uint64_t stripes_for(uint64_t counters)
{
    return (counters * sizeof(unsigned int) + STRIPE - 1) / STRIPE;
}

/* A copy that begins at a multiple of 256 bytes takes the fewest stripes that hold it, and no other
 * copy counts there. The final bins have stripes of their own. Catches copies that lie side by
 * side, and copies that are only a sector or a cache line apart. */
Test(further05, gives_each_copy_stripes_of_its_own)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    const uint64_t of_a_copy = stripes_for(num_bins());
    expect_at_least(
        cost.atomic_stripes, "stripes of 256 bytes get atomics", (cost.blocks + 1) * of_a_copy,
        "with %s for each block's copy, and as many for the bins, it is (blocks + 1) x "
        "%s = (%s + 1) x %s",
        grouped(of_a_copy), grouped(of_a_copy), grouped(cost.blocks), grouped(of_a_copy));
    technique_is("atomics go to %s stripes of 256 bytes; one has at most %s of %s rounds",
                 grouped(cost.atomic_stripes), grouped(cost.busiest_stripe),
                 grouped(cost.elsewhere.atomic.sectors + cost.bins.atomic.sectors));
    text_free(&text);
}

/* With stripes of its own a copy waits for its block alone, whose threads make at most one atomic
 * for each character that they read. Catches copies that cross into the stripe of another. */
Test(further05, lets_no_stripe_serve_two_blocks)
{
    struct text text = text_of(TEXT_SINGLE, 1, LENGTH);
    struct measurement cost = measure(&text);
    const uint64_t share = cost.threads_per_block * cost.reading.longest;
    expect_at_most(cost.busiest_stripe, "rounds of atomics on one stripe of 256 bytes", share,
                   "a block reads at most %s characters, %s in each of %s threads, so it has",
                   grouped(share), grouped(cost.reading.longest), grouped(cost.threads_per_block));
    text_free(&text);
}

/* The distance is all that changes. Catches counting in the final bins or in shared memory. */
Test(further05, still_counts_in_a_copy_for_each_block)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.bins.atomic.lanes, "global atomics on the final bins",
                   cost.blocks * num_bins(),
                   "when each block adds its copy to them once, there are at most blocks x bins = "
                   "%s x %s",
                   grouped(cost.blocks), grouped(num_bins()));
    expect_at_least(cost.elsewhere.atomic.lanes, "global atomics on memory that is not the bins",
                    cost.counted,
                    "private copies in global memory get one for each counted character");
    text_free(&text);
}
