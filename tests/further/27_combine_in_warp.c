/* 27_combine_in_warp.c - the exercise of chapter 27: combined in the warp, and then in the block.
 *
 * Operations: count float_sum wide_sum argmax */
#include "reduce_by_index/harness.h"

enum { LENGTH = 1 << 14, BINS = 505 };

/* What a warp has combined goes to the block's bins in shared memory. Catches updates of the bins by
 * every warp. */
Test(further27, combines_in_shared_memory_what_the_warps_have_combined)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_ZIPF, 1, LENGTH, BINS);
        const struct measurement cost = measure_input(&input);
        expect_exactly(cost.atomics_while_reading, "global atomics while elements are read", 0,
                       "the block's bins lie in shared memory, and global atomics needed are");
        expect_exactly(
            cost.shared.meeting, "lanes contend with another of their request in an atomic", 0,
            "equal keys of a warp are combined before, so that two lanes that contend are");
        if (operation_has_atomic(operation_chosen()))
            expect_at_most(cost.shared.atomic.lanes, "shared atomics", cost.distinct_keys,
                           "they are at most the distinct keys of the requests");
        if (i == 0)
            technique_is("%s shared atomics for %s elements, at most the %s distinct keys of the "
                         "requests",
                         grouped(cost.shared.atomic.lanes), grouped(cost.counted),
                         grouped(cost.distinct_keys));
        input_free(&input);
    }
}

/* Catches a block that commits more than once. */
Test(further27, commits_once_a_block)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        struct input input = input_within(KEYS_UNIFORM, 2, LENGTH, BINS);
        const struct measurement cost = measure_input(&input);
        expect_at_least(cost.shared.atomic.lanes, "shared atomics", 1,
                        "the warps update the block's bins, so that there is at least");
        if (operation_has_atomic(operation_chosen()))
            expect_at_most(cost.bins.atomic.lanes, "atomics on the bins", cost.blocks * BINS,
                           "each block commits each bin once: %s x 505", grouped(cost.blocks));
        input_free(&input);
    }
}
