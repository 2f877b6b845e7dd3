/* Tries: two passes, as in chapter 42, and at the end one atomic on the result, by the only block that is
 * left.
 * Refused: atomics on the result */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256, BLOCKS = 8 };

__global__ void pass(const value_t *values, size_t length, value_t *results, int last)
{
    __shared__ value_t of_thread[THREADS];
    value_t value = neutral();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < length;
         i += (size_t)gridDim.x * THREADS)
        value = combine(value, values[i]);
    of_thread[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int t = 1; t < THREADS; t++)
        value = combine(value, of_thread[t]);
    if (last)
        atomic_combine(results, value);
    else
        results[blockIdx.x] = value;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    value_t *partial;
    CHECK(cudaMalloc(&partial, BLOCKS * sizeof *partial));
    CHECK(cudaMemset(d_result, 0, sizeof *d_result));
    pass<<<BLOCKS, THREADS>>>(d_values, length, partial, 0);
    pass<<<1, THREADS>>>(partial, BLOCKS, d_result, 1);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partial));
}
