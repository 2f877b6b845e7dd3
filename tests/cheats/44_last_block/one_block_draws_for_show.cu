/* Tries: one block does all the work, and draws the only ticket, which is the last one.
 * Refused: blocks that read values */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256 };

__device__ unsigned int ticket;

__global__ void alone(const value_t *values, size_t length, value_t *result)
{
    __shared__ value_t shared[THREADS];
    value_t mine = neutral();
    for (size_t i = threadIdx.x; i < length; i += THREADS)
        mine = combine(mine, values[i]);
    shared[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x > 0 || atomicInc(&ticket, 0) != 0)
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
    alone<<<1, THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
