/* 33_tagged_warps.c - going further: two sets of bins for a warp, so that fewer of its lanes meet. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 15, WARP = 32, HALF = WARP / 2 };

/* 16 lanes that meet write 16 + 15 + ... + 1 times, and there are two such sets: 272 for 32 equal
 * characters, and not 528. Bins are zeroed as well: some thousand stores. Catches the chapter's one set. */
Test(further33, meets_in_two_sets_of_bins)
{
    struct text text = text_of(TEXT_SINGLE, 1, LENGTH);
    struct measurement cost = measure(&text);
    const uint64_t tries = (uint64_t)LENGTH / WARP * 2 * (HALF * (HALF + 1) / 2);
    const uint64_t zeroed = cost.threads / WARP * 2 * num_bins();
    expect_at_most(
        cost.shared.store.lanes, "stores in shared memory", tries + zeroed,
        "of 16 lanes that share a set one counts at a time: %s warps' worth of characters x "
        "2 x (16 + 15 + ... + 1), and %s zeros",
        grouped(LENGTH / WARP), grouped(zeroed));
    expect_at_least(cost.shared.store.lanes, "stores in shared memory", tries,
                    "no lane counts for another one: %s x 2 x (16 + 15 + ... + 1)",
                    grouped(LENGTH / WARP));
    expect_exactly(cost.shared.atomic.lanes, "shared atomics", 0,
                   "a lane sees by the tag whether its write stayed, and needs none");
    technique_is("%s stores for %s equal characters; one set of bins takes %s",
                 grouped(cost.shared.store.lanes), grouped(cost.length),
                 grouped((uint64_t)LENGTH / WARP * 528));
    text_free(&text);
}
