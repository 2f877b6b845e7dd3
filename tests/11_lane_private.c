/* 11_lane_private.c - right, and the lanes of a warp count in 32 different banks.
 *
 * The edge cases of tests/histogram.c catch here a table that is not zeroed, or not as a whole;
 * rows that are not folded. */
#include "histogram/harness.h"

#include <stdio.h>
#include <string.h>

enum { LENGTH = 1 << 16, BYTE_VALUES = 256, LANES = 32, ENOUGH = 8 * 1000 * 1000 };

/* As in chapter 10. */
Test(chapter11, is_right_where_rounds_end)
{
    expect_right_around_rounds();
}

/* Lane by lane: what a lane counts must arrive. Each text has a letter in the word of one lane
 * only. Catches a fold that leaves out a column. */
Test(chapter11, loses_no_column)
{
    enum { WORD = 16, WARP = LANES * WORD };
    unsigned char text[WARP];
    for (size_t lane = 0; lane < LANES; lane += expect_right_step(LANES, ENOUGH)) {
        char what[64];
        snprintf(what, sizeof what, "a 'z' in the word of lane %zu and else only commas", lane);
        memset(text, ',', WARP);
        text[lane * WORD + lane % WORD] = 'z';
        expect_right_on(what, text, WARP);
    }
}

/* Byte by byte: the bin of each value is asked for when the table is folded. Catches a row that
 * is folded into another row's bin, or left out. */
Test(chapter11, loses_no_row)
{
    unsigned char text[3 * BYTE_VALUES];
    for (size_t value = 0; value < BYTE_VALUES; value += 5 * expect_right_step(52, ENOUGH)) {
        char what[64];
        snprintf(what, sizeof what, "%zu bytes of value %zu", sizeof text, value);
        memset(text, (int)value, sizeof text);
        expect_right_on(what, text, sizeof text);
    }
}

/* What all kinds of text have in common: a lane never meets another. The main loop has no two
 * lanes at one address, and no two in one bank, so a request takes one wavefront. In the fold
 * some may meet: a block adds the sums of 256 rows to its bins, and at the worst all of them in
 * one bank, one after the other, so that it has 256 more. */
static struct measurement expect_banks_of_lanes(const struct text *text, const char *kind)
{
    const struct measurement cost = measure(text);
    const uint64_t fold = cost.blocks * BYTE_VALUES;
    expect_at_most(cost.shared.meeting, "lanes of shared atomics contended for one address", fold,
                   "on %s text: a lane counts in a column of its own, and may contend only "
                   "when a block adds its rows to its bins, blocks x rows = %s x 256",
                   kind, grouped(cost.blocks));
    expect_at_most(cost.shared.atomic.wavefronts, "wavefronts of shared atomics",
                   cost.shared.atomic.requests + fold,
                   "on %s text: one for each of %s requests, since a column is a bank, and %s x "
                   "256 when blocks add their rows to their bins",
                   kind, grouped(cost.shared.atomic.requests), grouped(cost.blocks));
    const uint64_t edges = 2 * 16; /* the characters before the first word, and after the last */
    expect_at_most(
        cost.shared.atomic.requests, "requests of shared atomics", LENGTH / 8 + edges + fold,
        "on %s text: lanes that take turns meet nobody, either; those of a warp count together, "
        "at least 8 of them: %s / 8, and 32 for the characters outside of words, and blocks x "
        "rows = %s x 256",
        kind, grouped(LENGTH), grouped(cost.blocks));
    return cost;
}

/* Catches a copy of the bins that lanes share, also one for which they take turns; copies for each
 * lane, but side by side in memory, so that lanes with different characters meet in a bank;
 * padding that only moves the conflicts to other characters. */
Test(chapter11, keeps_lanes_apart_whatever_the_text)
{
    for (enum text_kind kind = 0; kind < TEXT_KINDS; kind++) {
        struct text text = text_of(kind, 1, LENGTH);
        expect_banks_of_lanes(&text, text_kind_name(kind));
        text_free(&text);
    }
}

/* All 256 values of a byte are the hardest text, with 5 bins, too. */
Test(chapter11, keeps_lanes_apart_on_uniform_bytes)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    for (size_t i = 0; i < LENGTH; i++) /* of letters, or of bytes, come bytes */
        text.bytes[i] = (unsigned char)((text.bytes[i] * 2654435761u + i * 40503u) >> 7);
    const struct measurement cost = expect_banks_of_lanes(&text, "uniform bytes as");
    technique_is("%s wavefronts for %s shared atomic requests on uniform bytes",
                 grouped(cost.shared.atomic.wavefronts), grouped(cost.shared.atomic.requests));
    text_free(&text);
}

/* Each counted character adds one in shared memory. Catches counting in registers, and one
 * update for several characters, which belong to other chapters. */
Test(chapter11, makes_one_shared_atomic_for_each_counted_character)
{
    expect_counted_by_shared_atomics(LENGTH, "a lane's counters in shared memory");
}

/* Reading as in chapter 10: each character once, 16 by a load, but for 15 before the first word
 * and 15 after the last. A block commits its bins once: at most blocks x bins atomics on the final
 * bins. Catches rows that are added to the final bins one by one. */
Test(chapter11, reads_as_in_chapter_10_and_commits_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_most(cost.text.load.lanes, "loads of the threads", LENGTH / 16 + 30,
                   "with 16 characters a load they are %s / 16 + 15 before the first word + 15 "
                   "after the last",
                   grouped(LENGTH));
    expect_exactly(cost.reading.bytes, "characters read", LENGTH,
                   "each character is read once, and there are %s", grouped(LENGTH));
    expect_exactly(cost.elsewhere.atomic.lanes, "global atomics elsewhere than on the final bins",
                   0, "a block's counters lie in shared memory, and none is needed");
    expect_that(
        cost.bins.atomic.lanes <= cost.blocks * num_bins() ||
            cost.bins.atomic.lanes > cost.blocks * BYTE_VALUES,
        "each row of the table is committed by itself, %s global atomics on the final bins; "
        "add the rows of a bin up in the block first, and commit its bins: at most blocks x "
        "bins = %s x %s",
        grouped(cost.bins.atomic.lanes), grouped(cost.blocks), grouped(num_bins()));
    expect_commits_once(&cost, "bins", num_bins());
    text_free(&text);
}
