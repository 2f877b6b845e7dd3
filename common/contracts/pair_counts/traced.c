/* traced.c - what make trace asks of pair_counts(): see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>

#include "asked_input.h"
#include "exact_pairs.h"
#include "run.h"
#include "util.h"

/* Units are the points of a set, where a case is drawn. */
static const struct traced_case cases[] = {
    {SKY_UNIFORM, 0, 0, 3, 0, 1, 1},    {SKY_UNIFORM, 0, 1, 3, 0, 1, 1},
    {SKY_UNIFORM, 0, 2, 4, 0, 1, 1},    {SKY_AXES, 0, 8, 3, 0, 1, 1},
    {SKY_EQUAL, 0, 5, 2, 0, 1, 1},      {SKY_LATTICE, 0, 33, 20, 0, 1, 1},
    {SKY_CLUSTERS, 0, 65, 20, 0, 1, 1}, {SKY_CLUSTERS, 0, 257, 20, 0, 1, 1},
    {SKY_LATTICE, 0, 300, 90, 0, 1, 1}, {0},
};

static void shapes(struct shape *input, struct shape *output)
{
    *input = (struct shape){16,
                            8,
                            4,
                            {{"x", FIELD_FLOAT, 0, 32},
                             {"y", FIELD_FLOAT, 32, 32},
                             {"z", FIELD_FLOAT, 64, 32},
                             {"w", FIELD_FLOAT, 96, 32}}};
    *output = (struct shape){8, 8, 1, {{"counter", FIELD_UNSIGNED, 0, 64}}};
}

/* A tale is usual; a case has one random set. */
static struct input make(const struct traced_case *drawn, uint64_t seed)
{
    const struct sky_sizes sizes = {drawn->length, 1, (unsigned int)drawn->num_bins};
    struct input made = sizes.bins == 0 ? input_usual(seed, drawn->length)
                                        : input_of((enum sky)drawn->kind, seed, sizes);
    snprintf(made.drawn, sizeof made.drawn, "SIZE=%zu TEXT_SEED=%llu", drawn->length,
             (unsigned long long)seed);
    return made;
}

/* As many as a page of every step has room for, where no SIZE was typed. */
static struct input read_points(const char *file)
{
    enum { FEW = 16 };
    const struct drawn drawn = drawn_read(file);
    const struct traced_case one = {.length = *chosen("SIZE") ? drawn.length : FEW};
    return make(&one, drawn.seed);
}

/* At one end of an axis, or at the other. */
static void simplify(struct input *input, size_t from, size_t count, unsigned int way)
{
    for (size_t i = from; i < from + count; i++)
        for (size_t c = 0; c < 4; c++)
            input_set_coordinate(input, i, c, c > 0 ? 0 : way == 0 ? 1 : -1);
}

const struct traced_contract traced = {.unit = "point",
                                       .outputs = "counters",
                                       .shapes = shapes,
                                       .cases = cases,
                                       .tale = SKY_CLUSTERS,
                                       .tales = {16, 32, 64},
                                       .make = make,
                                       .read = read_points,
                                       .simplify = simplify};
