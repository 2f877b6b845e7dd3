/* Tries: all blocks read and wait, and then block 0 reads all values once more and does the work.
 * Refused: loads of one value */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 64 };

__device__ value_t found[1024];

__global__ void again(const value_t *values, size_t length, value_t *result)
{
    __shared__ value_t shared[THREADS];
    value_t mine = neutral();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        mine = combine(mine, values[i]);
    if (threadIdx.x == 0)
        found[blockIdx.x] = mine;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x > 0)
        return;
    mine = neutral();
    for (size_t i = threadIdx.x; i < length; i += THREADS)
        mine = combine(mine, values[i]);
    shared[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int t = 1; t < THREADS; t++)
        mine = combine(mine, shared[t]);
    *result = mine;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    void *arguments[] = {&d_values, &length, &d_result};
    CHECK(cudaLaunchCooperativeKernel((const void *)again, multiprocessors, THREADS, arguments, 0, 0));
}
