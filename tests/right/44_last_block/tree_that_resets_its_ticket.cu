/* As the CUDA samples have it: a tree in shared memory, results in memory of this call, and a ticket that
 * the last block sets back to 0. Every thread fences for itself. 256 threads a block. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256 };

__device__ unsigned int arrived = 0;

__device__ void tree(value_t *shared, value_t mine)
{
    shared[threadIdx.x] = mine;
    for (unsigned int half = THREADS / 2; half >= 1; half >>= 1) {
        __syncthreads();
        if (threadIdx.x < half)
            shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
}

__global__ void single_pass(const value_t *values, size_t length, value_t *found, value_t *result)
{
    __shared__ value_t shared[THREADS];
    __shared__ bool am_last;
    value_t mine = neutral();
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < length;
         i += gridDim.x * (size_t)THREADS)
        mine = combine(mine, values[i]);
    tree(shared, mine);
    if (threadIdx.x == 0)
        found[blockIdx.x] = shared[0];
    __threadfence();
    if (threadIdx.x == 0)
        am_last = atomicAdd(&arrived, 1) + 1 == gridDim.x;
    __syncthreads();
    if (am_last) {
        mine = neutral();
        for (unsigned int i = threadIdx.x; i < gridDim.x; i += THREADS)
            mine = combine(mine, found[i]);
        tree(shared, mine);
        if (threadIdx.x == 0) {
            *result = shared[0];
            arrived = 0;
        }
    }
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    size_t blocks = length / THREADS + 1;
    if (blocks > 4 * (size_t)multiprocessors)
        blocks = 4 * (size_t)multiprocessors;
    value_t *found;
    CHECK(cudaMalloc(&found, blocks * sizeof *found));
    single_pass<<<(unsigned int)blocks, THREADS>>>(d_values, length, found, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(found));
}
