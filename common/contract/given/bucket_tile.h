/* bucket_tile.h - buckets of bins, and a tile of keys that is to be put in their order: given code of chapter 25. */
#ifndef BUCKET_TILE_H
#define BUCKET_TILE_H

#include <stddef.h>
#include <stdint.h>

#include "operation.h"

enum {
    LANES = 32,
    MOST_BUCKETS = 32,
    NEIGHBORS = 8, // neighboring bins that share a bucket: a sector of the bins
    SPLIT_THREADS = 512,
    SPLIT_KEYS = 16, // of a thread, in a tile
    TILE_KEYS = SPLIT_THREADS * SPLIT_KEYS
};

/* Bins of a bucket, rounded up to whole groups of neighbors: groups of eight bins are dealt to the buckets in turn. */
__host__ __device__ static unsigned int places_of(size_t num_bins, unsigned int buckets)
{
    const size_t group = (size_t)NEIGHBORS * buckets;
    return (unsigned int)((num_bins + group - 1) / group * NEIGHBORS);
}

/* The bucket of a key, and its place there, which is below 65,536. A key without a bin goes to the last bucket, and to the
 * place after all others. */
__device__ static unsigned int bucket_of(unsigned int key, unsigned int num_bins,
                                         unsigned int buckets)
{
    return key < num_bins ? key / NEIGHBORS % buckets : buckets - 1;
}

__device__ static unsigned int place_of(unsigned int key, unsigned int num_bins,
                                        unsigned int buckets)
{
    return key < num_bins ? key / (NEIGHBORS * buckets) * NEIGHBORS + key % NEIGHBORS
                          : places_of(num_bins, buckets);
}

/* The bin that has this place in a bucket; at or above num_bins: none. */
__device__ static size_t bin_at(unsigned int bucket, unsigned int place, unsigned int buckets)
{
    return ((size_t)(place / NEIGHBORS) * buckets + bucket) * NEIGHBORS + place % NEIGHBORS;
}

/* The keys of this thread in a tile: neighbors have neighboring keys. After the end of the input come keys without a bin. */
__device__ static void load_keys(const element_t *keys, size_t length, size_t tile, element_t *mine)
{
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS; k++) {
        const size_t i = tile * TILE_KEYS + k * SPLIT_THREADS + threadIdx.x;
        mine[k] = i < length ? keys[i] : UINT32_MAX;
    }
}

/* The sum of the values of this lane and of the lanes before it. All lanes of the warp call it together. */
__device__ static unsigned int sum_up_to_here(unsigned int value)
{
    for (unsigned int away = 1; away < LANES; away *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffffu, value, away);
        if (threadIdx.x % LANES >= away)
            value += before;
    }
    return value;
}

/* Turns how many keys each column has into where it begins in the tile: one bucket after the other, and in a bucket one lane
 * after the other. first[b] becomes the beginning of bucket b, and first[buckets] the end. All threads of the block call it
 * together; warp w has buckets w, w + 16, ... */
__device__ static void begin_columns(unsigned int (*column)[LANES], unsigned int *first,
                                     unsigned int buckets)
{
    const unsigned int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES,
                       warps = SPLIT_THREADS / LANES;
    for (unsigned int b = warp; b < buckets; b += warps) {
        const unsigned int end = sum_up_to_here(column[b][lane]);
        column[b][lane] = end - column[b][lane];
        if (lane == LANES - 1)
            first[b + 1] = end; // so far the keys of bucket b
    }
    __syncthreads(); // no thread may add up keys that another has yet to store
    if (warp == 0) {
        const unsigned int end = sum_up_to_here(lane < buckets ? first[lane + 1] : 0);
        if (lane < buckets)
            first[lane + 1] = end;
        if (lane == 0)
            first[0] = 0;
    }
    __syncthreads(); // no thread may use a beginning that another has yet to store
    for (unsigned int b = warp; b < buckets; b += warps)
        column[b][lane] += first[b];
}

#endif
