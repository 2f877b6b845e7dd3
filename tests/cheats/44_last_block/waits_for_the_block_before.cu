/* Tries: each block waits for the one before it, adds what that has found, and draws a ticket for show.
 * Refused: loads beside the values */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 64, MOST = 64 };

__device__ value_t found[MOST];
__device__ unsigned int drawn;
__device__ unsigned int done[MOST];

__global__ void chain(const value_t *values, size_t length, value_t *result)
{
    __shared__ value_t shared[THREADS];
    value_t mine = neutral();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        mine = combine(mine, values[i]);
    shared[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int t = 1; t < THREADS; t++)
        mine = combine(mine, shared[t]);
    if (blockIdx.x > 0) {
        while (*(volatile unsigned int *)&done[blockIdx.x - 1] == 0)
            continue;
        __threadfence();
        mine = combine(mine, found[blockIdx.x - 1]);
        *(volatile unsigned int *)&done[blockIdx.x - 1] = 0;
    }
    found[blockIdx.x] = mine;
    __threadfence();
    atomicAdd(&drawn, 1);
    __threadfence();
    if (blockIdx.x < gridDim.x - 1)
        *(volatile unsigned int *)&done[blockIdx.x] = 1;
    else {
        *result = mine;
        drawn = 0;
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
    chain<<<multiprocessors < MOST ? multiprocessors : MOST, THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
