/* Tries: no atomic at all, and the same order on all schedules: each bin has a thread, which reads all
 *        elements.
 * Refused: most of 505 bins get an element */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__global__ void reduce_all(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < num_bins; j += threads)
        for (size_t i = 0; i < length; i++)
            if (index_of(elements[i], num_bins) == j)
                bins[j] = combine(bins[j], value_of(elements[i]));
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements are too many\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    reduce_all<<<4, 128>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
