/* traced.c - what make trace asks of reduce(): see traced_contract.h. */
#include "traced_contract.h"

#include <stdlib.h>
#include <string.h>

#include "must_have.h"
#include "values.h"

enum { ANYTHING = 0xa5 };

static const struct traced_case cases[] = {
    {VALUES_SMALL, 0, 0, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 1, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 2, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 31, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 32, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 33, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 33, 1, 0, 2, 1},
    {VALUES_SMALL, 0, 1025, 1, 0, 2, 1},
    {VALUES_SMALL, 0, 255, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 257, 1, 0, 1, 1},
    {VALUES_SPIKE, 0, 511, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 999, 1, 1, 1, 1},
    {VALUES_SMALL, 0, 999, 1, 3, 1, 1},
    {VALUES_RISING, 0, 1023, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 1025, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 2049, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 4099, 1, 0, 1, 1},
    {VALUES_ALTERNATING, 0, 4099, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 10007, 1, 0, 2, 1},
    {VALUES_SMALL, 0, 16381, 1, 0, 1, 1},
    {VALUES_ANY, 0, 16381, 1, 1, 1, 1},
    {VALUES_LARGEST, 0, 40009, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 65537, 1, 0, 1, 1},
    {VALUES_SMALL, 0, 300007, 1, 0, 1, 1},
    {0},
};

/* What *d_result holds before is anything. */
static struct input make_values(const struct traced_case *drawn, uint64_t seed)
{
    const size_t bytes = operation_bin_bytes(operation_chosen());
    struct input made = input_of_values((enum values)drawn->kind, seed, drawn->length);
    made.bins = must_have(malloc(bytes), "for a trace");
    memset(made.bins, ANYTHING, bytes);
    return made;
}

/* 1, or what changes nothing. */
static void simplify_values(struct input *input, size_t from, size_t count, unsigned int way)
{
    for (size_t i = from; i < from + count; i++)
        value_set_number(input, i, way == 0, 1);
}

const struct traced_contract traced = {.contract = &reduce_contract,
                                       .outputs = "result",
                                       .cases = cases,
                                       .tale = VALUES_SMALL,
                                       .tales = {640, 1280, 2400, 4200, 8300},
                                       .make = make_values,
                                       .usual = 1280,
                                       .simplify = simplify_values};
