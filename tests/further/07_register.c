/* 07_register.c - chapter 7, further: right, in registers, and a warp adds up before it folds.
 *
 * The tests of tests/histogram.c catch here lanes that are missing from the sum. */
#include "histogram/harness.h"

/* Long enough for several characters a thread on the largest useful grid: see chapter 7. */
enum { LENGTH = 1 << 20, WARP = 32 };

/* As in the chapter itself: no atomic between two characters of a thread. */
Test(further07, makes_no_atomic_in_the_main_loop)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_least(cost.length, "characters in the text", 2 * cost.reading.threads,
                    "%s threads read some of it, and several characters each are at least 2 x %s",
                    grouped(cost.reading.threads), grouped(cost.reading.threads));
    expect_exactly(cost.reading.shared_atomics + cost.reading.global_atomics,
                   "atomics in the main loop", 0,
                   "a thread that counts in its registers makes none until it has read all its "
                   "characters, in all");
    text_free(&text);
}

/* One lane of a warp adds for all 32: at most warps x bins atomics, counted by lanes. Catches the
 * fold of the chapter, in which each lane adds for itself, whatever the compiler makes of it. */
Test(further07, folds_with_one_atomic_for_each_warp_and_bin)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    const uint64_t warps = cost.blocks * ((cost.threads_per_block + WARP - 1) / WARP);
    expect_at_most(cost.shared.atomic.lanes, "shared atomics", warps * num_bins(),
                   "when the lanes of a warp add up a bin first and one of them does the atomic, "
                   "there are at most warps x bins = %s x %s",
                   grouped(warps), grouped(num_bins()));
    expect_commits_once(&cost, "bins", num_bins());
    expect_no_counting_in_global_memory(&cost);
    technique_is("%s shared atomics, at most warps x bins = %s allowed",
                 grouped(cost.shared.atomic.lanes), grouped(warps * num_bins()));
    text_free(&text);
}
