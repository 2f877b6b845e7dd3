/* elements.h - reads elements: a word of them with one load of keys and one of values, and all of them once, with
 * several loads in flight. */
#ifndef LADDER_ELEMENTS_H
#define LADDER_ELEMENTS_H

#include "../plan.h"
#include "operation.h"

enum { WORD_ELEMENTS = IS_COUNTED ? 4 : 2, LOADS_IN_FLIGHT = 4 };

struct word {
    element_t x[WORD_ELEMENTS];
};

__device__ __forceinline__ static element_t no_element(void)
{
#if IS_COUNTED
    return NO_KEY;
#else
    element_t none;
    none.key = NO_KEY;
    none.value = 0;
    return none;
#endif
}

__device__ __forceinline__ static element_t element_at(const struct ladder_elements *elements,
                                                       unsigned int i)
{
    if (i >= elements->length)
        return no_element();
#if IS_COUNTED
    return elements->keys[i];
#else
    element_t x;
    x.key = elements->keys[i];
    x.value = elements->values[i];
    return x;
#endif
}

/* The number of a word's first element, which wraps where the word begins before the elements. */
__device__ __forceinline__ static unsigned int first_of_word(const struct ladder_elements *elements,
                                                             unsigned int number)
{
    return number * WORD_ELEMENTS - elements->skipped;
}

__device__ __forceinline__ static unsigned int words_of(const struct ladder_elements *elements)
{
    return (elements->length + elements->skipped + WORD_ELEMENTS - 1) / WORD_ELEMENTS;
}

/* A word. What lies outside the elements has no bin. If they are read `once`, they need not stay in the caches. */
__device__ __forceinline__ static struct word load_word(const struct ladder_elements *elements,
                                                        unsigned int number, bool once)
{
    const unsigned int i = first_of_word(elements, number);
    struct word word;
    if (i < elements->length && elements->length - i >= WORD_ELEMENTS) {
#if IS_COUNTED
        const uint4 *const from = (const uint4 *)(elements->keys + i);
        const uint4 keys = once ? __ldcs(from) : *from;
        word.x[0] = keys.x;
        word.x[1] = keys.y;
        word.x[2] = keys.z;
        word.x[3] = keys.w;
#else
        const uint2 keys = __ldcs((const uint2 *)(elements->keys + i));
        uint2 values;
        (void)once;
        if (elements->wide) { // all threads, or none
            values = __ldcs((const uint2 *)(elements->values + i));
        } else {
            values.x = __ldcs(elements->values + i);
            values.y = __ldcs(elements->values + i + 1);
        }
        word.x[0].key = keys.x;
        word.x[1].key = keys.y;
        word.x[0].value = values.x;
        word.x[1].value = values.y;
#endif
    } else
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
            word.x[k] = element_at(elements, i + k);
    return word;
}

/* A part of the elements, from number `from` on, a multiple of 64; there is one at least. */
__device__ __forceinline__ static struct ladder_elements
part_of(const struct ladder_elements *elements, unsigned int from, unsigned int length)
{
    struct ladder_elements part = *elements;
    part.keys += from;
    if (!IS_COUNTED)
        part.values += from;
    part.base += from;
    part.length = elements->length - from < length ? elements->length - from : length;
    return part;
}

/* The sum of the values of this lane and the lanes before it, among `width` neighbors. */
__device__ __forceinline__ static unsigned int sum_up_to_here(unsigned int value,
                                                              unsigned int width)
{
    for (unsigned int distance = 1; distance < width; distance *= 2) {
        const unsigned int before = __shfl_up_sync(ALL_LANES, value, distance, (int)width);
        if (threadIdx.x % width >= distance)
            value += before;
    }
    return value;
}

/* The sum of `value` over the threads of the block before this one; *all is that over all threads. */
__device__ static unsigned int sum_before(unsigned int value, unsigned int *sums_of_warps,
                                          unsigned int *all)
{
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned int in_warp = sum_up_to_here(value, WARP);
    if (lane == WARP - 1)
        sums_of_warps[warp] = in_warp;
    __syncthreads(); // no thread may read sums_of_warps before it is complete
    const unsigned int of_warp = lane < blockDim.x / WARP ? sums_of_warps[lane] : 0;
    const unsigned int up_to_warp = sum_up_to_here(of_warp, WARP);
    *all = __shfl_sync(ALL_LANES, up_to_warp, WARP - 1);
    const unsigned int before = __shfl_sync(ALL_LANES, up_to_warp - of_warp, (int)warp);
    __syncthreads(); // no thread may write the next sums while another still reads these
    return before + in_warp - value;
}

enum { MANY_LANES = 8 }; // of a warp, with one bucket: they ask for places together

/* Asks the counters of their buckets for places for the elements of a word of each lane. All lanes of the warp call
 * it: where many of them have the bucket of lane 0, these ask together, since lanes at one counter wait for each
 * other. */
__device__ __forceinline__ static void ask_for_places(const unsigned int *bucket,
                                                      unsigned int *counters, unsigned int *place)
{
    const unsigned int lane = threadIdx.x % WARP, before = (1u << lane) - 1;
    const unsigned int common = __shfl_sync(ALL_LANES, bucket[0], 0);
    const unsigned int have_it = __ballot_sync(ALL_LANES, bucket[0] == common);
    const bool together = common != NO_KEY && __popc(have_it) >= MANY_LANES;
    unsigned int at[WORD_ELEMENTS], first = 0;
    if (together) { // all lanes, or none
        unsigned int sum = 0;
#pragma unroll
        for (unsigned int k = 0; k < WORD_ELEMENTS; k++) {
            const unsigned int same = __ballot_sync(ALL_LANES, bucket[k] == common);
            at[k] = sum + (unsigned int)__popc(same & before);
            sum += (unsigned int)__popc(same);
        }
        if (lane == 0)
            first = atomicAdd(&counters[common], sum); // other warps ask for places now
        first = __shfl_sync(ALL_LANES, first, 0);
    }
#pragma unroll
    for (unsigned int k = 0; k < WORD_ELEMENTS; k++)
        if (bucket[k] != NO_KEY)
            place[k] = together && bucket[k] == common ? first + at[k]
                                                       : atomicAdd(&counters[bucket[k]], 1);
}

#endif
