/* 02_naive_atomic.c - right, and with one global atomic for each counted character. */
#include "harness.h"

/* Catches all that depends on the length, on where the text begins, or on what stands in it:
 * a grid that is one block short, bytes above 127 taken for negative
 * numbers, a character without a bin that is counted, updates that are lost for want of an
 * atomic, on all schedules or on some. */
Test(chapter02, is_right_on_edge_cases)
{
    expect_right_on_edge_cases();
}

/* Catches bins that are set instead of added to. */
Test(chapter02, keeps_what_the_bins_held)
{
    expect_adds_to_bins();
}

/* Catches a missing check of the length, and one that is off by one. */
Test(chapter02, refuses_a_text_of_4294967296_characters, .exit_code = 1)
{
    call_with_too_long_a_text();
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(chapter02, reads_the_far_end_of_the_longest_text)
{
    expect_no_wrapped_index();
}

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
    expect_exactly(cost.bins.atomic.lanes, "global atomics on the bins", cost.counted,
                   "the text has one for each character that is counted");
    technique_is("%s global atomics for %s counted characters", grouped(cost.bins.atomic.lanes),
                 grouped(cost.counted));
    text_free(&text);
}
