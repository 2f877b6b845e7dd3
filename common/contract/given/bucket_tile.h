/* bucket_tile.h - 32 buckets of bins, and a tile of keys that is to be split into them: given code of chapter 25. */
#ifndef BUCKET_TILE_H
#define BUCKET_TILE_H

#include <stddef.h>
#include <stdint.h>

#include "segments.h"

enum {
    SPLIT_LANES = 32,
    BUCKETS = 32,
    NEIGHBORS = 8, // neighboring bins that share a bucket: a sector of the bins
    SPLIT_THREADS = 512,
    SPLIT_KEYS = 16, // of a thread, in a tile
    TILE_KEYS = SPLIT_THREADS * SPLIT_KEYS,
    TILE_ROOM = TILE_KEYS / VECTOR_PLACES +
                BUCKETS, // vectors of a tile in order: each bucket fills its last one
};

/* The bucket of a bin, and its place there: groups of eight bins are dealt to the buckets in turn. */
__device__ static unsigned int bucket_of(unsigned int bin)
{
    return bin / NEIGHBORS % BUCKETS;
}

__device__ static unsigned int place_of(unsigned int bin)
{
    return bin / (NEIGHBORS * BUCKETS) * NEIGHBORS + bin % NEIGHBORS;
}

__device__ static unsigned int bin_at(unsigned int bucket, unsigned int place)
{
    return (place / NEIGHBORS * BUCKETS + bucket) * NEIGHBORS + place % NEIGHBORS;
}

/* Four keys: number `word` of those that begin at the multiple of 16 bytes at or before the first
 * key, `skipped` keys earlier. What lies outside the keys has no bin. */
__device__ static uint4 load_word(const element_t *keys, size_t length, unsigned int skipped,
                                  size_t word)
{
    const size_t i = word * 4 - skipped; // wraps where the word begins before the keys
    if (i < length && length - i >= 4)
        return __ldcs((const uint4 *)(keys + i)); // read once: it need not stay in the caches
    element_t four[4];
#pragma unroll
    for (unsigned int k = 0; k < 4; k++)
        four[k] = i + k < length ? keys[i + k] : UINT32_MAX;
    return make_uint4(four[0], four[1], four[2], four[3]);
}

__device__ static void load_tile(const element_t *keys, size_t length, unsigned int skipped,
                                 size_t tile, element_t *mine)
{
#pragma unroll
    for (unsigned int k = 0; k < SPLIT_KEYS / 4; k++) {
        const uint4 word = load_word(keys, length, skipped,
                                     tile * (TILE_KEYS / 4) + k * SPLIT_THREADS + threadIdx.x);
        mine[4 * k] = word.x;
        mine[4 * k + 1] = word.y;
        mine[4 * k + 2] = word.z;
        mine[4 * k + 3] = word.w;
    }
}

/* Where a place lies in shared memory. Every 256 places, eight vectors change their order: when all keys
 * have one bucket, the columns of neighboring lanes would begin in the same bank. */
__device__ static unsigned int turned(unsigned int at)
{
    return at ^ (at >> 5 & 7 * VECTOR_PLACES);
}

/* Counters of a bucket: one for each of its bins. */
static inline size_t places_of(size_t num_bins)
{
    return (num_bins + NEIGHBORS * BUCKETS - 1) / (NEIGHBORS * BUCKETS) * NEIGHBORS;
}

#endif
