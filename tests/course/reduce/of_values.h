/* of_values.h - inputs of a few values, with the operation that a test chooses. */
#ifndef OF_VALUES_H
#define OF_VALUES_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "operations.h"
#include "result.h"
#include "values.h"

static inline void choose(enum operation operation)
{
    static const enum operation asked[] = {SUM, MAX, FLOAT_SUM, DOT};
    setenv("OPERATIONS", "sum max float_sum dot", 1);
    for (size_t i = 0; i < 4; i++)
        if (asked[i] == operation)
            operation_choose(i);
    cr_assert(operation_chosen() == operation);
}

static inline uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* What the values from `from` to before `to` come to. */
static inline struct oracle result_of_part(const struct input *input, size_t from, size_t to)
{
    struct input part = *input;
    part.values += from * operation_bin_bytes(operation_chosen());
    part.length = to - from;
    return result_of(&part);
}

/* A result, as it lies in memory. */
struct result {
    unsigned char bytes[16];
};

static inline struct result integer(uint32_t number)
{
    struct result result = {{0}};
    memcpy(result.bytes, &number, sizeof number);
    return result;
}

static inline struct result floats(float x, float y)
{
    struct result result = {{0}};
    memcpy(result.bytes, (const float[]){x, y}, 2 * sizeof(float));
    return result;
}

#endif
