/* keys.h - elements with keys, made on the GPU, and what reduce_by_index() must make of them. */
#ifndef KEYS_H
#define KEYS_H

#include <stddef.h>

#include "bench.h"
#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How keys crowd; all are below the number of bins. */
enum crowd {
    CROWD_UNIFORM,
    CROWD_ZIPF,   /* the key of rank r has a share of about 1 / r; ranks are spread over the bins */
    CROWD_SINGLE, /* one key, in the middle of the bins */
    CROWD_STRIDE_63, /* uniform among the multiples of 63 */
    CROWD_NINETY,    /* 90% have one key, the others are uniform */
    CROWD_SORTED,    /* uniform, in rising order */
    CROWDS
};

/* Fills device memory: key and value of an element depend on its number alone. Values are such that
 * float sums of up to half a million of them are exact in any order. */
void keyed_fill(element_t *d_elements, size_t length, size_t num_bins, enum crowd crowd);

/* Fills `num_bins` bins with neutral(). */
void keyed_clear(bin_t *d_bins, size_t num_bins);

/* What the bins of `batch` histograms of equal lengths must hold, found by a way that no chapter goes: plain integer atomics on wider words,
 * sums of floats in double precision. */
struct keyed_truth;
struct keyed_truth *keyed_truth_of(const element_t *d_elements, size_t length, size_t num_bins,
                                   size_t batch);
void keyed_truth_free(struct keyed_truth *truth);

/* How many bins are wrong; `first` is the first of them. Sums of n floats may be off by n roundings
 * of the sum of their magnitudes, and not at all where every partial sum is exact. */
size_t keyed_wrong_bins(const struct keyed_truth *truth, const bin_t *d_bins, size_t *first);

/* A peer: each element's bin is updated in global memory, by one atomic function where there is one,
 * in a loop around compare-and-swap where a bin is a word, else under a lock. */
void plain_reduce(const struct peer *self, const void *elements, size_t length, void *bins,
                  size_t num_bins);

#ifdef __cplusplus
}
#endif

#endif
