/* input_of_operation.h - inputs of a few elements, with the operation that a test chooses. */
#ifndef INPUT_OF_OPERATION_H
#define INPUT_OF_OPERATION_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "operations.h"

static const char all_operations[] = "count saturate float_sum wide_sum argmax vector_sum minmax";

static inline void choose(enum operation operation)
{
    setenv("OPERATIONS", all_operations, 1);
    operation_choose(operation);
    cr_assert(operation_chosen() == operation);
}

static inline uint32_t bits_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* An input with bins that hold what is neutral, and no elements yet. */
static inline struct input empty(enum operation operation, size_t room, size_t num_bins)
{
    choose(operation);
    struct input input = input_within(KEYS_UNIFORM, 1, room, num_bins);
    for (size_t bin = 0; bin < num_bins; bin++)
        operation_neutral(operation, input.bins + bin * operation_bin_bytes(operation));
    input.length = 0;
    return input;
}

static inline void add(struct input *input, uint32_t key, uint32_t value, uint32_t index)
{
    element_set(input, input->length++, key, value, index);
}

#endif
