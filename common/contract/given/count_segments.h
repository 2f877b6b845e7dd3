/* count_segments.h - counts the places that segments have of a bucket, and adds up how much work that is: given code
 * of chapter 25, where blocks share this work. */
#ifndef COUNT_SEGMENTS_H
#define COUNT_SEGMENTS_H

#include <stddef.h>

#include "bucket_tile.h"

enum { COUNT_THREADS = 1024 };

/* One warp: counts vectors begin to end - 1. */
__device__ static void count_vectors(const uint4 *vectors, unsigned int begin, unsigned int end,
                                     unsigned int *counters)
{
    const unsigned int lane = threadIdx.x % SPLIT_LANES;
    for (unsigned int i = begin; i < end; i += SEGMENT_LOADS * SPLIT_LANES) {
        uint4 loaded[SEGMENT_LOADS];
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++)
            if (i + k * SPLIT_LANES + lane < end)
                loaded[k] = __ldcs(&vectors[i + k * SPLIT_LANES + lane]);
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++)
            if (i + k * SPLIT_LANES < end) // all lanes, or none
                combine_vector(loaded[k], i + k * SPLIT_LANES + lane < end, counters, 0, NULL);
    }
}

/* Counts what tiles `tile` to `end` - 1 have of a bucket: each warp takes a tile in turn, four of them
 * in flight. */
__device__ static void count_tiles(const uint4 *store, const segment *segments, unsigned int tile,
                                   unsigned int end, unsigned int *counters)
{
    const unsigned int warps = COUNT_THREADS / SPLIT_LANES, lane = threadIdx.x % SPLIT_LANES;
    for (tile += threadIdx.x / SPLIT_LANES; tile < end; tile += SEGMENT_LOADS * warps) {
        segment part[SEGMENT_LOADS];
        uint4 loaded[SEGMENT_LOADS];
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++) {
            part[k].begin = part[k].end = 0;
            if (tile + k * warps < end)
                part[k] = segments[tile + k * warps];
        }
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++)
            if (part[k].begin + lane < part[k].end)
                loaded[k] =
                    __ldcs(&store[(size_t)(tile + k * warps) * TILE_ROOM + part[k].begin + lane]);
#pragma unroll
        for (unsigned int k = 0; k < SEGMENT_LOADS; k++) {
            combine_vector(loaded[k], part[k].begin + lane < part[k].end, counters, 0, NULL);
            count_vectors(store + (size_t)(tile + k * warps) * TILE_ROOM,
                          part[k].begin + SPLIT_LANES, part[k].end, counters);
        }
    }
}

/* Adds up the work on each bucket: first[bucket] is that on the buckets before it, and first[BUCKETS]
 * all. */
__device__ static void sum_work(const unsigned int *work, unsigned int split_blocks,
                                unsigned int *first)
{
    if (threadIdx.x <= BUCKETS)
        first[threadIdx.x] = 0;
    __syncthreads(); // no thread may add to what another has yet to zero
    unsigned int sum = 0;
    for (unsigned int i = threadIdx.x; i < split_blocks * BUCKETS; i += COUNT_THREADS)
        sum += work[i];
    atomicAdd(&first[threadIdx.x % BUCKETS + 1], sum);
    __syncthreads(); // no thread may read sums to which another has yet to add
    if (threadIdx.x < SPLIT_LANES)
        first[threadIdx.x + 1] = sum_up_to_here(first[threadIdx.x + 1], SPLIT_LANES);
    __syncthreads(); // no thread may read first before it is complete
}

/* Bytes of shared memory that a block needs to count a bucket. */
static inline size_t bytes_of_a_bucket(size_t num_bins)
{
    return (places_of(num_bins) + 1 + BUCKETS + 1) * sizeof(unsigned int);
}

#endif
