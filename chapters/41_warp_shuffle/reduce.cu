/* 41. Registers talk: a warp is reduced by shuffles, without shared memory and without barriers.
 *
 * In __shfl_down_sync every lane hands its register out, and gets that of the lane so many places
 * above. Five such steps leave the reduction of 32 lanes in lane 0. Shared memory holds one value for
 * each warp, once, with one barrier; the first warp reduces these in the same way.
 *
 * Beyond a block it goes on as in chapter 40. */
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
        // TODO(41.1): Exchange word w among all lanes of the warp.
        // end of TODO(41.1)
    }
    memcpy(&value, words, sizeof value);
    return value;
}

/* Lane 0 gets the reduction of the values of all 32 lanes. All of them have to call it. */
__device__ static inline value_t reduce_warp(value_t value)
{
    // TODO(41.2): Combine with ever nearer lanes, until lane 0 has all.
    // end of TODO(41.2)
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
    // TODO(41.3): Hand the value of each warp to the first warp.
    // end of TODO(41.3)

    if (warp == 0) {
        // TODO(41.4): Reduce the values of the warps, and store what is left.
        // end of TODO(41.4)
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
