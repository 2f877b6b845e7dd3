/* 44. The last block: one launch, and whoever comes last finishes.
 *
 * Each block reduces its share, leaves the result in memory, and draws a ticket. Nobody waits. Whoever
 * draws the last ticket knows that all the others have left theirs, and reduces these. Tickets begin at
 * 0 again by themselves, so that the next call finds what this one has found. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

enum { WARP = 32, THREADS_PER_BLOCK = 1024, WARPS = THREADS_PER_BLOCK / WARP, MOST_BLOCKS = 1024 };

/* Memory of the device that stays from call to call: what each block has found, and the next ticket. */
__device__ static value_t partials[MOST_BLOCKS];
__device__ static unsigned int ticket;

/* What the lane `distance` behind this one holds. */
__device__ static inline value_t held_behind(value_t mine, unsigned int distance)
{
#if OPERATION_IS(dot)
    mine.x = __shfl_down_sync(0xffffffffu, mine.x, distance);
    mine.y = __shfl_down_sync(0xffffffffu, mine.y, distance);
    return mine;
#else
    return __shfl_down_sync(0xffffffffu, mine, distance);
#endif
}

/* Combines what the lanes of a full warp hold; lane 0 gets it. */
__device__ static inline value_t combine_warp(value_t mine)
{
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2)
        mine = combine(mine, held_behind(mine, distance));
    return mine;
}

/* The same for all threads of the block; thread 0 gets it. A barrier lies between two calls. */
__device__ static value_t combine_block(value_t mine)
{
    __shared__ value_t of_warp[WARPS];
    const unsigned int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    mine = combine_warp(mine);
    if (lane == 0)
        of_warp[warp] = mine;
    __syncthreads(); // no warp may be missing when the first one reads
    if (warp == 0)
        mine = combine_warp(lane < WARPS ? of_warp[lane] : neutral());
    return mine;
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    reduce_in_one_launch(const value_t *values, size_t length, value_t *result)
{
    __shared__ bool is_last;
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    value_t mine = neutral();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        mine = combine(mine, values[i]);
    mine = combine_block(mine);

    if (threadIdx.x == 0) {
        // TODO(44.1): Leave the block's result where every block can read it, before any ticket.
        // end of TODO(44.1)
        // TODO(44.2): Draw a ticket. Is it the last one? After that tickets begin at 0 again.
        // end of TODO(44.2)
    }
    // TODO(44.3): All threads of the block learn what thread 0 drew. Those of the last block go on.
    // end of TODO(44.3)

    // TODO(44.4): Combine the results of all blocks, with all threads of this one.
    // end of TODO(44.4)
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }
    int device, multiprocessors, blocks_per_multiprocessor;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_per_multiprocessor, reduce_in_one_launch, THREADS_PER_BLOCK, 0));
    // No more blocks than run at a time, none without a value, and one if there are no values at all.
    size_t blocks = (size_t)multiprocessors * (size_t)blocks_per_multiprocessor;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    if (blocks > (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK)
        blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    if (blocks == 0)
        blocks = 1;
    reduce_in_one_launch<<<(unsigned int)blocks, THREADS_PER_BLOCK>>>(d_values, length, d_result);
    CHECK(cudaGetLastError());
}
