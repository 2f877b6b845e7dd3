/* 09_warp_ballot.c - right, and one lane adds for all lanes of its warp with the same bin.
 *
 * The edge cases of tests/histogram.c catch here a ballot that not all lanes reach, in the warp
 * where the text ends or where a character is not counted; lanes past the end that vote for a
 * bin. */
#include "histogram/harness.h"

#include <stdio.h>

enum { LENGTH = 1 << 16, WARP = 32 };

/* Every number of lanes that a last warp can have. Catches a full mask where some lanes have
 * left the loop, and a leader that is not among the lanes that count. */
Test(chapter09, is_right_on_partial_warps)
{
    struct text text = text_of(TEXT_UNIFORM, 6, 3 * WARP);
    for (size_t length = 2 * WARP + 1; length <= text.length; length++) {
        char what[64];
        snprintf(what, sizeof what, "%zu characters", length);
        expect_right_on(what, text.bytes, length);
    }
    text_free(&text);
}

/* In each warp one lane counts, and the others meet characters without a bin. Catches a leader
 * that is always lane 0, and a vote among the lanes that count with a mask that names all. */
Test(chapter09, is_right_when_a_single_lane_counts)
{
    unsigned char text[WARP];
    for (size_t lane = 0; lane < WARP; lane++) {
        char what[64];
        snprintf(what, sizeof what, "a 'q' at %zu and else only '~'", lane);
        memset(text, '~', WARP);
        text[lane] = 'q';
        expect_right_on(what, text, WARP);
    }
}

/* Bins whose numbers differ in one bit only. Catches a vote over too few bits, which takes two
 * bins for one, and -1 taken for the bin whose bits are all set. */
Test(chapter09, tells_bins_apart_by_every_bit)
{
    unsigned char text[2 * WARP];
    for (unsigned int bit = 1; bit < 256; bit *= 2) {
        for (unsigned int i = 0; i < sizeof text; i++)
            text[i] = (unsigned char)(i % 2 ? 'a' : 'a' ^ bit);
        expect_right_on("characters that differ in one bit", text, sizeof text);
        for (unsigned int i = 0; i < sizeof text; i++)
            text[i] = (unsigned char)(num_bins() == 256 ? (i % 3 ? 255 : 255 ^ bit) : 'a' + i % 26);
        expect_right_on("bins from the first to the last", text, sizeof text - 5);
    }
}

/* In one request of a warp no two lanes add to the same bin: one adds for all that share it.
 * Catches counting without votes, and a vote whose result is not used to choose a leader. */
Test(chapter09, lets_one_lane_add_for_all_with_its_bin)
{
    const enum text_kind contents[] = {TEXT_UNIFORM, TEXT_ENGLISH, TEXT_SINGLE};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        struct measurement cost = measure(&text);
        expect_that(cost.shared.meeting == 0,
                    "%s of %s shared atomics add to a bin to which another lane of the same "
                    "request adds: one lane has to add for all lanes of its warp that share a bin",
                    grouped(cost.shared.meeting), grouped(cost.shared.atomic.lanes));
        text_free(&text);
    }
}

/* The atomics of a warp are at most the distinct bins among the characters that it has loaded
 * together, summed over its loads; with one letter only that is one of 32. Catches an
 * atomic for each lane, and one for each bin whether it was met or not. */
Test(chapter09, makes_at_most_one_shared_atomic_for_each_distinct_bin_of_a_warp)
{
    const enum text_kind contents[] = {TEXT_ENGLISH, TEXT_SINGLE, TEXT_UNIFORM};
    struct measurement cost = {.length = 0};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        cost = measure(&text);
        expect_at_most(cost.shared.atomic.lanes, "shared atomics", cost.distinct_bins,
                       "in %s text the characters that the warps load together have so many "
                       "distinct bins, one atomic each",
                       text_kind_name(contents[i]));
        text_free(&text);
    }
    technique_is("%s shared atomics for %s characters, at most %s distinct bins in the warps",
                 grouped(cost.shared.atomic.lanes), grouped(cost.counted),
                 grouped(cost.distinct_bins));
}

/* The lanes find each other by voting: a warp that has loaded 32 characters needs at least one
 * ballot or match to know whose bins are equal. Catches counting in registers, whose atomics
 * are few as well, and a mask of whoever happens to be there. And the block commits as in chapter 6. */
Test(chapter09, votes_about_each_load_and_commits_once)
{
    struct text text = text_of(TEXT_UNIFORM, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_at_least(cost.counters.votes, "votes of a warp", cost.text.load.requests,
                    "to find the lanes with the same bin takes at least one for each load of a "
                    "warp, and the warps load the text in");
    expect_exactly(
        cost.counters.activemasks, "lanes call __activemask() for a mask", 0,
        "it says who happens to be together, and CUDA never promises that lanes are: take "
        "the mask from the block's size, or from a ballot before the branch; calls");
    expect_commits_once(&cost, "bins", num_bins());
    expect_no_counting_in_global_memory(&cost);
    expect_exactly(
        cost.reading.counter_loads, "wavefronts of loads of shared counters in the main loop", 0,
        "a leader adds to the block's bins by an atomic; nobody loads these before all have "
        "counted, so there are");
    text_free(&text);
}
