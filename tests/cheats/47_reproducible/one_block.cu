/* Tries: one block, which is the same on every device, so that no grid and no schedule can differ.
 * Refused: multiprocessors has something to add */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 1024 };

__global__ void sum_in_one_block(const float *values, size_t length, float *result)
{
    __shared__ float sums[THREADS];
    const bool wide = (size_t)values % 16 == 0;
    float sum = 0;
    for (size_t i = threadIdx.x; i * 4 < length; i += THREADS) {
        float4 four = make_float4(0, 0, 0, 0);
        if (wide && i * 4 + 4 <= length)
            four = ((const float4 *)values)[i];
        else {
            four.x = values[i * 4];
            four.y = i * 4 + 1 < length ? values[i * 4 + 1] : 0;
            four.z = i * 4 + 2 < length ? values[i * 4 + 2] : 0;
            four.w = i * 4 + 3 < length ? values[i * 4 + 3] : 0;
        }
        sum += (four.x + four.y) + (four.z + four.w);
    }
    sums[threadIdx.x] = sum;
    for (unsigned int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *result = sums[0];
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values are too many\n", length);
        exit(1);
    }
    sum_in_one_block<<<1, THREADS>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
