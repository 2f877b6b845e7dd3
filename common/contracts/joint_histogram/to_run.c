/* to_run.c - on which pairs the chapters of joint_histogram() are run, traced and timed: see to_run.h. */
#include "to_run.h"

#include "drawn_pairs.h"

/* As many as in "Compiling Generalized Histograms for GPU" (SC20), the pixels of two pictures and the same pixels
 * shuffled. */
static const struct timed_shape timed[] = {
    {"pictures53", {1}, 1, {PAIRS_PICTURE, 2000000, {53, 53}}},
    {"shuffled53", {1}, 1, {PAIRS_SHUFFLED, 2000000, {53, 53}}},
    {"pictures203", {1}, 1, {PAIRS_PICTURE, 8000000, {203, 203}}},
    {"shuffled203", {1}, 1, {PAIRS_SHUFFLED, 8000000, {203, 203}}},
    {.name = NULL}};

/* In rows of 6 bins. */
static const struct traced_case cases[] = {
    TRACED(PAIRS_UNIFORM, 0, NUMBERS(6, 5)),
    TRACED(PAIRS_UNIFORM, 1, NUMBERS(6, 5)),
    TRACED(PAIRS_UNIFORM, 2, NUMBERS(6, 4)),
    TRACED(PAIRS_WHOLE, 8, NUMBERS(6, 5)),
    TRACED(PAIRS_UNIFORM, 33, NUMBERS(6, 5), .misalignment = 1),
    TRACED(PAIRS_BEYOND, 65, NUMBERS(6, 5)),
    TRACED(PAIRS_ONE_PLACE, 99, NUMBERS(6, 5)),
    TRACED(PAIRS_PICTURE, 300, NUMBERS(6, 5)),
    TRACED(PAIRS_UNIFORM, 5111, NUMBERS(6, 5)),
    NO_MORE_TRACED,
};

static const struct to_run pairs_to_run = {.contract = &joint_histogram_contract,
                                           .draw = pairs_drawn,
                                           .kind = "pairs",
                                           .units = "pairs",
                                           .does = "counts pairs",
                                           .usual = 1 << 13,
                                           MOST_SIMULATED(16777216, "pairs"),
                                           .called = "pairs",
                                           .shape = " (%u in %u x %u bins)",
                                           .few = {PAIRS_UNIFORM, 0, {6, 5}},
                                           .many = {PAIRS_PICTURE, 0, {53, 53}},
                                           .timed = timed,
                                           .tales = {16, 32, 64},
                                           .cases = cases,
                                           .simplify = simplify_floats};

const struct to_run *kernel_to_run(void)
{
    return &pairs_to_run;
}
