/* segments.h - what a partition leaves of a tile, and how it is combined.
 *
 * In a tile the elements of a bucket lie one behind the other: its segment, of vectors that a lane reads at once. Of
 * counts a vector is eight places of 16 bits, of a bin among those of its bucket; else it is an element: the place of
 * its bin in 16 bits, above it its number in the tile, and its value. */
#ifndef LADDER_SEGMENTS_H
#define LADDER_SEGMENTS_H

#include "few.h"

enum { SEGMENT_LOADS = 4 }; // of a lane, in flight

/* Where the elements of a bucket lie in a tile: vectors begin to end - 1. */
typedef struct __align__(4)
{
    uint16_t begin, end;
}
segment;

/* Where the bin of a place lies in the table of a bucket: places that are some power of two apart would lie in one bank. */
__device__ __forceinline__ static unsigned int slot_of(unsigned int place)
{
    return slot_in_table(place);
}

#if IS_COUNTED
typedef uint4 vector_t;
typedef uint16_t place_t;
enum { VECTOR_PLACES = 8 };

/* Counts the places of a vector in the table of a bucket. */
__device__ __forceinline__ static void combine_vector(vector_t vector, bool is_there,
                                                      size_t tile_base, hardware_t *table,
                                                      bool *is_crowded)
{
    (void)tile_base, (void)is_crowded;
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
typedef uint2 place_t;
enum { VECTOR_PLACES = 1 };

/* Combines an element of each lane in which it is there into the table of its bucket, in shared memory. All lanes of
 * the warp call it. To look for equal places costs more than the rest, so that it is done only since the warp has met
 * a place in some lanes at once: then *is_crowded. A sum of floats is tried again and again by all who have its bin,
 * in all warps: so a warp tries once. */
__device__ __forceinline__ static void combine_vector(vector_t vector, bool is_there,
                                                      size_t tile_base, hardware_t *table,
                                                      bool *is_crowded)
{
    element_t x;
    x.key = 0;
    x.value = vector.y;
    unsigned int place = is_there ? vector.x & 0xffff : NO_KEY;
    hardware_t brings = is_there ? bring(x, tile_base + (vector.x >> 16)) : nothing();
#if OPERATION_IS(sum_f32)
    const unsigned int common = __shfl_sync(ALL_LANES, place, 0);
    const unsigned int have_it = __ballot_sync(ALL_LANES, place == common);
    *is_crowded |= common != NO_KEY && __popc(have_it) >= SOME_LANES;
    if (*is_crowded) // all lanes, or none
        place = join_equals(&brings, place);
#else
    (void)is_crowded;
#endif
    if (place != NO_KEY)
        update(&table[slot_of(place)], brings);
}
#endif

#endif
