/* traced.c - what make trace asks of pair_counts(): see traced_contract.h. */
#include "traced_contract.h"

#include "drawn_sky.h"

/* Units are the points of a set, where a case is drawn. */
static const struct traced_case cases[] = {
    {SKY_UNIFORM, 0, 0, 3, 0, 1, 1},    {SKY_UNIFORM, 0, 1, 3, 0, 1, 1},
    {SKY_UNIFORM, 0, 2, 4, 0, 1, 1},    {SKY_AXES, 0, 8, 3, 0, 1, 1},
    {SKY_EQUAL, 0, 5, 2, 0, 1, 1},      {SKY_LATTICE, 0, 33, 20, 0, 1, 1},
    {SKY_CLUSTERS, 0, 65, 20, 0, 1, 1}, {SKY_CLUSTERS, 0, 257, 20, 0, 1, 1},
    {SKY_LATTICE, 0, 300, 90, 0, 1, 1}, {0},
};

/* Counters; the edges lie behind them. */
static size_t results(const struct input *input)
{
    return sky_outputs(input->length, input->more).edges;
}

/* At one end of an axis, or at the other. */
static void simplify_sky(struct input *input, size_t from, size_t count, unsigned int way)
{
    for (size_t i = COMPONENTS * from; i < COMPONENTS * (from + count); i++)
        input_set_float(input, i, i % COMPONENTS > 0 ? 0 : way == 0 ? 1 : -1);
}

const struct traced_contract traced = {.contract = &pair_counts_contract,
                                       .outputs = "counters",
                                       .results = results,
                                       .behind = "edges",
                                       .cases = cases,
                                       .make = traced_drawn,
                                       .usual = 16,
                                       .simplify = simplify_sky};
