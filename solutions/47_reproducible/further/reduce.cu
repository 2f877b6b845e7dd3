/* 47. Reproducible, further: wide loads wherever the values begin.
 *
 * Which lane adds which value is fixed, so an array that begins between two words of 16 bytes is loaded in
 * the words that are there, and each lane takes what it lacks from the lane above it. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce.h"

#if !OPERATION_IS(float_sum)
#error "chapter 47 takes float_sum"
#endif

/* One block, for its threads have twice the registers. */
enum { THREADS_PER_BLOCK = 1024, BLOCKS_PER_MULTIPROCESSOR = 1, WARP = 32, LOADS = 4 };

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
    const size_t most = (size_t)MOST_SEGMENTS * VALUES_PER_TILE;
    if (length > most)
        tiles = (length + most - 1) / most;
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

/* Loads a tile that begins `by` values after a multiple of 16 bytes, 1 to 3 of them. The words begin as many
 * values before the tile, and the last one ends behind it: all of that lies in the array. */
__device__ __forceinline__ static void load_shifted(const float *tile, unsigned int by,
                                                    float4 four[LOADS])
{
    const unsigned int lane = threadIdx.x % WARP, above = (lane + 1) % WARP;
    const float4 *const words = (const float4 *)(tile - by);
    float4 word[LOADS + 1];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        word[k] = __ldcs(&words[k * WARP + lane]);
    word[LOADS] = lane == 0 ? words[LOADS * WARP] : word[0]; // only lane 0 gives it away
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        // The last lane goes on with the first word of the next load.
        const float4 given = lane == 0 ? word[k + 1] : word[k];
        const float x = __shfl_sync(0xffffffffu, given.x, above);
        const float y = __shfl_sync(0xffffffffu, given.y, above);
        const float z = __shfl_sync(0xffffffffu, given.z, above);
        if (by == 1)
            four[k] = make_float4(word[k].y, word[k].z, word[k].w, x);
        else if (by == 2)
            four[k] = make_float4(word[k].z, word[k].w, x, y);
        else
            four[k] = make_float4(word[k].w, x, y, z);
    }
}

/* This lane's part of the sum of whole tiles of a segment, each of which begins GROUP tiles after the last, of
 * an array that begins at `begin` and ends before `end`. Which lane adds which value depends on its index in
 * the array, and never on its address. */
__device__ __forceinline__ static float sum_tiles(const float *tile, unsigned int tiles,
                                                  const float *begin, const float *end)
{
    const unsigned int by = (unsigned int)((size_t)begin % sizeof(float4) / sizeof(float));
    const unsigned int mine = threadIdx.x % WARP * VALUES_PER_LOAD;
    float sum = 0;
#pragma unroll 1
    for (; tiles > 0; tiles--, tile += GROUP * VALUES_PER_TILE) {
        float4 four[LOADS];
        if (by != 0 && tile > begin && tile + VALUES_PER_TILE + VALUES_PER_LOAD - by <= end)
            load_shifted(tile, by, four);
        else
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                four[k] = load_four(tile + mine + k * WARP * VALUES_PER_LOAD, by == 0);
        sum += sum_loads(four);
    }
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
#pragma unroll
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
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
    // A block has neighboring segments, and its warps take turns.
    const unsigned int end = (blockIdx.x + 1) * segments / gridDim.x;
    for (unsigned int s = blockIdx.x * segments / gridDim.x + threadIdx.x / WARP; s < end;
         s += THREADS_PER_BLOCK / WARP) {
        const unsigned int tile = s / GROUP * GROUP * tiles + s % GROUP; // the first of the segment
        const unsigned int all = tile < whole ? (whole - tile + GROUP - 1) / GROUP : 0;
        const unsigned int count = all < tiles ? all : tiles;
        const float *const first = values + (size_t)tile * VALUES_PER_TILE;
        float sum = sum_tiles(first, count, values, values + length);
        if (rest > 0 && count < tiles && tile + count * GROUP == whole)
            sum += sum_rest(values + (size_t)whole * VALUES_PER_TILE, rest);
        sum = sum_warp(sum);
        if (threadIdx.x % WARP == 0)
            segment_sums[s] = sum;
    }

    if (!is_last_block())
        return;
    float sum = 0;
    float other[SUMS_PER_THREAD];
#pragma unroll
    for (unsigned int k = 0; k < SUMS_PER_THREAD; k++) {
        const unsigned int s = k * THREADS_PER_BLOCK + threadIdx.x;
        other[k] = s < segments ? __ldcg(&segment_sums[s]) : 0;
    }
#pragma unroll
    for (unsigned int k = 0; k < SUMS_PER_THREAD; k++)
        sum += other[k];
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
