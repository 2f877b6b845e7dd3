/* 33 threads a block: the second warp has one lane, and says so in its mask. Who has no partner combines
 * nothing. The values of the two warps are combined by one thread. */
#include <stdint.h>
#include <string.h>

#include "cuda_check.h"
#include "reduce.h"

enum { THREADS = 33, WARPS = (THREADS + 31) / 32 };

__device__ static value_t shuffled(unsigned int mask, value_t value, unsigned int distance)
{
    unsigned int words[sizeof value / 4];
    memcpy(words, &value, sizeof value);
    for (unsigned int w = 0; w < sizeof value / 4; w++)
        words[w] = __shfl_down_sync(mask, words[w], distance);
    memcpy(&value, words, sizeof value);
    return value;
}

__global__ void by_33(const value_t *values, size_t length, value_t *results)
{
    __shared__ value_t of_warps[WARPS];
    const unsigned int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned int lanes = THREADS - warp * 32 < 32 ? THREADS - warp * 32 : 32;
    const unsigned int mask = 0xffffffffu >> (32 - lanes);
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    value_t value = i < length ? values[i] : neutral();
    for (unsigned int distance = 16; distance > 0; distance /= 2) {
        const value_t other = shuffled(mask, value, distance);
        if (lane + distance < lanes)
            value = combine(value, other);
    }
    if (lane == 0)
        of_warps[warp] = value;
    __syncthreads();
    if (threadIdx.x == 32)
        results[blockIdx.x] = combine(of_warps[0], of_warps[1]);
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: too long\n");
        exit(1);
    }
    value_t *before = NULL;
    for (;;) {
        const size_t blocks = length > THREADS ? (length + THREADS - 1) / THREADS : 1;
        value_t *results = d_result;
        if (blocks > 1)
            CHECK(cudaMalloc((void **)&results, blocks * sizeof *results));
        by_33<<<(unsigned int)blocks, THREADS>>>(d_values, length, results);
        CHECK(cudaGetLastError());
        CHECK(cudaFree(before));
        if (blocks == 1)
            return;
        d_values = before = results;
        length = blocks;
    }
}
