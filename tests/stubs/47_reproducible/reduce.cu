/* 47. Reproducible: a sum of floats with the same bits on every grid, every schedule, every address.
 *
 * Floats round after each addition, so another order is another sum. Here the order is fixed by the
 * length alone: the array is cut into segments, a warp adds the values of a segment in a fixed order,
 * and the last block adds the sums of the segments in another one. Which warp takes which segment, and
 * when, changes nothing. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

#if !OPERATION_IS(float_sum)
#error "chapter 47 takes float_sum"
#endif

enum { THREADS_PER_BLOCK = 1024, BLOCKS_PER_MULTIPROCESSOR = 2, WARP = 32, LOADS = 4 };

/* A tile is what a warp loads at a time, LOADS loads of four values a lane. A segment has a few of them:
 * one in a short array, and in a long one so many that there are no more segments than the last block
 * reads at once. A group of segments, as many as a block has warps, lies together, and its segments take
 * turns: number 5 has every 32nd tile, from tile 5 on. So the warps of a block read side by side. */
enum { VALUES_PER_LOAD = 4, VALUES_PER_TILE = LOADS * WARP * VALUES_PER_LOAD };
enum { GROUP = THREADS_PER_BLOCK / WARP };
enum { SUMS_PER_THREAD = 16, MOST_SEGMENTS = SUMS_PER_THREAD * THREADS_PER_BLOCK };

/* The sums of the segments, and how many blocks have written all of theirs. The last block of a call
 * leaves no ticket for the next. There is one of each on a device, and calls follow each other in one
 * stream. */
__device__ static float segment_sums[MOST_SEGMENTS];
__device__ static unsigned int tickets;

/* Tiles of a segment: a number that depends on nothing but the length. */
static unsigned int tiles_for(size_t length)
{
    size_t tiles = 1;
    // TODO(47.1): As few as make at most MOST_SEGMENTS segments of `length` values, but one at least.
    //             Neither the grid nor the device may have a say.
    // end of TODO(47.1)
    return (unsigned int)tiles;
}

/* Four values, from an address that need not be a multiple of 16 if they are not loaded `wide`. */
__device__ __forceinline__ static float4 load_four(const float *values, bool wide)
{
    if (wide)
        return __ldcs((const float4 *)values);
    return make_float4(values[0], values[1], values[2], values[3]);
}

/* The same at the end of the array, where only `left` values are left: 0 for the others. */
__device__ __forceinline__ static float4 load_some(const float *values, unsigned int left)
{
    return make_float4(left > 0 ? values[0] : 0, left > 1 ? values[1] : 0, left > 2 ? values[2] : 0,
                       left > 3 ? values[3] : 0);
}

/* The sum of what the loads of one tile brought this lane, in a fixed order. */
__device__ __forceinline__ static float sum_loads(const float4 four[LOADS])
{
    float sum[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        sum[k] = (four[k].x + four[k].y) + (four[k].z + four[k].w);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* This lane's part of the sum of whole tiles of a segment, each of which begins GROUP tiles after the last.
 * Which lane adds which value depends on its index in the array, and never on its address: `wide` makes it
 * faster when values begin at a multiple of 16. */
__device__ __forceinline__ static float sum_tiles(const float *values, unsigned int tiles,
                                                  bool wide)
{
    float sum = 0;
    // TODO(47.2): Add the tiles, one after the other. Load k of a tile brings this lane the four values
    //             from number (k * WARP + lane) * VALUES_PER_LOAD of the tile on.
    // end of TODO(47.2)
    return sum;
}

/* The same of the last tile of the array, when only `count` values of it are there. */
__device__ __forceinline__ static float sum_rest(const float *values, unsigned int count)
{
    float4 four[LOADS];
#pragma unroll
    for (unsigned int k = 0; k < LOADS; k++) {
        const unsigned int i = (k * WARP + threadIdx.x % WARP) * VALUES_PER_LOAD;
        four[k] = load_some(values + i, i < count ? count - i : 0);
    }
    return sum_loads(four);
}

/* The sum of the values of all lanes of a warp, in lane 0, by a fixed tree. */
__device__ __forceinline__ static float sum_warp(float value)
{
    // TODO(47.3): Add the upper half of the lanes to the lower half, then the upper quarter to the lower
    //             quarter, and so on: no sum depends on who comes first.
    // end of TODO(47.3)
    return value;
}

/* The sum of the values of all threads of a block, in thread 0, by a fixed tree. All call it together. */
__device__ static float sum_block(float value)
{
    __shared__ float of_warp[THREADS_PER_BLOCK / WARP];
    value = sum_warp(value);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = value;
    __syncthreads(); // no lane may read the sum of a warp that has yet to write it
    return threadIdx.x < WARP ? sum_warp(of_warp[threadIdx.x]) : 0;
}

/* Whether this block is the last that has written its sums. All threads call it together. */
__device__ static bool is_last_block(void)
{
    __shared__ bool is_last;
    __syncthreads(); // no ticket before all warps of the block have written their sums
    if (threadIdx.x == 0) {
        __threadfence(); // whoever sees the ticket sees the sums
        is_last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads(); // no thread may ask before thread 0 knows
    return is_last;
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    sum_kernel(const float *values, unsigned int length, unsigned int tiles, unsigned int segments,
               float *result)
{
    const unsigned int whole = length / VALUES_PER_TILE, rest = length % VALUES_PER_TILE;
    const bool wide = (size_t)values % sizeof(float4) == 0;
    // A block has neighboring segments, and its warps take turns.
    const unsigned int end = (blockIdx.x + 1) * segments / gridDim.x;
    for (unsigned int s = blockIdx.x * segments / gridDim.x + threadIdx.x / WARP; s < end;
         s += THREADS_PER_BLOCK / WARP) {
        const unsigned int tile = s / GROUP * GROUP * tiles + s % GROUP; // the first of the segment
        const unsigned int all = tile < whole ? (whole - tile + GROUP - 1) / GROUP : 0;
        const unsigned int count = all < tiles ? all : tiles;
        const float *const first = values + (size_t)tile * VALUES_PER_TILE;
        // Said twice, so that no load waits for a branch.
        float sum = wide ? sum_tiles(first, count, true) : sum_tiles(first, count, false);
        if (rest > 0 && count < tiles && tile + count * GROUP == whole)
            sum += sum_rest(values + (size_t)whole * VALUES_PER_TILE, rest);
        sum = sum_warp(sum);
        if (threadIdx.x % WARP == 0)
            segment_sums[s] = sum;
    }

    if (!is_last_block())
        return;
    float sum = 0;
    // TODO(47.4): This thread adds the sums of segments threadIdx.x, threadIdx.x + THREADS_PER_BLOCK, ...
    //             in this order, whoever wrote them. __ldcg reads them from the L2 cache, where all
    //             blocks see the same; all loads are on their way before the first is added.
    // end of TODO(47.4)
    sum = sum_block(sum);
    if (threadIdx.x == 0) {
        *result = sum;
        tickets = 0;
    }
}

/* So many that a block has eight segments, but no more than the multiprocessors hold at a time. Their
 * number changes the time and not the sum. */
static unsigned int blocks_for(size_t segments)
{
    size_t blocks = (segments + 7) / 8;
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    if (blocks > most)
        blocks = most;
    return blocks > 0 ? (unsigned int)blocks : 1;
}

void reduce(const value_t *d_values, size_t length, value_t *d_result)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce: %zu values; at most 4294967295 can be reduced\n", length);
        exit(1);
    }
    const unsigned int tiles = tiles_for(length), per_group = tiles * GROUP;
    const size_t all = (length + VALUES_PER_TILE - 1) / VALUES_PER_TILE;
    const size_t in_groups = (all + per_group - 1) / per_group * GROUP;
    const unsigned int segments = (unsigned int)(in_groups < all ? in_groups : all);
    sum_kernel<<<blocks_for(segments), THREADS_PER_BLOCK>>>(d_values, (unsigned int)length, tiles,
                                                            segments, d_result);
    CHECK(cudaGetLastError());
}
