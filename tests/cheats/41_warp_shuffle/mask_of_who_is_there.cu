/* Tries: __activemask() as the mask of the shuffles, where all lanes of a warp should be together; on
 * this schedule they are.
 * Refused: __activemask() */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

// 32 warps of 32 lanes: the values of the warps are as many as the first warp has lanes.
enum { WARP = 32, THREADS_PER_BLOCK = WARP * WARP };

/* The value of the lane `distance` places above. All lanes of the warp have to call it; one that has
 * no such lane gets something that is of no use. */
__device__ static inline value_t from_above(value_t value, unsigned int distance)
{
    unsigned int words[sizeof(value_t) / sizeof(unsigned int)]; // a shuffle moves 32 bits
    memcpy(words, &value, sizeof value);
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        words[w] = __shfl_down_sync(__activemask(), words[w], distance);
    }
    memcpy(&value, words, sizeof value);
    return value;
}

/* Lane 0 gets the reduction of the values of all 32 lanes. All of them have to call it. */
__device__ static inline value_t reduce_warp(value_t value)
{
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2)
        value = combine(value, from_above(value, distance));
    return value;
}

/* results[b] becomes the reduction of the values that block b has: one for each thread. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    reduce_blocks(const value_t *values, size_t length, value_t *results)
{
    __shared__ value_t of_warps[WARP];
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t i = (size_t)blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;

    value_t value = reduce_warp(i < length ? values[i] : neutral());
    if (lane == 0)
        of_warps[warp] = value;
    __syncthreads(); // the first warp may read what all have written

    if (warp == 0) {
        value = reduce_warp(of_warps[lane]);
        if (lane == 0)
            results[blockIdx.x] = value;
    }
}

/* The blocks that so many values take; none take one, which stores neutral(). */
static size_t blocks_for(size_t length)
{
    return length == 0 ? 1 : (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }
    // The results of the blocks, and those of the launch after: one is read while the other is written.
    const size_t most = blocks_for(length);
    value_t *d_results;
    CHECK(cudaMallocAsync((void **)&d_results, (most + blocks_for(most)) * sizeof *d_results, 0));
    value_t *to = d_results, *next = d_results + most;

    for (size_t blocks = most; blocks > 1; blocks = blocks_for(length)) {
        reduce_blocks<<<(unsigned int)blocks, THREADS_PER_BLOCK>>>(d_values, length, to);
        CHECK(cudaGetLastError());
        d_values = to; // the results are the values of the next launch
        length = blocks;
        to = next;
        next = (value_t *)d_values;
    }
    reduce_blocks<<<1, THREADS_PER_BLOCK>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(d_results, 0));
}
