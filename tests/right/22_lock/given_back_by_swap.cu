/* A compare-and-swap takes the lock, and another one gives it back. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                       size_t num_bins)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t j = i < length ? index_of(elements[i], num_bins) : num_bins;
    for (bool done = j >= num_bins; !done;)
        if (atomicCAS(&locks[j], 0, 1) == 0) {
            __threadfence();
            bins[j] = combine(bins[j], value_of(elements[i]));
            __threadfence();
            atomicCAS(&locks[j], 1, 0);
            done = true;
        }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: too long\n");
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    unsigned int *locks;
    CHECK(cudaMalloc(&locks, num_bins * sizeof *locks));
    CHECK(cudaMemset(locks, 0, num_bins * sizeof *locks));
    locked<<<(unsigned int)((length + 255) / 256), 256>>>(d_elements, length, d_bins, locks, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
}
