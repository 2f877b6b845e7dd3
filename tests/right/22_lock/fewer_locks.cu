/* 256 locks for all bins, in a variable of the device: a bin's lock is found by a hash, and two bins
 * may share one. It is free when a call begins, since each call leaves it free. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { LOCKS = 256 };
__device__ unsigned int locks[LOCKS];

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t j = i < length ? index_of(elements[i], num_bins) : num_bins;
    bool done = j >= num_bins;
    unsigned int *lock = &locks[(unsigned int)j * 2654435761u >> 24];
    while (!done)
        if (atomicCAS(lock, 0u, 1u) == 0) {
            __threadfence();
            bins[j] = combine(value_of(elements[i]), bins[j]);
            __threadfence();
            atomicExch(lock, 0u);
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
    locked<<<(unsigned int)((length + 255) / 256), 256>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
