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
static const unsigned int NO_PLACE = 0xffffffffu;

#if OPERATION_IS(float_sum) || OPERATION_IS(vector_sum)
/* Lanes whose elements have one place join them, and one of them combines the sum into the table. Returns the
 * place of a lane that has it alone, else NO_PLACE. All lanes of the warp call it. A sum of floats is tried
 * again and again by all who have its bin, in all warps: so a warp tries once. */
__device__ static unsigned int combine_equals(element_t x, unsigned int place, hardware_t *table)
{
    const unsigned int lane = threadIdx.x % SEGMENT_LANES;
    unsigned int equals = __match_any_sync(0xffffffffu, place);
    const bool is_alone = place == NO_PLACE || __popc(equals) == 1;
    if (__all_sync(0xffffffffu, is_alone))
        return place;
    // In each step every second lane that is left gives its sum to the one before it.
    hardware_t sum = encode(value_of(x));
    unsigned int rank = (unsigned int)__popc(equals & ((1u << lane) - 1));
    const bool is_first = rank == 0;
    equals &= ~((2u << lane) - 1); // those after this lane
    while (__any_sync(0xffffffffu, !is_alone && equals != 0)) {
        const unsigned int next = equals == 0 ? lane : (unsigned int)__ffs((int)equals) - 1;
        const hardware_t other = of_lane(sum, next);
        if (equals != 0)
            sum = join(sum, other);
        equals &= __ballot_sync(0xffffffffu, rank % 2 == 0); // the others have been joined
        rank /= 2;
    }
    if (!is_alone && is_first)
        update(&table[place], sum, true);
    return is_alone ? place : NO_PLACE;
}
#endif

/* Combines an element of each lane in which it is there into the table of its bucket, in shared memory.
 * All lanes of the warp call it. To look for equal places costs more than the rest, so that it is done only
 * since the warp has met a place in some lanes at once: then *is_crowded. */
__device__ static void combine_vector(vector_t vector, bool is_there, hardware_t *table,
                                      unsigned int place_mask, bool *is_crowded)
{
    union {
        vector_t words;
        element_t element;
    } x;
    x.words = vector;
    unsigned int place = is_there ? (unsigned int)index_of(x.element, 0) & place_mask : NO_PLACE;
#if OPERATION_IS(float_sum) || OPERATION_IS(vector_sum)
    const unsigned int common = __shfl_sync(0xffffffffu, place, 0);
    const unsigned int have_it = __ballot_sync(0xffffffffu, place == common);
    *is_crowded |= common != NO_PLACE && __popc(have_it) >= SOME_LANES;
    if (*is_crowded) // all lanes, or none
        place = combine_equals(x.element, place, table);
#else
    (void)is_crowded;
#endif
#if OPERATION_IS(vector_sum)
    // Eight lanes take one element after the other, and each a sum of its own, in a bank of its own.
    const unsigned int lane = threadIdx.x % SEGMENT_LANES, power = lane % BIN_FLOATS;
    for (unsigned int k = 0; k < BIN_FLOATS; k++) {
        const int from = (int)(lane - power + k);
        const unsigned int at = __shfl_sync(0xffffffffu, place, from);
        const float v = __shfl_sync(0xffffffffu, x.element.value, from);
        float brings = 1; // rounded as value_of() does
#pragma unroll
        for (unsigned int i = 1; i < BIN_FLOATS; i++)
            if (i <= power)
                brings *= v;
        if (at != NO_PLACE)
            atomicAdd(&table[at].sum[power], brings); // other warps may add to it now
    }
#else
    if (place != NO_PLACE)
        update(&table[place], encode(value_of(x.element)), true);
#endif
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
