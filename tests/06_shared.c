/* 06_shared.c - right, and each block counts in its shared memory.
 *
 * The edge cases of tests/histogram.c catch here shared bins that nobody zeroed, or not all of
 * them; a barrier that is missing or that some threads do not reach; a block whose bins are
 * lost. */
#include "histogram/harness.h"

#include <stdio.h>
#include <string.h>

/* Blocks one by one: what a block counts must arrive, whichever block it is. Each text has a
 * letter in one place only. Catches a commit that leaves out block 0 or the last one. */
Test(chapter06, loses_no_block)
{
    enum { LENGTH = 1 << 14 };
    unsigned char text[LENGTH];
    for (size_t at = 0; at < LENGTH; at += 1023) {
        char what[64];
        snprintf(what, sizeof what, "a 'k' at %zu and else only commas", at);
        memset(text, ',', LENGTH);
        text[at] = 'k';
        expect_right_on(what, text, LENGTH);
    }
}

/* The bins of a block are committed once: at most blocks x bins atomics on the final bins, and
 * none while the threads still read. Catches kernels that count in global memory, on the final
 * bins or on private copies, and a lane that counts for its warp. */
Test(chapter06, touches_global_bins_only_to_commit)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 20);
    struct measurement cost = measure(&text);
    const uint64_t share = cost.counted / cost.threads + 1;
    enum { TIMES = 8, A_FEW = 256 };
    expect_exactly(cost.reading.global_atomics, "global atomics in the main loop", 0,
                   "the main loop counts in shared memory and needs none");
    expect_commits_once(&cost, "bins", num_bins());
    expect_no_counting_in_global_memory(&cost);
    expect_at_most(cost.most_shared_atomics, "shared atomics of one thread", TIMES * share + A_FEW,
                   "%s threads count %s characters, so that each has about %s, and all wait for "
                   "the one that has most: %d x %s + %d",
                   grouped(cost.threads), grouped(cost.counted), grouped(share), TIMES,
                   grouped(share), A_FEW);
    const bool unseen = num_bins() < MOST_BINS && cost.threads < MOST_BINS * cost.blocks;
    technique_is("%s global atomics, all of them to commit, at most blocks x bins = %s allowed%s",
                 grouped(cost.bins.atomic.lanes), grouped(cost.blocks * num_bins()),
                 unseen ? "; make chapter6 test BINS=256 tries it with more bins than a block has "
                          "threads"
                        : "");
    text_free(&text);
}

/* Each counted character adds one in shared memory. In a text of runs, lanes and threads meet
 * equal neighbors, and whoever adds them up needs fewer. Catches counting in registers,
 * aggregation and votes, which belong to the next chapters, also where shared atomics are made for
 * show: those that add nothing, or to words that nobody commits. */
Test(chapter06, makes_one_shared_atomic_for_each_counted_character)
{
    expect_counted_by_shared_atomics(1 << 16, "a block's bins in shared memory");
}
