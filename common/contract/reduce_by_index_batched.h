/* reduce_by_index_batched.h - many histograms in one call: what chapter 31 implements. */
#ifndef REDUCE_BY_INDEX_BATCHED_H
#define REDUCE_BY_INDEX_BATCHED_H

#include <stddef.h>

#include "model.h"
#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Combines the elements of `batch` histograms, each into its own row of bins. For each histogram b
 * below `batch`, and each x of the `length` elements from d_elements + b * length on, in any order,
 *
 *     j = index_of(x, num_bins);
 *     if (j < num_bins)
 *         d_bins[b * num_bins + j] = combine(d_bins[b * num_bins + j], value_of(x));
 *
 * d_elements  device pointer to batch x length elements, aligned as one element, and no more
 * length      elements of each histogram
 * batch       histograms; batch x length is at most 2^32 - 1; more are refused: one line on standard
 *             error, no bin is touched, and the program exits with status 1
 * d_bins      device pointer to batch x num_bins bins, at a multiple of 256; what they hold is
 *             combined into
 * num_bins    bins of each histogram; batch x num_bins is at most 2^31 - 1
 *
 * Where one of the three numbers is 0, nothing happens. Returns when the kernels have been launched;
 * cudaDeviceSynchronize waits for the result. A CUDA call that fails ends the program with one line on
 * standard error. */
void reduce_by_index_batched(const element_t *d_elements, size_t length, size_t batch,
                             bin_t *d_bins, size_t num_bins);

#ifdef __cplusplus
}
#endif

#endif
