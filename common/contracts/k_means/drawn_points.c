/* drawn_points.c - draws points, the same on every machine: see drawn_points.h. */
#include "contract.h"
#include "drawn_points.h"

#include <stdio.h>

#include "grouped.h"
#include "must_have.h"
#include "random_numbers.h"

static const char *const words[POINTS_KINDS] = {
    [POINTS_UNIFORM] = "uniform points",
    [POINTS_BLOBS] = "points around centers",
    [POINTS_OFFSET] = "points 10,000 away",
    [POINTS_EQUAL] = "points, many equal",
};

/* Component `i` of a point. Centers are 16 apart in the first one, and points at most 1 away from theirs. */
static double coordinate_clusters(unsigned int kind, uint64_t *state, size_t point, size_t i,
                                  size_t clusters)
{
    enum { SPACING = 16, OFFSET = 10000, VALUES = 4 };
    const size_t center = point % (clusters > 0 ? clusters : 1);
    switch (kind) {
    case POINTS_BLOBS:
        return (i == 0 ? (double)(SPACING * center) : (double)((center * 7 + i * 3) % 5)) +
               2 * random_fraction(state) - 1;
    case POINTS_OFFSET:
        return OFFSET + random_fraction(state);
    case POINTS_EQUAL:
        return random_below(state, VALUES);
    default:
        return random_fraction(state);
    }
}

static void draw_points_clusters(struct input *input, unsigned int kind, uint64_t *state)
{
    const struct outputs at = outputs_of(input->length, input->more);
    for (size_t i = 0; i < at.points * at.dimensions; i++) {
        const float drawn = (float)coordinate_clusters(kind, state, i / at.dimensions,
                                                       i % at.dimensions, at.clusters);
        input_set_float(input, i, drawn);
    }
    for (size_t i = 0; i < at.end; i++) {
        const uint32_t before =
            (uint32_t)next_random(state) |
            1u << 20; /* so large a number is no count, and no number of steps */
        const float start = i < input->length
                                ? input_float(input, i)
                                : (float)coordinate_clusters(kind, state, i / at.dimensions,
                                                             i % at.dimensions, at.clusters);
        memcpy(input->bins + i * sizeof before, i < at.sums ? (const void *)&start : &before,
               sizeof before);
    }
}

struct input points_drawn(const struct drawn_case *drawn, uint64_t seed)
{
    const unsigned int *of = drawn->numbers;
    struct input input = input_for(&k_means_contract);
    input.length = drawn->units * of[DIMENSIONS];
    for (size_t i = 0; i < DRAWN_NUMBERS; i++)
        input.more[i] = of[i];
    input.num_bins = outputs_of(input.length, input.more).end;
    snprintf(input.name, sizeof input.name, "%s %s, d %u, k %u, %u step%s", grouped(drawn->units),
             words[drawn->kind], of[DIMENSIONS], of[CLUSTERS], of[STEPS],
             of[STEPS] == 1 ? "" : "s");
    input.elements = room_for(input.length, sizeof(float), "for the points of a test");
    input.bins = room_for(input.num_bins, sizeof(float), "for the points of a test");
    draw_points_clusters(&input, drawn->kind, &seed);
    return input;
}
