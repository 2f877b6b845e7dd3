/* 33 threads a block: a warp and one thread more. Whatever is left is halved upwards, and the one in the
 * middle of an odd number stays for the next step. Each level of results has an array of its own. */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 33 };

__global__ void halve(const value_t *values, size_t length, value_t *results)
{
    __shared__ value_t left[THREADS];
    const unsigned int t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * THREADS + t;
    left[t] = neutral();
    if (i < length)
        left[t] = values[i];
    for (unsigned int count = THREADS; count > 1; count = (count + 1) / 2) {
        __syncthreads();
        if (t < count / 2)
            left[t] = combine(left[t], left[(count + 1) / 2 + t]);
    }
    if (t == 0)
        results[blockIdx.x] = left[0];
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    value_t *levels[8];
    int level = 0;
    for (size_t left = length; left > THREADS; level++) {
        const size_t blocks = (left + THREADS - 1) / THREADS;
        CHECK(cudaMalloc((void **)&levels[level], blocks * sizeof(value_t)));
        halve<<<(unsigned int)blocks, THREADS>>>(level ? levels[level - 1] : d_values, left,
                                                 levels[level]);
        left = length = blocks;
    }
    halve<<<1, THREADS>>>(level ? levels[level - 1] : d_values, length, d_result);
    CHECK(cudaGetLastError());
    while (level > 0)
        CHECK(cudaFree(levels[--level]));
}
