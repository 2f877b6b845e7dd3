/* segments.h - what a partition leaves of a tile, and how it is combined: given code of chapters 25 and 28,
 * for buckets.h and many_buckets.h.
 *
 * In a tile the elements of a bucket lie one behind the other: its segment, of vectors that a lane reads at
 * once. Where elements are counted, a vector is eight places of 16 bits, of a bin among those of its
 * bucket; else it is an element. */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "cuda_check.h"
#include "hardware_word.h"

enum {
    SEGMENT_LANES = 32, // of a warp
    SEGMENT_LOADS = 4,  // of a lane, in flight
    SOME_LANES = 3,     // of a warp, with one bin: even elements hardly meet so
};

/* Where the elements of a bucket lie in a tile: vectors begin to end - 1. */
typedef struct __align__(4)
{
    uint16_t begin, end;
}
segment;

/* Where the bin of a place lies in the table of a bucket. Places that are 64 apart would lie in one bank of shared
 * memory: so bits above the last five change these. */
__device__ static unsigned int slot_of(unsigned int place)
{
    return place ^ (place >> 6 & 31);
}

#if OPERATION_IS(count) || OPERATION_IS(saturate)
typedef uint4 vector_t;
typedef uint16_t place_t;
enum { VECTOR_PLACES = 8 };

/* Counts the places of a vector in the table of a bucket. */
__device__ static void combine_vector(vector_t vector, bool is_there, hardware_t *table,
                                      unsigned int place_mask, bool *is_crowded)
{
    (void)place_mask, (void)is_crowded;
    if (!is_there)
        return;
    const unsigned int pairs[] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        atomicAdd(&table[pairs[k] & 0xffff], 1);
        atomicAdd(&table[pairs[k] >> 16], 1);
    }
}

#else
typedef uint2 vector_t;
typedef element_t place_t;
enum { VECTOR_PLACES = 1 };
/* Combines an element of each lane in which it is there into the table of its bucket, in shared memory.
 * All lanes of the warp call it. To look for equal places costs more than the rest, so that it is done only
 * since the warp has met a place in some lanes at once: then *is_crowded. A sum of floats is tried again and again
 * by all who have its bin, in all warps: so a warp tries once. */
__device__ static void combine_vector(vector_t vector, bool is_there, hardware_t *table,
                                      unsigned int place_mask, bool *is_crowded)
{
    union {
        vector_t words;
        element_t element;
    } x;
    x.words = vector;
    unsigned int place = is_there ? (unsigned int)index_of(x.element, 0) & place_mask : NO_PLACE;
    hardware_t brings = encode(is_there ? value_of(x.element) : neutral());
#if OPERATION_IS(float_sum)
    const unsigned int common = __shfl_sync(0xffffffffu, place, 0);
    const unsigned int have_it = __ballot_sync(0xffffffffu, place == common);
    *is_crowded |= common != NO_PLACE && __popc(have_it) >= SOME_LANES;
    if (*is_crowded) // all lanes, or none
        place = join_equals(&brings, place);
#else
    (void)is_crowded;
#endif
    if (place != NO_PLACE)
        update(&table[slot_of(place)], brings);
}
#endif

/* The sum of the values of this lane and the lanes before it, among `width` neighbors. */
__device__ static unsigned int sum_up_to_here(unsigned int value, unsigned int width)
{
    for (unsigned int distance = 1; distance < width; distance *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffffu, value, distance, width);
        if (threadIdx.x % width >= distance)
            value += before;
    }
    return value;
}

/* What a workspace takes stays with the program when it is freed, for the next call. */
static inline void keep_workspaces(void)
{
    int device;
    cudaMemPool_t pool;
    uint64_t kept = UINT64_MAX;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
}

#endif
