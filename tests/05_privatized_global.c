/* 05_privatized_global.c - right, and each block counts in a copy in global memory.
 *
 * The edge cases of tests/histogram.c catch here copies that nobody zeroed or that overlap, a
 * block whose copy is lost, a merge that begins before all have counted. */
#include "histogram/harness.h"

#include <stdio.h>
#include <string.h>

/* Blocks one by one: what a block counts must arrive, whichever block it is. Each text has a
 * letter in one place only. Catches a merge that leaves out block 0 or the last one. */
Test(chapter05, loses_no_block)
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

/* A second call finds the memory of the first one's copies, or some of its own. Catches copies
 * that are zeroed once, by luck, or not at all. */
Test(chapter05, is_right_call_after_call)
{
    struct text text = text_of(TEXT_ZIPF, 5, 20011);
    for (int call = 0; call < 3; call++)
        expect_right_on("20,011 characters, again and again", text.bytes, text.length);
    text_free(&text);
}

/* Private means that a block adds where no other one does: with a copy for each block there are as
 * many counters as blocks x bins, or characters where a block reads fewer. A quarter is asked for,
 * since a bin need not occur in a block. */
static void expect_a_copy_for_each_block(const struct measurement *cost)
{
    const uint64_t readers = cost->reading.threads / cost->threads_per_block + 1;
    const uint64_t characters = cost->length / readers;
    const uint64_t counters = characters < num_bins() ? characters : num_bins();
    expect_that(cost->elsewhere.addresses >= readers * counters / 4 || cost->blocks == 1,
                "the blocks count in the same copy: global atomics beside the final bins go to %s "
                "counters; with a copy for each of %s blocks there are about %s x %s",
                grouped(cost->elsewhere.addresses), grouped(readers), grouped(readers),
                grouped(counters));
}

/* Each block adds each of its bins to the final bins once: at most blocks x bins atomics. The copies
 * lie in global memory, and each counted character adds one there. Catches counting on the final
 * bins themselves, by all blocks or by one of them; copies in shared memory or in registers, which
 * belong to the next chapters; and one copy for the whole grid. */
Test(chapter05, adds_to_the_final_bins_only_to_merge)
{
    struct text text = text_of(TEXT_UNIFORM, 1, 1 << 20);
    struct measurement cost = measure(&text);
    expect_that(cost.counting_blocks == 0 || cost.counting_blocks > 1 || cost.blocks == 1,
                "one block counts in the final bins, and not in a copy: so does block 0 of the "
                "textbook, where the result is its copy; here each block has one of its own, and "
                "the final bins get at most blocks x bins = %s x %s atomics, not %s",
                grouped(cost.blocks), grouped(num_bins()), grouped(cost.bins.atomic.lanes));
    expect_at_most(cost.bins.atomic.lanes, "global atomics on the final bins",
                   cost.blocks * num_bins(),
                   "when each block adds its copy to them once, there are at most blocks x bins = "
                   "%s x %s",
                   grouped(cost.blocks), grouped(num_bins()));
    expect_that(cost.atomic_stripes * 256 >= cost.blocks * num_bins() * sizeof(int) / 2,
                "the blocks share their copies: %s blocks count in at most %s bytes of global "
                "memory; a copy for each takes blocks x bins x 4 = %s",
                grouped(cost.blocks), grouped(cost.atomic_stripes * 256),
                grouped(cost.blocks * num_bins() * sizeof(int)));
    expect_at_least(cost.elsewhere.atomic.lanes, "global atomics on memory that is not the bins",
                    cost.counted,
                    "private copies in global memory get one for each counted character");
    expect_a_copy_for_each_block(&cost);
    technique_is("%s global atomics on the final bins, at most blocks x bins = %s allowed",
                 grouped(cost.bins.atomic.lanes), grouped(cost.blocks * num_bins()));
    text_free(&text);
}
