/* tiles.h - what a block needs to put a tile of elements in order: given code of chapter 25, for many_buckets.h and
 * sorted_tile.h. The elements are read, places are asked for, and numbers of them are summed over a block. */
#ifndef TILES_H
#define TILES_H

#include <stddef.h>

#include "segments.h"

enum {
    WORD_ELEMENTS = sizeof(uint4) / sizeof(element_t),
    MANY_LANES = 8, // of a warp, with one bucket: they ask for places together
};
static const unsigned int NO_BUCKET = 0xffffffffu; // nor has a bin this number

/* A word of 16 bytes, as elements: number `number` of those that begin at the multiple of 16 bytes at or before
 * the first element. What lies outside the elements has no bin. */
struct word {
    union {
        unsigned int words[4]; // of 4 bytes, as they are loaded
        element_t x[WORD_ELEMENTS];
    };
};

/* The number of a word's first element, which wraps where the word begins before the elements. */
__device__ static size_t first_of_word(const element_t *elements, size_t number)
{
    return number * WORD_ELEMENTS - (size_t)elements % sizeof(uint4) / sizeof *elements;
}

/* An element without a bin; of argmax, whose keys may all have bins, any. */
__device__ static element_t no_element(void)
{
    union {
        element_t x;
        unsigned int key;
    } none;
    none.key = NO_BUCKET;
    return none.x;
}

__device__ __forceinline__ static struct word load_elements(const element_t *elements,
                                                            size_t length, size_t number)
{
    const size_t i = first_of_word(elements, number);
    struct word word;
    if (i < length && length - i >= WORD_ELEMENTS) {
        const uint4 bytes = *(const uint4 *)(elements + i); // of keys, to be read once more soon
        word.words[0] = bytes.x;
        word.words[1] = bytes.y;
        word.words[2] = bytes.z;
        word.words[3] = bytes.w;
    } else
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
            word.x[k] = i + k < length ? elements[i + k] : no_element();
    return word;
}

/* The key of element k of a word, or NO_BUCKET if that lies outside the elements. */
__device__ static unsigned int key_in_word(const element_t *elements, size_t length, size_t number,
                                           const struct word *word, unsigned int k)
{
#if OPERATION_IS(argmax)
    if (first_of_word(elements, number) + k >= length)
        return NO_BUCKET;
#else
    (void)elements, (void)length, (void)number;
#endif
    return (unsigned int)index_of(word->x[k], NO_BUCKET);
}

/* The sum of `value` over the threads of the block before this one; *all is that over all threads. */
__device__ static unsigned int sum_before(unsigned int value, unsigned int *sums_of_warps,
                                          unsigned int *all)
{
    const unsigned int lane = threadIdx.x % SEGMENT_LANES, warp = threadIdx.x / SEGMENT_LANES;
    const unsigned int in_warp = sum_up_to_here(value, SEGMENT_LANES);
    if (lane == SEGMENT_LANES - 1)
        sums_of_warps[warp] = in_warp;
    __syncthreads(); // no thread may read sums_of_warps before it is complete
    const unsigned int of_warp = lane < blockDim.x / SEGMENT_LANES ? sums_of_warps[lane] : 0;
    const unsigned int up_to_warp = sum_up_to_here(of_warp, SEGMENT_LANES);
    *all = __shfl_sync(0xffffffffu, up_to_warp, SEGMENT_LANES - 1);
    const unsigned int before = __shfl_sync(0xffffffffu, up_to_warp - of_warp, (int)warp);
    __syncthreads(); // no thread may write the next sums while another still reads these
    return before + in_warp - value;
}

/* Asks the counters of their buckets for places for the elements of a word of each lane. All lanes of the warp
 * call it: where many of them have the bucket of lane 0, these ask together, since lanes at one counter wait
 * for each other. */
__device__ __forceinline__ static void ask_for_places(const unsigned int *bucket,
                                                      unsigned int *counters, unsigned int *place)
{
    const unsigned int lane = threadIdx.x % SEGMENT_LANES, before = (1u << lane) - 1;
    const unsigned int common = __shfl_sync(0xffffffffu, bucket[0], 0);
    const unsigned int have_it = __ballot_sync(0xffffffffu, bucket[0] == common);
    const bool together = common != NO_BUCKET && __popc(have_it) >= MANY_LANES;
    unsigned int at[WORD_ELEMENTS], first = 0;
    if (together) { // all lanes, or none
        unsigned int sum = 0;
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++) {
            const unsigned int same = __ballot_sync(0xffffffffu, bucket[k] == common);
            at[k] = sum + (unsigned int)__popc(same & before);
            sum += (unsigned int)__popc(same);
        }
        if (lane == 0)
            first = atomicAdd(&counters[common], sum); // other warps ask for places now
        first = __shfl_sync(0xffffffffu, first, 0);
    }
#pragma unroll
    for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
        if (bucket[k] != NO_BUCKET)
            place[k] = together && bucket[k] == common ? first + at[k]
                                                       : atomicAdd(&counters[bucket[k]], 1);
}

#endif
