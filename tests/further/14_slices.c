/* 14_slices.c - further: not a single atomic in shared memory, whatever the text begins with. */
#include "harness.h"

/* Eight rounds of a single block, and words and characters that are left over. */
enum { ROUND = 4 * 16 * 1024, LENGTH = 8 * ROUND + 3 * 16 + 11 };

/* Where a text begins between two words, its first and last characters are counted as slices,
 * too. Catches the solution of chapter 14, which adds them to shared bins. */
Test(further14, makes_no_shared_atomics)
{
    sim_set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    for (size_t misalignment = 0; misalignment < 16; misalignment += 5) {
        struct measurement cost = measure_at(&text, misalignment);
        expect_exactly(cost.shared.atomic.lanes, "shared atomics", 0,
                       "a warp writes its sums down where no other warp writes, and head and tail "
                       "are slices, too, so that none is needed");
        if (misalignment == 15)
            technique_is("%s shared atomics and %s shared stores for %s characters",
                         grouped(cost.shared.atomic.lanes), grouped(cost.shared.store.lanes),
                         grouped(text.length));
    }
    text_free(&text);
}

/* What the warps write down is a number for each warp and bin. Catches counters in shared memory
 * that need no atomic since each thread has its own. */
Test(further14, writes_down_one_sum_for_each_warp_and_bin)
{
    sim_set_multiprocessors(1);
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    const uint64_t warps = cost.threads_per_block / 32;
    expect_at_most(cost.shared.store.lanes, "stores to shared memory",
                   cost.blocks * (warps + 1) * NUM_BINS,
                   "each warp has a sum for each bin, and zeroing may take as many as there are "
                   "bins: blocks x (warps + 1) x bins = %s x (%s + 1) x %s",
                   grouped(cost.blocks), grouped(warps), grouped(NUM_BINS));
    expect_commits_once(&cost, "bins", NUM_BINS);
    text_free(&text);
}
