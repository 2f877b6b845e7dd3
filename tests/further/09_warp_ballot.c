/* 09_warp_ballot.c - chapter 9, further: right, without private copies, and one lane adds for all.
 *
 * The kernel of chapter 4 with votes: atomics on the final bins in global memory. */
#include "histogram/harness.h"

enum { LENGTH = 1 << 16, LONG = 1 << 20 };

/* No private copy anywhere: the exercise is about atomics in global memory. */
static void expect_adds_to_the_final_bins(const struct measurement *cost)
{
    expect_exactly(cost->shared.atomic.lanes, "shared atomics", 0,
                   "the leaders add to the bins in global memory, without private copies: in all");
    expect_no_counting_in_global_memory(cost);
}

/* The atomics of a warp are at most the distinct bins among the characters that it has loaded
 * together. Catches chapter 4 as it is, an atomic for each letter, and votes that choose no one. */
Test(further09, makes_at_most_one_global_atomic_for_each_distinct_bin_of_a_warp)
{
    const enum text_kind contents[] = {TEXT_ENGLISH, TEXT_SINGLE, TEXT_UNIFORM};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text text = text_of(contents[i], 1, LENGTH);
        struct measurement cost = measure(&text);
        expect_adds_to_the_final_bins(&cost);
        expect_at_most(cost.bins.atomic.lanes, "global atomics on the final bins",
                       cost.distinct_bins,
                       "in %s text the characters that the warps load together have so many "
                       "distinct bins, one atomic each",
                       text_kind_name(contents[i]));
        text_free(&text);
    }
}

/* Where no two lanes want one address, a request needs each sector of the bins once at most.
 * English text in 5 bins: one sector a request, where chapter 4 needs about nine. And the lanes
 * have voted, a warp at least once for each load. */
Test(further09, needs_each_sector_of_the_bins_once_a_request)
{
    struct text text = text_of(TEXT_ENGLISH, 1, LONG);
    struct measurement cost = measure(&text);
    const uint64_t sectors = (num_bins() * sizeof(unsigned int) + 31) / 32;
    expect_at_least(cost.counters.votes, "votes of a warp", cost.text.load.requests,
                    "to find the lanes with the same bin takes at least one for each load of a "
                    "warp, and the warps load the text in");
    expect_at_most(cost.bins.atomic.sectors, "sectors of global atomics",
                   cost.bins.atomic.requests * sectors,
                   "when no two lanes of a request want one bin, it needs each of the bins' "
                   "sectors once, %s x %s",
                   grouped(cost.bins.atomic.requests), grouped(sectors));
    technique_is("%s global atomics for %s letters, in %s sectors", grouped(cost.bins.atomic.lanes),
                 grouped(cost.counted), grouped(cost.bins.atomic.sectors));
    text_free(&text);
}
