/* 45. Grid sync: one launch, in which the whole grid waits for itself.
 *
 * Each block reduces its share and leaves the result in memory. Then all blocks wait for each other, and
 * the first one reduces what they have left. To wait for each other they must all be on the device at
 * the same time: a cooperative launch sees to that, and refuses a grid that is too large. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

enum { WARP = 32, THREADS_PER_BLOCK = 1024, WARPS = THREADS_PER_BLOCK / WARP, MOST_BLOCKS = 1024 };

/* Memory of the device that stays from call to call: what each block has found. */
__device__ static value_t partials[MOST_BLOCKS];

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
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    value_t mine = neutral();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        mine = combine(mine, values[i]);
    mine = combine_block(mine);

    // TODO(45.1): Leave the block's result in memory, and wait until every block has left its own.
    // end of TODO(45.1)

    // TODO(45.2): One block combines the results of all, with all of its threads.
    // end of TODO(45.2)
}

/* As many blocks as are on the device at a time, but none without a value, and at least one. */
static unsigned int blocks_for(size_t length)
{
    int device, multiprocessors, blocks_per_multiprocessor = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    // TODO(45.3): Ask how many blocks of this kernel a multiprocessor holds at a time.
    // end of TODO(45.3)
    size_t blocks = (size_t)multiprocessors * (size_t)blocks_per_multiprocessor;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    if (blocks > (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK)
        blocks = (length + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    return blocks > 0 ? (unsigned int)blocks : 1;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 are taken\n", length);
        exit(1);
    }
    const unsigned int blocks = blocks_for(length);
    // TODO(45.4): Launch the kernel so that its grid may wait for itself.
    // end of TODO(45.4)
}
