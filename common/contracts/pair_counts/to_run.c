/* to_run.c - on which points the chapters of pair_counts() are run, traced and timed: see to_run.h. */
#include "to_run.h"

#include "drawn_sky.h"

/* As many as in "Compiling Generalized Histograms for GPU" (SC20). A set has 162 million pairs. */
static const struct timed_shape timed[] = {
    {"paper", {1, 100}, 2, {SKY_CLUSTERS, 10391, {ASKED, 20}}}, {.name = NULL}};

/* Each case has one random set. */
static const struct traced_case cases[] = {
    TRACED(SKY_UNIFORM, 0, NUMBERS(1, 3)),    TRACED(SKY_UNIFORM, 1, NUMBERS(1, 3)),
    TRACED(SKY_UNIFORM, 2, NUMBERS(1, 4)),    TRACED(SKY_AXES, 8, NUMBERS(1, 3)),
    TRACED(SKY_EQUAL, 5, NUMBERS(1, 2)),      TRACED(SKY_LATTICE, 33, NUMBERS(1, 20)),
    TRACED(SKY_CLUSTERS, 65, NUMBERS(1, 20)), TRACED(SKY_CLUSTERS, 257, NUMBERS(1, 20)),
    TRACED(SKY_LATTICE, 300, NUMBERS(1, 90)), NO_MORE_TRACED,
};

/* Puts points at one end of an axis, or at the other. */
static void simplify_sky(struct input *input, size_t from, size_t count, unsigned int way)
{
    for (size_t i = COMPONENTS * from; i < COMPONENTS * (from + count); i++)
        input_set_float(input, i, i % COMPONENTS > 0 ? 0 : way == 0 ? 1 : -1);
}

static const struct to_run sky_to_run = {.contract = &pair_counts_contract,
                                         .draw = sky_drawn,
                                         .kind = "sky",
                                         .units = "points",
                                         .does = "counts pairs of points",
                                         .usual = 1 << 9,
                                         MOST_SIMULATED(16384, "points"),
                                         .called = "points",
                                         .shape = " (%u points and %u random sets in %u bins)",
                                         .few = {SKY_CLUSTERS, 0, {1, 4}},
                                         .many = {SKY_CLUSTERS, 0, {2, 20}},
                                         .timed = timed,
                                         .tales = {8, 16, 32},
                                         .cases = cases,
                                         .simplify = simplify_sky};

const struct to_run *kernel_to_run(void)
{
    return &sky_to_run;
}
