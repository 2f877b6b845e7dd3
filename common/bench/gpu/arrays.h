/* arrays.h - arrays of values, made on the GPU, and what reduce() must make of them. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include <stdbool.h>
#include <stddef.h>

#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

enum density {
    DENSE, /* integers drawn from all, floats from the multiples of 1/32 between -1 and 1 */
    SPARSE /* of floats so many are 0, and the others 1, that no order of adding them rounds */
};

/* Fills device memory: a value depends on its number alone. Of max the last value is the largest. */
void values_fill(value_t *d_values, size_t length, enum density density);

/* What the result must be, found by a way that no chapter goes: sums of floats in double precision, in
 * which none of these rounds. */
struct truth {
    unsigned long long number; /* of sum and max; of floats 1 if any is no whole number, else 0 */
    double sum, magnitude;     /* of floats; magnitude is the sum without their signs */
    size_t length;
};

/* One pass over the values on the GPU. */
struct truth truth_of(const value_t *d_values, size_t length);

/* Whether a result is right. Integers have to be equal; floats may be off by the roundings of as many
 * additions as a value passes through when the grid is not tiny (oracle.h of the harness has the
 * bound), and not at all where no order of adding rounds. */
bool is_right_result(const struct truth *truth, value_t result);

/* How far it is off, over the sum of the magnitudes: of floats, else 0. */
double error_of(const struct truth *truth, value_t result);

/* "1.25 in place of 1.5", in a buffer that the next call overwrites. */
const char *what_is_wrong(const struct truth *truth, value_t result);

#ifdef __cplusplus
}
#endif

#endif
