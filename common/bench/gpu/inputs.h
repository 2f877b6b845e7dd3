/* inputs.h - elements with keys, and values without, made on the GPU; and what reduce_by_index() and
 * reduce() must make of them, found by a way that no chapter goes: atomics on words that are wide enough,
 * and sums of floats in double precision. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "operation.h"

#define IS_OF_FLOATS (OPERATION_IS(float_sum) || OPERATION_IS(vector_sum) || OPERATION_IS(dot))
/* float_sum is of both. */
#define IS_OF_VALUES                                                                               \
    (OPERATION_IS(sum) || OPERATION_IS(max) || OPERATION_IS(dot) || OPERATION_IS(float_sum))
#define IS_OF_ELEMENTS (!IS_OF_VALUES || OPERATION_IS(float_sum))

#ifdef __cplusplus
extern "C" {
#endif

/* What one result must be. All zeros: nothing came to it. */
enum { FLOATS_OF_RESULT = OPERATION_IS(vector_sum) ? 8 : 1 };
struct truth {
    unsigned long long units;             /* that came */
    unsigned long long whole;             /* the sum of integers, or the word that wins */
    unsigned long long largest, opposite; /* of minmax: the largest, and the largest of opposites */
    unsigned long long has_fractions;     /* of floats: not all are whole numbers */
    double sum[FLOATS_OF_RESULT];         /* of floats */
    double magnitude[FLOATS_OF_RESULT];   /* their sum without their signs */
};

#if IS_OF_ELEMENTS
/* How keys crowd. Where there are more bins than an element has keys, the last bins get none. Most kinds have a number. A
 * *position* is one from 0, the first bin, to 1, the end. */
enum kind_of_crowd {
    CROWD_UNIFORM,
    CROWD_ZIPF, /* the key of rank r has a share of about r^-number; ranks are spread over the bins */
    CROWD_SINGLE, /* one key, at that position */
    CROWD_STRIDE, /* uniform among the multiples of that number */
    CROWD_NINETY, /* 90% have one key, at that position, and the others are uniform */
    CROWD_SORTED, /* uniform, in rising order */
    CROWDS
};

struct crowd {
    enum kind_of_crowd kind;
    double number;
};

/* Fills device memory: key and value of an element depend on its number alone, which is below 2^31. Values are
 * such that float sums of up to half a million of them are exact in any order. */
void elements_fill(element_t *d_elements, size_t length, size_t num_bins, struct crowd crowd);

/* Fills so many bins with neutral(). */
void bins_clear(bin_t *d_bins, size_t num_bins);

/* What the bins of `batch` histograms of equal lengths must hold: in device memory, for cudaFree. */
struct truth *truths_of_elements(const element_t *d_elements, size_t length, size_t num_bins,
                                 size_t batch);

/* How many bins are wrong; `first` is the first of them. Sums of n floats may be off by n roundings
 * of the sum of their magnitudes, and not at all where every partial sum is exact; `error` is how far the worst
 * of them is off, over that sum: of what is no float 0. */
size_t wrong_bins(const struct truth *d_truths, const bin_t *d_bins, size_t num_bins, size_t *first,
                  double *error);
#endif

#if IS_OF_VALUES
enum density {
    DENSE, /* integers drawn from all, floats from the multiples of 1/32 between -1 and 1 */
    SPARSE /* of floats so many are 0, and the others 1, that no order of adding them rounds */
};

/* Fills device memory: a value depends on its number alone. Of max the last value is the largest. */
void values_fill(value_t *d_values, size_t length, enum density density);

/* One pass over the values on the GPU. */
struct truth truth_of_values(const value_t *d_values, size_t length);

/* Whether a result is right. Integers have to be equal; floats may be off by the roundings of as many
 * additions as a value passes through when the grid is not tiny (oracle.h of the harness has the
 * bound), and not at all where no order of adding rounds. */
bool is_right_result(const struct truth *truth, value_t result);

/* How far it is off, over the sum of the magnitudes: of floats, else 0. */
double error_of(const struct truth *truth, value_t result);

/* "1.25 in place of 1.5", in a buffer that the next call overwrites. */
const char *what_is_wrong(const struct truth *truth, value_t result);
#endif

#ifdef __cplusplus
}
#endif

#endif
