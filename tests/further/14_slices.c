/* 14_slices.c - further: one block commits for all. */
#include "histogram/harness.h"

/* Some rounds for each block, and words and characters that are left over. */
enum { LENGTH = 4 * 16 * 1024 * 8 + 3 * 16 + 11, MULTIPROCESSORS = 8 };

/* However many blocks there are, the final bins get an addition each. Catches the solution of
 * chapter 14, in which each block commits. */
Test(further14, commits_once_for_all_blocks)
{
    set_multiprocessors(MULTIPROCESSORS);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    for (size_t misalignment = 0; misalignment < 16; misalignment += 5) {
        struct measurement cost = measure_at(&text, misalignment);
        expect_at_least(cost.blocks, "blocks", 2,
                        "the text is long enough for more than one, and each can do a part");
        expect_at_most(cost.bins.atomic.lanes + cost.bins.store.lanes,
                       "atomics and stores on the final bins", num_bins(),
                       "the block that is done last adds the sums of all, so there is one for each "
                       "bin");
        expect_at_most(cost.elsewhere.atomic.lanes, "global atomics elsewhere", cost.blocks,
                       "each block draws a number once, so there are as many as blocks");
        if (misalignment == 15)
            technique_is("%s atomics on the final bins for %s blocks",
                         grouped(cost.bins.atomic.lanes), grouped(cost.blocks));
    }
    text_free(&text);
}

/* As chapter 14 asks. Catches counters in shared memory. */
Test(further14, makes_shared_atomics_only_to_fold)
{
    set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    const uint64_t warps = cost.threads_per_block / 32;
    expect_at_most(
        cost.shared.atomic.lanes, "shared atomics", cost.blocks * warps * num_bins(),
        "when the lanes of a warp add up their counters first, there are at most blocks x "
        "warps x bins = %s x %s x %s",
        grouped(cost.blocks), grouped(warps), grouped(num_bins()));
    text_free(&text);
}
