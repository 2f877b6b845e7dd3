/* 33_tagged_warps.c - right, and each warp counts in bins of its own by tagged writes, without atomics.
 *
 * The edge cases of tests/histogram.c catch here counts with a tag left in them, and warps whose bins
 * nobody adds up. */
#include "histogram/harness.h"

#include <stdio.h>

/* Of equal characters fewer: each is written 16 times. */
enum { LENGTH = 1 << 15, EQUAL_LENGTH = 1 << 12, WARP = 32 };

/* Catches lanes that go in step by luck: on 20 schedules a lane that runs ahead of its warp meets
 * another one, and what the checks report of one schedule only is reported. */
Test(chapter33, is_right_on_20_schedules)
{
    struct text texts[] = {text_of(TEXT_SINGLE, 1, 700), text_of(TEXT_UNIFORM, 2, 3000)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (unsigned int seed = 1; seed <= 20; seed++) {
            char what[256];
            snprintf(what, sizeof what, "%s, on the schedule of seed %u", texts[i].name, seed);
            set_schedule(seed);
            expect_right_untold_at(what, texts[i].bytes, texts[i].length, 0);
        }
        text_free(&texts[i]);
    }
}

/* Every number of lanes that a last warp can have. Catches a vote or a __syncwarp() that names lanes
 * which have left the loop over the text. */
Test(chapter33, is_right_on_partial_warps)
{
    struct text text = text_of(TEXT_UNIFORM, 6, 2 * WARP);
    for (size_t length = WARP + 1; length <= text.length; length++) {
        char what[64];
        snprintf(what, sizeof what, "%zu characters", length);
        expect_right_once_at(what, text.bytes, length, 0);
    }
    text_free(&text);
}

/* Catches atomics in shared memory, and in global memory while the threads still read. */
Test(chapter33, counts_without_atomics)
{
    const enum text_kind contents[] = {TEXT_UNIFORM, TEXT_SINGLE};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text =
            text_of(contents[i], 1, contents[i] == TEXT_SINGLE ? EQUAL_LENGTH : LENGTH);
        struct measurement cost = measure(&text);
        expect_exactly(cost.shared.atomic.lanes, "shared atomics", 0,
                       "a warp sees by the tag whose write stayed, and needs none: on %s",
                       text.name);
        expect_exactly(cost.elsewhere.atomic.lanes,
                       "global atomics elsewhere than on the final bins", 0,
                       "a warp's bins lie in shared memory, and need none: on %s", text.name);
        expect_commits_once(&cost, "bins", num_bins());
        expect_at_least(cost.shared.store.lanes, "stores in shared memory", cost.counted,
                        "each of %s characters that have a bin is written with a tag at least "
                        "once: on %s",
                        grouped(cost.counted), text.name);
        if (i == 0)
            technique_is("no atomic while counting, %s stores for %s characters that have a bin",
                         grouped(cost.shared.store.lanes), grouped(cost.counted));
        text_free(&text);
    }
}

/* Lanes that meet write once for each of them that has not yet counted: 32 + 31 + ... + 1 stores for 32
 * equal characters. Catches one lane that counts for all, which is chapter 9, and lanes that wait for
 * each other, one after the other, where none met. */
Test(chapter33, tries_again_only_where_lanes_meet)
{
    struct text single = text_of(TEXT_SINGLE, 1, EQUAL_LENGTH);
    struct measurement cost = measure(&single);
    expect_at_least(cost.shared.store.lanes, "stores in shared memory",
                    (uint64_t)EQUAL_LENGTH / WARP * 528,
                    "of 32 lanes that contend one counts at a time: %s warps x (32 + 31 + ... + 1)",
                    grouped(EQUAL_LENGTH / WARP));
    text_free(&single);
}
