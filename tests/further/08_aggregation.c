/* 08_aggregation.c - chapter 8, further: right, by additions that are loops, and few of them.
 *
 * The block's bins are floats. Shared memory has no instruction that adds to one, so that every
 * atomicAdd is a loop around compare-and-swap: see docs/simulator.md. */
#include "histogram/harness.h"

/* Long enough for four characters a thread on the largest useful grid: see chapter 8. */
enum { LENGTH = 1 << 16, LONG = 1 << 20 };

/* Rounds of the loops; one for each atomic of a warp where shared memory has an instruction. */
static uint64_t rounds(const struct measurement *cost)
{
    return cost->counters.shared[SIM_RED].requests + cost->counters.shared[SIM_ATOM].requests;
}

/* In a text of one letter all lanes add to one bin, and in a loop one of them wins each round: as
 * many rounds as lanes that add. Catches bins of unsigned int, whose additions are one instruction
 * for all lanes of a request. */
Test(further08, adds_in_a_loop_of_compare_and_swap)
{
    struct text text = text_of(TEXT_SINGLE, 1, LENGTH);
    struct measurement cost = measure(&text);
    expect_that(cost.shared.atomic.requests > 0, "no atomic in shared memory: let the block's bins "
                                                 "lie there, as floats");
    expect_at_least(rounds(&cost), "rounds of shared atomics in a text of one letter",
                    cost.reading.threads,
                    "lanes that add to one float take turns, so that there is a round at least for "
                    "each thread that reads");
    expect_commits_once(&cost, "bins", num_bins());
    expect_no_counting_in_global_memory(&cost);
    text_free(&text);
}

/* A round for each run of four characters or more, at most: runs of 32 leave each thread that
 * reads 4 in a row with counted / 4. Catches floats to which each character is added by itself, with
 * a round for each lane, and aggregation over characters that lie a grid apart. */
Test(further08, makes_few_rounds_on_runs)
{
    struct text runs = text_of_runs(32, 1, LONG), english = text_of(TEXT_ENGLISH, 1, LONG);
    struct measurement cost = measure(&runs), other = measure(&english);
    expect_at_most(rounds(&cost), "rounds of shared atomics in runs of 32", cost.counted / 4,
                   "with one addition for each run of at least 4 characters there are at most "
                   "%s / 4",
                   grouped(cost.counted));
    technique_is("%s rounds of compare-and-swap in runs of 32, %s in English text",
                 grouped(rounds(&cost)), grouped(rounds(&other)));
    text_free(&runs);
    text_free(&english);
}
