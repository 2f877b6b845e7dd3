/* Tries: bins in shared memory by the atomics that an operation has, and then the bin's lock is taken
 * and given back.
 * Refused: other atomics on words that are no locks */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { BLOCKS = 2, THREADS = 128, MOST_BINS = 1024 };

__device__ static void update(bin_t *bin, unsigned int *lock, bin_t value)
{
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *bin = combine(*bin, value);
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

#if OPERATION_HAS_ATOMIC
__global__ void in_shared_memory(const element_t *elements, size_t length, bin_t *bins,
                                 unsigned int *locks, size_t num_bins)
{
    __shared__ bin_t mine[MOST_BINS];
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x)
        mine[j] = neutral();
    __syncthreads();
    for (size_t i = thread; i < length; i += BLOCKS * THREADS) {
        const size_t j = index_of(elements[i], num_bins);
        if (j >= num_bins)
            continue;
        atomic_combine(&mine[j], value_of(elements[i]));
        bin_t nothing = neutral();
        update(&nothing, &locks[j], neutral());
    }
    __syncthreads();
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x)
        update(&bins[j], &locks[j], mine[j]);
}
#endif

__global__ void locked(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                       size_t num_bins)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += BLOCKS * THREADS) {
        const size_t j = index_of(elements[i], num_bins);
        if (j < num_bins)
            update(&bins[j], &locks[j], value_of(elements[i]));
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
    const size_t words = num_bins;
    unsigned int *locks;
    CHECK(cudaMalloc(&locks, words * sizeof *locks));
    CHECK(cudaMemset(locks, 0, words * sizeof *locks));
#if OPERATION_HAS_ATOMIC
    if (num_bins <= MOST_BINS)
        in_shared_memory<<<BLOCKS, THREADS>>>(d_elements, length, d_bins, locks, num_bins);
    else
#endif
        locked<<<BLOCKS, THREADS>>>(d_elements, length, d_bins, locks, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(locks));
}
