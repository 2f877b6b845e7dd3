/* traced.c - what make trace asks of joint_histogram(): see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>
#include <stdlib.h>

#include "asked_input.h"
#include "drawn_pairs.h"
#include "run.h"
#include "special_floats.h"
#include "util.h"

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

/* All x come first: two coordinates side by side are a unit. */
static void shapes(struct shape *input, struct shape *output)
{
    *input = (struct shape){
        8, 4, 2, {{"coordinate", FIELD_FLOAT, 0, 32}, {"next one", FIELD_FLOAT, 32, 32}}};
    *output = (struct shape){4, 4, 1, {{"bin", FIELD_FLOAT, 0, 32}}};
}

static struct input with_command(struct input made, uint64_t seed)
{
    snprintf(made.drawn, sizeof made.drawn, "SIZE=%zu TEXT_SEED=%llu", made.length,
             (unsigned long long)seed);
    return made;
}

/* A tale is usual; a case has 6 x 5 bins. */
static struct input make(const struct traced_case *drawn, uint64_t seed)
{
    if (drawn->num_bins == 0)
        return with_command(input_usual(seed, drawn->length), seed);
    return input_of((enum pairs)drawn->kind, seed, drawn->length, (struct sides){6, 5});
}

/* As many as a page of every step has room for, where no SIZE was typed. */
static struct input read_pairs(const char *file)
{
    enum { FEW = 32 };
    const struct drawn drawn = drawn_read(file);
    return with_command(input_usual(drawn.seed, *chosen("SIZE") ? drawn.length : FEW), drawn.seed);
}

/* At 0, or at 1. */
static void simplify(struct input *input, size_t from, size_t count, unsigned int way)
{
    for (size_t i = 2 * from; i < 2 * (from + count); i++)
        input_set_bits(input, i, way == 0 ? 0 : ONE);
}

const struct traced_contract traced = {.unit = "pair",
                                       .outputs = "bins",
                                       .shapes = shapes,
                                       .cases = cases,
                                       .tale = PAIRS_UNIFORM,
                                       .tales = {16, 32, 64},
                                       .make = make,
                                       .read = read_pairs,
                                       .simplify = simplify};
