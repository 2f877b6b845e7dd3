/* 44, further. Many words that hand out tickets, so that no word has to hand out many.
 *
 * Blocks are in groups of 32, each with a ticket of its own. The last block of a group combines what its
 * group has found, and then draws one for the group. Who draws the last of these is the last of all. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

enum {
    WARP = 32,
    THREADS_PER_BLOCK = 1024,
    WARPS = THREADS_PER_BLOCK / WARP,
    GROUP = 32, // blocks
    MOST_GROUPS = 32,
    MOST_BLOCKS = GROUP * MOST_GROUPS
};

/* Memory of the device that stays from call to call: what blocks and groups have found, and the next
 * ticket of each group, and of the groups. */
__device__ static value_t of_block[MOST_BLOCKS], of_group[MOST_GROUPS];
__device__ static unsigned int ticket_of_group[MOST_GROUPS], ticket;

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

/* Leaves what the block has found in *found, and draws one of `count` tickets. Returns, to all threads
 * of the block, whether it was the last one. */
__device__ static bool leave_and_draw(value_t mine, value_t *found, unsigned int *next,
                                      unsigned int count)
{
    __shared__ bool is_last;
    __syncthreads(); // nobody still reads what the block drew before
    if (threadIdx.x == 0) {
        *found = mine;
        __threadfence(); // who sees the ticket drawn must see the result, too
        is_last = atomicInc(next, count - 1) == count - 1;
        __threadfence(); // no result may be read before the ticket was drawn
    }
    __syncthreads(); // thread 0 has drawn
    return is_last;
}

/* Combines the `count` values at `found` with all threads of the block; thread 0 gets it. */
__device__ static value_t combine_found(const value_t *found, unsigned int count)
{
    value_t mine = neutral();
    for (unsigned int i = threadIdx.x; i < count; i += blockDim.x)
        mine = combine(mine, found[i]);
    return combine_block(mine);
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    reduce_in_one_launch(const value_t *values, size_t length, value_t *result)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    value_t mine = neutral();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        mine = combine(mine, values[i]);
    mine = combine_block(mine);

    const unsigned int group = blockIdx.x / GROUP, first = group * GROUP;
    const unsigned int blocks = gridDim.x - first < GROUP ? gridDim.x - first : GROUP;
    if (!leave_and_draw(mine, &of_block[blockIdx.x], &ticket_of_group[group], blocks))
        return;
    mine = combine_found(of_block + first, blocks);

    const unsigned int groups = (gridDim.x + GROUP - 1) / GROUP;
    if (!leave_and_draw(mine, &of_group[group], &ticket, groups))
        return;
    mine = combine_found(of_group, groups);
    if (threadIdx.x == 0)
        *result = mine;
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
