/* rivals.h - what the chapters are measured against, in the same run: a plain kernel (plain.cu), and
 * the libraries that a user would take instead (libraries.cu, a library of its own, since CUB and
 * Thrust take long to compile). */
#ifndef RIVALS_H
#define RIVALS_H

#include <stddef.h>

#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All do what reduce_by_index() does, to elements whose keys are all below num_bins, and queue their
 * work on the default stream; memory that they need they allocate in the first call, which is not
 * part of the cost. A CUDA error ends the program with one line. */

/* Each element's bin is updated in global memory: by one atomic function where there is one, in a
 * loop around compare-and-swap where a bin is a word, else under a lock. */
void plain_reduce(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins);

/* CUB's DeviceHistogram::HistogramEven: only for count, and the bins must be zero. */
void cub_even(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins);

/* CUB: DeviceRadixSort::SortKeys on the bits of the key alone (end_bit), the rest of the element
 * travels with it; DeviceReduce::ReduceByKey; then the sums are combined into their bins. */
void cub_sort(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins);

/* Thrust: keys are copied out, sort_by_key, reduce_by_key, and the sums are combined into their bins. */
void thrust_sort(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins);

/* Gives back the memory of the two. */
void libraries_release(void);

#ifdef __cplusplus
}
#endif

#endif
