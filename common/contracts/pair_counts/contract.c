/* contract.c - what the judge knows of pair_counts(): see contract.h; and how inputs lie in memory. */
#include "contract.h"

#include <stdio.h>

#include "exact_pairs.h"

/* "d_dr[3]". */
static void name_output_sky(const struct oracle *oracle, size_t i, char *name, size_t size)
{
    static const char *const arrays[] = {"d_dd", "d_dr", "d_rr"};
    snprintf(name, size, "%s[%zu]", arrays[i / oracle->at.counters], i % oracle->at.counters);
}

/* As many sets as have up to 61 points each. */
static struct input draw_sky(uint64_t seed, size_t length)
{
    enum { OF_A_SET = 61, USUAL_BINS = 20 };
    const unsigned int sets = (unsigned int)(length / OF_A_SET);
    return sky_drawn(&(struct drawn_case){SKY_CLUSTERS, length / (sets + 1), {sets, USUAL_BINS}},
                     seed);
}

/* A pair is three accesses, of a warp in vain up to 32 times as many; each block makes a table. */
static uint64_t limit_of_sky(const struct call *call)
{
    enum { AT_LEAST = 8 * 1000 * 1000, A_PAIR = 64, A_SET = 100 * 1000 };
    const struct outputs at = sky_outputs(call->length, call->more);
    return AT_LEAST + (at.sets + 1) * (A_SET + at.points * at.points * A_PAIR);
}

/* Up to the threads of a block those of k_means, with which a ladder has one file. */
static const struct count columns[] = {
    COLUMNS_OF_APPLICATIONS,
    {"loads_of_points", {OF(elements.load.lanes)}, NULL},
    {NULL, {0}, NULL},
};

static void shapes_of_sky(enum operation unused, struct shape *unit, struct shape *output)
{
    (void)unused;
    *unit = (struct shape)FOUR_FLOATS(8, "x", "y", "z", "w");
    *output = (struct shape){8, 8, 1, {{"counter", FIELD_UNSIGNED, 0, 64}}};
}

/* How the far end is looked at. */
static void look_far_sky(struct far_plan *plan)
{
    plan->limits.laps = UINT64_MAX;
    plan->budget = 4 * 1000 * 1000;
}

const struct contract pair_counts_contract = {
    .words = {.function = "pair_counts()",
              .unit = "point",
              .units = "points",
              .input = "points",
              .output = "result",
              .output_is = "the counters are",
              .by_kernel = "the pairs have to be counted by kernels, on the device",
              .when_empty = "without points the grid has 0 blocks, which CUDA refuses; then there "
                            "is nothing to add"},
    .oracle = pairs_oracle,
    .may_hold = pairs_may_hold,
    .say = pairs_say,
    .causes = &causes_of_pairs,
    .compare = pairs_compare,
    .outputs = "outputs",
    .name_output = name_output_sky,
    .longest_part = 1 << 18,
    .draw = draw_sky,
    .ordinary = 1021,
    .columns = columns,
    .shapes = shapes_of_sky,
    .guard = 0.577F, /* a guard is near to all others, and would be seen in the first counters */
    .limit = limit_of_sky,
    .look_far = look_far_sky,
};
