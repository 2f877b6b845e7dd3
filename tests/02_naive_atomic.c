/* 02_naive_atomic.c - right, and with one global atomic for each counted character.
 *
 * The edge cases of tests/histogram.c catch here a grid that is one block short, bytes above 127
 * taken for negative numbers, a character without a bin that is counted, updates that are lost
 * for want of an atomic. */
#include "histogram/harness.h"

/* Every lane of every warp adds to one bin at the same time. Catches bins[bin]++, which keeps
 * one update of 32, and an atomic without the 32 times that a warp needs it. */
Test(chapter02, counts_a_text_of_one_letter)
{
    struct text text = text_of(TEXT_SINGLE, 1, 1 << 16);
    expect_right_on("65,536 times one letter", text.bytes, text.length);
    text_free(&text);
}

/* Naive means that each counted character costs one atomic on the bins, and that one that is
 * not counted costs none; English text has both kinds. Catches a bin that is updated without
 * an atomic, an atomic that adds 0 for a skipped character, and every technique that needs
 * fewer atomics on the bins. */
Test(chapter02, makes_one_global_atomic_for_each_counted_character)
{
    struct text text = text_of(TEXT_ENGLISH, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_that(cost.bins.atomic.lanes <= cost.counted || cost.bins.atomic.lanes == cost.length,
                "%s global atomics on the bins for %s characters that are counted: a "
                "compare-and-swap loop makes one for each attempt; atomicAdd needs one for each "
                "character",
                grouped(cost.bins.atomic.lanes), grouped(cost.counted));
    expect_exactly(cost.bins.atomic.lanes, "global atomics on the bins", cost.counted,
                   "the text has one for each character that is counted");
    technique_is("%s global atomics for %s counted characters", grouped(cost.bins.atomic.lanes),
                 grouped(cost.counted));
    text_free(&text);
}
