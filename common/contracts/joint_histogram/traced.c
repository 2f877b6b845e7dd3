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

/* All x come first: two coordinates side by side are a unit. */
const struct traced_contract traced = {
    .unit = "pair",
    .outputs = "bins",
    .input = {8, 4, 2, {{"coordinate", FIELD_FLOAT, 0, 32}, {"next one", FIELD_FLOAT, 32, 32}}},
    .output = {4, 4, 1, {{"bin", FIELD_FLOAT, 0, 32}}},
    .cases = cases,
    .make = drawn_traced,
    .usual = 32,
    .simplify = traced_simplify_floats};
