/* Tries: one block reduces all values, and a second launch carries its result to where it belongs.
 * Refused: blocks that read values */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256 };

__global__ void all(const value_t *values, size_t length, value_t *partial)
{
    __shared__ value_t of_thread[THREADS];
    value_t value = neutral();
    for (size_t i = threadIdx.x; i < length; i += THREADS)
        value = combine(value, values[i]);
    of_thread[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int t = 1; t < THREADS; t++)
        value = combine(value, of_thread[t]);
    *partial = value;
}

__global__ void carry(const value_t *partial, value_t *result)
{
    *result = *partial;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    value_t *partial;
    CHECK(cudaMalloc(&partial, sizeof *partial));
    all<<<1, THREADS>>>(d_values, length, partial);
    carry<<<1, 1>>>(partial, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partial));
}
