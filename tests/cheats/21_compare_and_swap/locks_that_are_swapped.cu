/* Tries: a compare-and-swap takes a lock, as in chapter 22, and the bins are stored.
 * Refused: plain stores to the bins */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                       size_t num_bins)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += (size_t)gridDim.x * blockDim.x) {
        const size_t j = index_of(elements[i], num_bins);
        bool done = j >= num_bins;
        while (!done)
            if (atomicCAS(&locks[j], 0, 1) == 0) {
                __threadfence();
                bins[j] = combine(bins[j], value_of(elements[i]));
                __threadfence();
                *(volatile unsigned int *)&locks[j] = 0;
                done = true;
            }
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX)
        exit(1);
    if (length == 0 || num_bins == 0)
        return;
    unsigned int *locks;
    CHECK(cudaMalloc(&locks, num_bins * sizeof *locks));
    CHECK(cudaMemset(locks, 0, num_bins * sizeof *locks));
    locked<<<2, 128>>>(d_elements, length, d_bins, locks, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
}
