/* 07_register.c - right, and each thread counts in registers.
 *
 * The edge cases of tests/histogram.c catch here counters that nobody zeroed, in registers or in
 * shared memory; a barrier that is missing before or after the threads fold their counters; a
 * lost bin.
 *
 * Bins: 5 26 */
#include "histogram/harness.h"

#include <stdio.h>
#include <string.h>

/* Long enough for several characters a thread on the largest useful grid: a GPU of 132
 * multiprocessors holds 132 x 2,048 = 270,336 threads, and 2^20 / 270,336 > 3. */
enum { LENGTH = 1 << 20 };

/* Texts in which one thread of a block counts and the others do not, or only the last bin is
 * met. Catches a fold by some of the threads, and a loop over one bin too few. */
Test(chapter07, folds_every_counter_of_every_thread)
{
    enum { CHARACTERS = 2 * 256 + 3 };
    unsigned char text[CHARACTERS];
    for (size_t at = 0; at < CHARACTERS; at += 57) {
        char what[64];
        snprintf(what, sizeof what, "a 'z' at %zu and else only commas", at);
        memset(text, ',', CHARACTERS);
        text[at] = 'z';
        expect_right_on(what, text, CHARACTERS);
    }
}

/* Registers need no atomics: a thread makes none between two characters that it reads. Catches
 * kernels that count in memory, also in a row of shared memory for each thread, and aggregation and votes, which add in the main loop. For the
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
    expect_exactly(cost.reading.counter_loads,
                   "wavefronts of loads of shared counters in the main loop", 0,
                   "a thread that counts in its registers loads no counters, so there are");
    text_free(&text);
}

/* When it is done, a thread adds each of its counters once: at most threads x bins shared
 * atomics. The block commits as in chapter 6: at most blocks x bins global ones. */
Test(chapter07, adds_each_counter_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 16);
    struct measurement cost = measure(&text);
    expect_at_most(cost.shared.atomic.lanes, "shared atomics", cost.threads * num_bins(),
                   "when each thread adds each counter once, there are at most threads x bins = "
                   "%s x %s",
                   grouped(cost.threads), grouped(num_bins()));
    expect_commits_once(&cost, "bins", num_bins());
    expect_no_counting_in_global_memory(&cost);
    technique_is("no atomic in the main loop, and %s shared ones after it, at most threads x "
                 "bins = %s allowed",
                 grouped(cost.shared.atomic.lanes), grouped(cost.threads * num_bins()));
    text_free(&text);
}
