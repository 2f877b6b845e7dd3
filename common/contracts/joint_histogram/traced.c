/* traced.c - what make trace asks of joint_histogram(): see traced_contract.h. */
#include "traced_contract.h"

#include "drawn_pairs.h"

/* In rows of 6 bins. */
static const struct traced_case cases[] = {
    {PAIRS_UNIFORM, 0, 0, 5, 0, 1, 1},    {PAIRS_UNIFORM, 0, 1, 5, 0, 1, 1},
    {PAIRS_UNIFORM, 0, 2, 4, 0, 1, 1},    {PAIRS_WHOLE, 0, 8, 5, 0, 1, 1},
    {PAIRS_UNIFORM, 0, 33, 5, 1, 1, 1},   {PAIRS_BEYOND, 0, 65, 5, 0, 1, 1},
    {PAIRS_ONE_PLACE, 0, 99, 5, 0, 1, 1}, {PAIRS_PICTURE, 0, 300, 5, 0, 1, 1},
    {PAIRS_UNIFORM, 0, 5111, 5, 0, 1, 1}, {0},
};

const struct traced_contract traced = {.contract = &joint_histogram_contract,
                                       .outputs = "bins",
                                       .cases = cases,
                                       .make = traced_drawn,
                                       .usual = 32,
                                       .simplify = traced_simplify_floats};
