/* traced.c - what make trace asks of k_means(): see traced_contract.h. */
#include "traced_contract.h"

#include "drawn_points.h"

static const struct traced_case cases[] = {
    {POINTS_UNIFORM, 0, 0, 1, 0, 1, 1},    {POINTS_UNIFORM, 0, 1, 1, 0, 1, 1},
    {POINTS_UNIFORM, 0, 8, 2, 0, 1, 1},    {POINTS_EQUAL, 0, 33, 3, 0, 1, 1},
    {POINTS_UNIFORM, 0, 33, 3, 1, 1, 1},   {POINTS_OFFSET, 0, 65, 3, 0, 1, 1},
    {POINTS_BLOBS, 0, 99, 5, 0, 1, 1},     {POINTS_UNIFORM, 0, 300, 5, 0, 2, 1},
    {POINTS_UNIFORM, 0, 2111, 5, 0, 1, 1}, {0},
};

const struct traced_contract traced = {.contract = &k_means_contract,
                                       .outputs = "outputs",
                                       .cases = cases,
                                       .make = traced_drawn,
                                       .usual = 32,
                                       .simplify = traced_simplify_floats};
