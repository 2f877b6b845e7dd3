/* combine_block.h - combines the values of a block of full warps by shuffles: given code of chapter 41.
 *
 * Whoever includes it has defined THREADS_PER_BLOCK, a multiple of WARP, before that. */
#ifndef COMBINE_BLOCK_H
#define COMBINE_BLOCK_H

#include "operation.h"

enum { WARP = 32 };

/* The value of the lane that is `distance` above this one. Of a pair whose y is 1 only x moves. */
__device__ static value_t from_above(value_t value, unsigned int distance)
{
#if OPERATION_IS(dot)
    value.x = __shfl_down_sync(0xffffffffu, value.x, distance);
    return value;
#else
    return __shfl_down_sync(0xffffffffu, value, distance);
#endif
}

/* Of the values of a warp, in lane 0. Each is neutral(), or what combine() returned. */
__device__ static value_t combine_warp(value_t value)
{
#pragma unroll
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2)
        value = combine(value, from_above(value, distance));
    return value;
}

/* The same of a block, in thread 0. All threads call it together, with a barrier between two calls. */
__device__ static value_t combine_block(value_t value)
{
    __shared__ value_t of_warp[THREADS_PER_BLOCK / WARP];
    value = combine_warp(value);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = value;
    __syncthreads(); // no lane may read the value of a warp that has yet to write it
    const bool has_one = threadIdx.x < THREADS_PER_BLOCK / WARP;
    if (threadIdx.x < WARP)
        value = combine_warp(has_one ? of_warp[threadIdx.x] : neutral());
    return value;
}

#endif
