/* 07_register.c - right, and each thread counts in registers. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

/* Long enough for several characters a thread on the largest useful grid: a GPU of 132
 * multiprocessors holds 132 x 2,048 = 270,336 threads, and 2^20 / 270,336 > 3. */
enum { LENGTH = 1 << 20 };

/* Catches all that depends on the length, on where the text begins, or on what stands in it:
 * counters that nobody zeroed, in registers or in shared memory; a
 * barrier that is missing before or after the threads fold their counters; a lost bin. */
Test(chapter07, is_right_on_edge_cases)
{
    expect_right_on_edge_cases();
}

/* Catches bins that are set instead of added to. */
Test(chapter07, keeps_what_the_bins_held)
{
    expect_adds_to_bins();
}

/* Catches a missing check of the length, and one that is off by one. */
Test(chapter07, refuses_a_text_of_4294967296_characters, .exit_code = 1)
{
    call_with_too_long_a_text();
}

/* Catches an index in 32 bits: an int wraps at 2^31. */
Test(chapter07, reads_the_far_end_of_the_longest_text)
{
    expect_no_wrapped_index();
}

/* Texts in which one thread of a block counts and the others do not, or only the last bin is
 * met. Catches a fold by some of the threads, and a loop over one bin too few. */
Test(chapter07, folds_every_counter_of_every_thread)
{
    enum { COUNT = 2 * 256 + 3 };
    unsigned char text[COUNT];
    for (size_t at = 0; at < COUNT; at += 57) {
        char what[64];
        snprintf(what, sizeof what, "a 'z' at %zu and else only commas", at);
        memset(text, ',', COUNT);
        text[at] = 'z';
        expect_right_on(what, text, COUNT);
    }
}

/* Registers need no atomics: a thread makes none between two characters that it reads. Catches
 * kernels that count in memory, and aggregation and votes, which add in the main loop. For the
 * loop to be one, a thread must read several characters: on average at least two. */
Test(chapter07, makes_no_atomic_in_the_main_loop)
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

/* When it is done, a thread adds each of its counters once: at most threads x bins shared
 * atomics. The block commits as in chapter 6: at most blocks x bins global ones. */
Test(chapter07, adds_each_counter_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_at_most(cost.shared.atomic.lanes, "shared atomics", cost.threads * NUM_BINS,
                   "when each thread adds each counter once, there are at most threads x bins = "
                   "%s x %s",
                   grouped(cost.threads), grouped(NUM_BINS));
    expect_at_most(cost.bins.atomic.lanes, "global atomics on the final bins",
                   cost.blocks * NUM_BINS,
                   "when each block commits its bins once, there are at most blocks x bins = %s x "
                   "%s",
                   grouped(cost.blocks), grouped(NUM_BINS));
    technique_is("no atomic in the main loop, and %s shared ones after it, at most threads x "
                 "bins = %s allowed",
                 grouped(cost.shared.atomic.lanes), grouped(cost.threads * NUM_BINS));
    text_free(&text);
}
