/* reduce_by_index.h - the one function that the chapters of Part II implement, but for the last two. */
#ifndef REDUCE_BY_INDEX_H
#define REDUCE_BY_INDEX_H

#include <stddef.h>

#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Combines each element into the bin of its key. For each element x, in any order,
 *
 *     j = index_of(x, num_bins);
 *     if (j < num_bins)
 *         d_bins[j] = combine(d_bins[j], value_of(x));
 *
 * d_elements  device pointer to `length` elements, aligned as one element, and no more
 * length      in elements, 0 to 2^32 - 1; more are refused: one line on standard error, no bin is
 *             touched, and the program exits with status 1
 * d_bins      device pointer to `num_bins` bins, at a multiple of 256; what they hold is combined into
 * num_bins    0 to 2^31 - 1; with 0 nothing happens
 *
 * Returns when the kernels have been launched; cudaDeviceSynchronize waits for the result. A CUDA call
 * that fails ends the program with one line on standard error. */
void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins);

#ifdef __cplusplus
}
#endif

#endif
