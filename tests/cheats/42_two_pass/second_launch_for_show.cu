/* Tries: one cooperative launch does it all, as in chapter 45; a second one does nothing.
 * Refused: times that a grid waits for itself */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 256, BLOCKS = 8 };

__device__ static void reduce_block(const value_t *values, size_t length, size_t first, size_t step,
                                    value_t *to)
{
    __shared__ value_t of_thread[THREADS];
    value_t value = neutral();
    for (size_t i = first; i < length; i += step)
        value = combine(value, values[i]);
    of_thread[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int t = 1; t < THREADS; t++)
        value = combine(value, of_thread[t]);
    *to = value;
}

__global__ void together(const value_t *values, size_t length, value_t *partial, value_t *result)
{
    reduce_block(values, length, (size_t)blockIdx.x * THREADS + threadIdx.x,
                 (size_t)gridDim.x * THREADS, &partial[blockIdx.x]);
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0)
        reduce_block(partial, gridDim.x, threadIdx.x, THREADS, result);
}

__global__ void nothing(void)
{
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    value_t *partial;
    CHECK(cudaMalloc(&partial, BLOCKS * sizeof *partial));
    void *arguments[] = {&d_values, &length, &partial, &d_result};
    CHECK(cudaLaunchCooperativeKernel((void *)together, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0));
    nothing<<<1, 1>>>();
    CHECK(cudaGetLastError());
    CHECK(cudaFree(partial));
}
