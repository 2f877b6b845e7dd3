/* 41, further. A warp is reduced by one instruction.
 *
 * From compute capability 8.0 on hardware has a reduction of 32-bit integers over the lanes of a warp:
 * every lane brings a value, and every lane gets what they make together. It adds modulo 2^32, and takes
 * the larger of unsigned numbers. Floats and pairs have none. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

// 32 warps of 32 lanes: the values of the warps are as many as the first warp has lanes.
enum { WARP = 32, THREADS_PER_BLOCK = WARP * WARP };

#if !OPERATION_IS(sum) && !OPERATION_IS(max)
#error "hardware reduces integers of 32 bits over a warp; floats and pairs have to be shuffled"
#endif

/* All lanes get the reduction of the values of all 32. All of them have to call it. */
__device__ static inline value_t reduce_warp(value_t value)
{
#if OPERATION_IS(max)
    return __reduce_max_sync(0xffffffffu, value);
#else
    return __reduce_add_sync(0xffffffffu, value);
#endif
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
