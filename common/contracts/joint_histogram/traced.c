/* traced.c - what make trace asks of joint_histogram(): see traced_contract.h. */
#include "traced_contract.h"

#include "drawn_input.h"
#include "drawn_pairs.h"

static const struct traced_case cases[] = {
    {PAIRS_UNIFORM, 0, 0, 30, 0, 1, 1},
    {PAIRS_UNIFORM, 0, 1, 30, 0, 1, 1},
    {PAIRS_WHOLE, 0, 8, 30, 0, 1, 1},
    {PAIRS_UNIFORM, 0, 33, 30, 1, 1, 1},
    {PAIRS_BEYOND, 0, 65, 30, 0, 1, 1},
    {PAIRS_ONE_PLACE, 0, 99, 30, 0, 1, 1},
    {PAIRS_PICTURE, 0, 300, 30, 0, 1, 1},
    {PAIRS_UNIFORM, 0, 5111, 30, 0, 1, 1},
    {0},
};

/* A case has 6 x 5 bins. */
static struct input make(const struct traced_case *drawn, uint64_t seed)
{
    if (drawn->num_bins == 0)
        return drawn_input.make(seed, drawn->length);
    return input_of((enum pairs)drawn->kind, seed, drawn->length, (struct sides){6, 5});
}

/* All x come first: two coordinates side by side are a unit. */
const struct traced_contract traced = {
    .unit = "pair",
    .outputs = "bins",
    .input = {8, 4, 2, {{"coordinate", FIELD_FLOAT, 0, 32}, {"next one", FIELD_FLOAT, 32, 32}}},
    .output = {4, 4, 1, {{"bin", FIELD_FLOAT, 0, 32}}},
    .cases = cases,
    .tale = PAIRS_UNIFORM,
    .tales = {16, 32, 64},
    .make = make,
    .usual = 32,
    .simplify = traced_simplify_floats};
