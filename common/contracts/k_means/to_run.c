/* to_run.c - on which points the chapters of k_means() are run, traced and timed: see to_run.h. */
#include "to_run.h"

#include "drawn_points.h"

/* Points as many as in "Compiling Generalized Histograms for GPU" (SC20), and the pixels of a picture. One step of
 * the last has 26 billion squares. */
static const struct timed_shape timed[] = {
    {"picture", {1, 10}, 10, {POINTS_UNIFORM, (size_t)4096 * 4096, {3, 16, ASKED}}},
    {"paper5", {1, 10}, 10, {POINTS_UNIFORM, 100000, {256, 5, ASKED}}},
    {"paper1024", {1, 10}, 1, {POINTS_UNIFORM, 100000, {256, 1024, ASKED}}},
    {.name = NULL}};

static const struct traced_case cases[] = {
    TRACED(POINTS_UNIFORM, 0, NUMBERS(2, 1, 2)),
    TRACED(POINTS_UNIFORM, 1, NUMBERS(2, 1, 2)),
    TRACED(POINTS_UNIFORM, 8, NUMBERS(2, 2, 2)),
    TRACED(POINTS_EQUAL, 33, NUMBERS(2, 3, 2)),
    TRACED(POINTS_UNIFORM, 33, NUMBERS(2, 3, 2), .misalignment = 1),
    TRACED(POINTS_OFFSET, 65, NUMBERS(2, 3, 2)),
    TRACED(POINTS_BLOBS, 99, NUMBERS(2, 5, 2)),
    TRACED(POINTS_UNIFORM, 300, NUMBERS(2, 5, 2), .calls = 2),
    TRACED(POINTS_UNIFORM, 2111, NUMBERS(2, 5, 2)),
    NO_MORE_TRACED,
};

/* Few points lie in the plane; more are as the pixels of a picture, with a palette of 16. */
static const struct to_run points_to_run = {.contract = &k_means_contract,
                                            .draw = points_drawn,
                                            .kind = "points",
                                            .units = "points",
                                            .does = "groups points",
                                            .usual = 1 << 13,
                                            MOST_SIMULATED(16777216, "points"),
                                            .called = "coordinates",
                                            .shape = " (%u points of %u in %u clusters)",
                                            .few = {POINTS_UNIFORM, 0, {2, 2, 1}},
                                            .many = {POINTS_UNIFORM, 0, {3, 16, 4}},
                                            .timed = timed,
                                            .tales = {16, 32, 64},
                                            .cases = cases,
                                            .simplify = simplify_floats};

const struct to_run *kernel_to_run(void)
{
    return &points_to_run;
}
