/* traced.c - what make trace asks of k_means(): see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>

#include "asked_input.h"
#include "exact_steps.h"
#include "drawn_points.h"
#include "run.h"

static const struct traced_case cases[] = {
    {POINTS_UNIFORM, 0, 0, 1, 0, 1, 1},    {POINTS_UNIFORM, 0, 1, 1, 0, 1, 1},
    {POINTS_UNIFORM, 0, 8, 2, 0, 1, 1},    {POINTS_EQUAL, 0, 33, 3, 0, 1, 1},
    {POINTS_UNIFORM, 0, 33, 3, 1, 1, 1},   {POINTS_OFFSET, 0, 65, 3, 0, 1, 1},
    {POINTS_BLOBS, 0, 99, 5, 0, 1, 1},     {POINTS_UNIFORM, 0, 300, 5, 0, 2, 1},
    {POINTS_UNIFORM, 0, 2111, 5, 0, 1, 1}, {0},
};

/* An output is a float or a whole number: the page shows both. */
static void shapes(struct shape *input, struct shape *output)
{
    *input = (struct shape){4, 4, 1, {{"coordinate", FIELD_FLOAT, 0, 32}}};
    *output =
        (struct shape){4, 4, 2, {{"float", FIELD_FLOAT, 0, 32}, {"number", FIELD_UNSIGNED, 0, 32}}};
}

/* Points in the plane, two steps. */
static struct input make(const struct traced_case *drawn, uint64_t seed)
{
    enum { PLANE = 2, FEW_STEPS = 2, USUAL_CLUSTERS = 2 };
    const unsigned int clusters =
        drawn->num_bins > 0 ? (unsigned int)drawn->num_bins : USUAL_CLUSTERS;
    struct input made = input_of((enum points)drawn->kind, seed,
                                 (struct sizes){drawn->length, PLANE, clusters, FEW_STEPS, 0});
    snprintf(made.drawn, sizeof made.drawn, "SIZE=%zu TEXT_SEED=%llu", drawn->length,
             (unsigned long long)seed);
    return made;
}

static struct input read_points(const char *file)
{
    const struct drawn drawn = drawn_read(file);
    const struct traced_case one = {.kind = POINTS_UNIFORM,
                                    .length = drawn.length < 64 ? drawn.length : 64};
    return make(&one, drawn.seed);
}

/* At the origin, or at 1. */
static void simplify(struct input *input, size_t from, size_t count, unsigned int way)
{
    enum { BITS_OF_1 = 0x3f800000 };
    for (size_t i = from; i < from + count; i++)
        input_set_bits(input, i, way == 0 ? 0 : BITS_OF_1);
}

const struct traced_contract traced = {.unit = "coordinate",
                                       .outputs = "outputs",
                                       .shapes = shapes,
                                       .cases = cases,
                                       .tale = POINTS_UNIFORM,
                                       .tales = {16, 32, 64},
                                       .make = make,
                                       .read = read_points,
                                       .simplify = simplify};
