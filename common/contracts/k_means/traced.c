/* traced.c - what make trace asks of k_means(): see traced_contract.h. */
#include "traced_contract.h"

#include <stdio.h>
#include <stdlib.h>

#include "asked_input.h"
#include "exact_steps.h"
#include "drawn_points.h"
#include "run.h"
#include "util.h"

static const struct traced_case cases[] = {
    {POINTS_UNIFORM, 0, 0, 1, 0, 1, 1},    {POINTS_UNIFORM, 0, 1, 1, 0, 1, 1},
    {POINTS_UNIFORM, 0, 8, 2, 0, 1, 1},    {POINTS_EQUAL, 0, 33, 3, 0, 1, 1},
    {POINTS_UNIFORM, 0, 33, 3, 1, 1, 1},   {POINTS_OFFSET, 0, 65, 3, 0, 1, 1},
    {POINTS_BLOBS, 0, 99, 5, 0, 1, 1},     {POINTS_UNIFORM, 0, 300, 5, 0, 2, 1},
    {POINTS_UNIFORM, 0, 2111, 5, 0, 1, 1}, {0},
};

/* An output is a float or a whole number: bits that are no ordinary float a page shows as a number. */
static void shapes(struct shape *input, struct shape *output)
{
    *input = (struct shape){4, 4, 1, {{"coordinate", FIELD_FLOAT, 0, 32}}};
    *output = (struct shape){4, 4, 1, {{"output", FIELD_FLOAT, 0, 32}}};
}

/* With as many digits as a page has. */
static void say(const struct oracle *oracle, size_t output, const unsigned char *held, char *should,
                char *holds, size_t size)
{
    oracle_say(oracle, output, held, should, holds, size);
    if (oracle_word(oracle, output).role != CENTROID_WORD)
        return;
    snprintf(should, size, "%.6g", strtod(should, NULL));
    snprintf(holds, size, "%.6g", strtod(holds, NULL));
}

static struct input with_command(struct input made, size_t points, uint64_t seed)
{
    snprintf(made.drawn, sizeof made.drawn, "SIZE=%zu TEXT_SEED=%llu", points,
             (unsigned long long)seed);
    return made;
}

/* A tale is usual; a case has points in the plane, and two steps. */
static struct input make(const struct traced_case *drawn, uint64_t seed)
{
    enum { PLANE = 2, FEW_STEPS = 2 };
    if (drawn->num_bins == 0)
        return with_command(input_usual(seed, drawn->length), drawn->length, seed);
    return input_of(
        (enum points)drawn->kind, seed,
        (struct sizes){drawn->length, PLANE, (unsigned int)drawn->num_bins, FEW_STEPS, 0});
}

/* As many as a page of every step has room for, where no SIZE was typed. */
static struct input read_points(const char *file)
{
    enum { FEW = 32 };
    const struct drawn drawn = drawn_read(file);
    const size_t points = *chosen("SIZE") ? drawn.length : FEW;
    return with_command(input_usual(drawn.seed, points), points, drawn.seed);
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
                                       .say = say,
                                       .cases = cases,
                                       .tale = POINTS_UNIFORM,
                                       .tales = {16, 32, 64},
                                       .make = make,
                                       .read = read_points,
                                       .simplify = simplify};
