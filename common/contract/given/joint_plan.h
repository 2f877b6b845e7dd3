/* joint_plan.h - how pairs are shared among blocks and warps, and where bins lie: given code of chapter 71.
 *
 * Whoever includes it has defined THREADS_PER_BLOCK before that. A CUDA call that fails ends the program with one line. */
#ifndef JOINT_PLAN_H
#define JOINT_PLAN_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
#include "joint_histogram.h"

enum { WARP = 32, WARPS = THREADS_PER_BLOCK / WARP };
enum { RUN = 8, TILE = WARP * RUN }; // neighbors of a lane, and pairs that a warp takes at a time
enum { LEAST_CHUNK = 8192, MOST_CHUNK = 65536, CHUNKS = 128 };
#define NO_BIN 0xffffffffu

struct plan {
    size_t length, tiles, chunks;
    unsigned int x_bins, y_bins, bins;
    unsigned int chunk_tiles; // after so many a block commits
    unsigned int bits;        // a pair adds 2^bits in all
    bool is_near;             // bins lie in shared memory, and not in the L2 cache
};

static inline size_t divided_up(size_t all, size_t by)
{
    return (all + by - 1) / by;
}

static inline size_t lesser(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* The most pairs of a chunk, by the length alone: a power of two, and for all but very long inputs CHUNKS are enough. */
static inline unsigned int chunk_of(size_t length)
{
    unsigned int chunk = LEAST_CHUNK;
    while (chunk < MOST_CHUNK && chunk < divided_up(length, CHUNKS))
        chunk *= 2;
    return chunk;
}

/* The plan for a chunk of `chunk` pairs at most. A block takes its share of the tiles, but one for each warp, and no more
 * than a chunk has, between two commits. */
static inline struct plan plan_for(size_t length, unsigned int x_bins, unsigned int y_bins,
                                   unsigned int chunk, unsigned int bits)
{
    const size_t tiles = divided_up(length, TILE);
    const size_t share = divided_up(tiles, device_has(cudaDevAttrMultiProcessorCount));
    const unsigned int chunk_tiles =
        (unsigned int)lesser(share < WARPS ? (size_t)WARPS : share, chunk / TILE);
    const struct plan plan = {length,      tiles,  divided_up(tiles, chunk_tiles),
                              x_bins,      y_bins, x_bins * y_bins,
                              chunk_tiles, bits,   false};
    return plan;
}

static inline void refuse_too_many(size_t length, unsigned int x_bins, unsigned int y_bins)
{
    if (length <= UINT32_MAX && x_bins <= MOST_SIDE_BINS && y_bins <= MOST_SIDE_BINS)
        return;
    fprintf(stderr,
            "joint_histogram: %zu pairs in %u x %u bins; at most 4294967295 pairs in %d x %d bins "
            "can be counted\n",
            length, x_bins, y_bins, MOST_SIDE_BINS, MOST_SIDE_BINS);
    exit(1);
}

/* The first of the four bins that a coordinate touches; NO_BIN when it is not counted. */
__device__ static unsigned int first_bin(float x, unsigned int bins)
{
    const float first = floorf(x);
    const bool is_counted = first >= 0 && first <= (float)bins - TOUCHED_BINS; // a NaN is not
    return is_counted ? (unsigned int)first : NO_BIN;
}

/* Adds to parts[1 + down][1 + right]. An index that varies would put all parts into local memory. */
__device__ static void add_to_one_of_four(unsigned int parts[TOUCHED_BINS][TOUCHED_BINS], bool down,
                                          bool right, unsigned int more)
{
    parts[1][1] += !down && !right ? more : 0;
    parts[1][2] += !down && right ? more : 0;
    parts[2][1] += down && !right ? more : 0;
    parts[2][2] += down && right ? more : 0;
}

/* Stores the sums of whole numbers as floats. */
__global__ void store_bins(struct plan plan, const unsigned long long *far, float *bins)
{
    const size_t b = (size_t)blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
    if (b < plan.bins)
        bins[b] =
            (float)ldexp((double)far[b], -(int)plan.bits); // rounded once: the double is exact
}

#endif
