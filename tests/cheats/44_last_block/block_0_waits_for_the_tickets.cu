/* Tries: every block draws a ticket, and block 0, whichever it drew, waits until all are drawn. It says
 * so by an atomic each time that it looks.
 * Refused: each of the blocks draws one ticket */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 64, MOST = 64 };

__device__ value_t found[MOST];
__device__ unsigned int drawn;

__global__ void waits(const value_t *values, size_t length, value_t *result)
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
    found[blockIdx.x] = mine;
    __threadfence();
    atomicAdd(&drawn, 1);
    if (blockIdx.x > 0)
        return;
    while (atomicAdd(&drawn, 0) != gridDim.x)
        continue;
    __threadfence();
    for (unsigned int b = 1; b < gridDim.x; b++)
        mine = combine(mine, found[b]);
    *result = mine;
    drawn = 0;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    waits<<<multiprocessors < MOST ? multiprocessors : MOST, THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
