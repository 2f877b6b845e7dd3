/* values.h - arrays of values, made for a test, for the operation that is chosen. */
#ifndef VALUES_H
#define VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "call_arrays.h"

/* What the values are. "Small" floats are whole numbers of a few bits: all their sums are exact, so
 * that every lost value is seen. */
enum values {
    VALUES_ONES,        /* 1; of dot (1, 1) */
    VALUES_SMALL,       /* drawn from -100 to 100, or 0 to 200; max: drawn from all */
    VALUES_ANY,         /* floats of many sizes and both signs; integers drawn from all */
    VALUES_ALTERNATING, /* +x, -x, +x ...: they cancel but for the last, if the length is odd */
    VALUES_LARGEST, /* the largest integers, so that a sum wraps; floats of 2^20 and tiny ones */
    VALUES_RISING,  /* 0, 1, 2, ... modulo 1021 */
    VALUES_SPIKE,   /* neutral, but for one at a place that the seed draws */
    VALUES_KINDS
};

extern const struct contract reduce_contract;
struct input input_of_values(enum values kind, uint64_t seed, size_t length);

/* Sets value i: for sum and max to `x`, for float_sum to the float with these bits, for dot to the floats with the
 * bits of x and y. */
void value_set(struct input *input, size_t i, uint32_t x, uint32_t y);
/* Sets it to numbers, which are converted for sum and max. */
void value_set_number(struct input *input, size_t i, double x, double y);

#endif
