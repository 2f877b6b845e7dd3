/* to_run.c - on which arrays the chapters of reduce() are run and traced: see to_run.h. */
#include "to_run.h"

#include <stdlib.h>
#include <string.h>

#include "must_have.h"
#include "values.h"

static const struct traced_case cases[] = {
    TRACED(VALUES_SMALL, 0),
    TRACED(VALUES_SMALL, 1),
    TRACED(VALUES_SMALL, 2),
    TRACED(VALUES_SMALL, 31),
    TRACED(VALUES_SMALL, 32),
    TRACED(VALUES_SMALL, 33),
    TRACED(VALUES_SMALL, 33, .calls = 2),
    TRACED(VALUES_SMALL, 1025, .calls = 2),
    TRACED(VALUES_SMALL, 255),
    TRACED(VALUES_SMALL, 257),
    TRACED(VALUES_SPIKE, 511),
    TRACED(VALUES_SMALL, 999, .misalignment = 1),
    TRACED(VALUES_SMALL, 999, .misalignment = 3),
    TRACED(VALUES_RISING, 1023),
    TRACED(VALUES_SMALL, 1025),
    TRACED(VALUES_SMALL, 2049),
    TRACED(VALUES_SMALL, 4099),
    TRACED(VALUES_ALTERNATING, 4099),
    TRACED(VALUES_SMALL, 10007, .calls = 2),
    TRACED(VALUES_SMALL, 16381),
    TRACED(VALUES_ANY, 16381, .misalignment = 1),
    TRACED(VALUES_LARGEST, 40009),
    TRACED(VALUES_SMALL, 65537),
    TRACED(VALUES_SMALL, 300007),
    NO_MORE_TRACED,
};

/* Draws an input. Before the call *d_result holds anything. */
static struct input draw_with_result(const struct drawn_case *drawn, uint64_t seed)
{
    enum { ANYTHING = 0xa5 };
    const size_t bytes = operation_bin_bytes(operation_chosen());
    struct input input = input_of_values((enum values)drawn->kind, seed, drawn->units);
    input.bins = must_have(malloc(bytes), "for a result");
    memset(input.bins, ANYTHING, bytes);
    return input;
}

/* Makes values 1, or what changes nothing. */
static void simplify_values(struct input *input, size_t from, size_t count, unsigned int way)
{
    for (size_t i = from; i < from + count; i++)
        value_set_number(input, i, way == 0, 1);
}

/* Small values are added exactly in every order, up to 16 M of them. */
static const struct to_run values_to_run = {.contract = &reduce_contract,
                                            .draw = draw_with_result,
                                            .kind = "values",
                                            .units = "values",
                                            .does = "reduces an array",
                                            .usual = 1 << 20,
                                            .called = "values",
                                            .few = {.kind = VALUES_SMALL},
                                            .tales = {640, 1280, 2400, 4200, 8300},
                                            .cases = cases,
                                            .simplify = simplify_values};

const struct to_run *kernel_to_run(void)
{
    return &values_to_run;
}
