/* Each warp leaves a result of its own. A barrier, and then one fence by the thread that draws the ticket:
 * fences are cumulative. By the letter of PTX, too. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

enum { WARP = 32, THREADS_PER_BLOCK = 256, WARPS = THREADS_PER_BLOCK / WARP, MOST_BLOCKS = 1024 };

/* Memory of the device that stays from call to call: what each block has found, and the next ticket. */
__device__ static value_t partials[MOST_BLOCKS * WARPS];
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
    mine = combine_warp(mine);
    if (threadIdx.x % WARP == 0)
        partials[blockIdx.x * WARPS + threadIdx.x / WARP] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads(); // thread 0 has drawn
    if (!is_last)
        return;

    mine = neutral();
    for (unsigned int warp = threadIdx.x; warp < gridDim.x * WARPS; warp += blockDim.x)
        mine = combine(mine, partials[warp]);
    mine = combine_block(mine);
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
