/* elements.h - elements with keys, made for a test: the same for all operations, and their bytes for one. */
#ifndef ELEMENTS_H
#define ELEMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "call_arrays.h"

/* How keys crowd. */
enum keys {
    KEYS_UNIFORM,
    KEYS_SINGLE,    /* one key, in the middle of the bins */
    KEYS_STRIDE_63, /* multiples of 63 below num_bins, uniform among them */
    KEYS_ZIPF,      /* the key of rank r has a share of 1 / r, ranks spread over the bins */
    KEYS_NINETY,    /* 90% have one key, the rest are uniform */
    KEYS_SORTED,    /* uniform, in rising order */
    KEYS_DRAWN,     /* the cases draw from these kinds, for any numbers of bins */
    KEYS_WAFER = KEYS_DRAWN, /* near one place: wafer.h */
    KEYS_KINDS
};

extern const struct contract reduce_by_index_contract;

/* Makes elements for the operation that is chosen. Values are drawn from `seed`, with ties; about one element in 64
 * has a key at num_bins or beyond, unless the kind is KEYS_SINGLE. Bins hold small values before. */
struct input input_of_keys(enum keys kind, uint64_t seed, size_t length, size_t num_bins);
/* Makes elements without keys beyond the bins, for exact bounds. */
struct input input_within(enum keys kind, uint64_t seed, size_t length, size_t num_bins);
/* Makes so many histograms of `length` elements and `num_bins` bins each. */
struct input input_batched(enum keys kind, uint64_t seed, size_t batch, size_t length,
                           size_t num_bins);

/* Sets element i: its key, and what else it brings: for float_sum, vector_sum and minmax the bits of a float, for
 * wide_sum a number, for argmax value and index. */
void element_set(struct input *input, size_t i, uint32_t key, uint32_t value, uint32_t index);
uint32_t input_key(const struct input *input, size_t i);
/* The bin to which element i has to come, of all histograms; num_bins or more when it has none. */
uint64_t input_bin(const struct input *input, size_t i);

/* The number of bins that was typed, BINS=49145, which is KEY_BINS in the environment; `otherwise`
 * where none was. */
size_t bins_asked(size_t otherwise);

#endif
