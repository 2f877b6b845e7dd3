/* each_element.h - every element once, 16 bytes a load, several loads in flight: given code of chapters
 * 10 and 13.
 *
 * Whoever includes it has defined, before that, what is done with an element, and what it needs for it:
 *
 *     struct taker { ... };
 *     __device__ static void take(element_t x, struct taker *taker) { ... }
 *
 * and, with TAKES_LOADS, what is done with the ELEMENTS_PER_LOAD elements of a load:
 *
 *     __device__ static void take_load(const element_t *x, struct taker *taker) { ... } */
#ifndef EACH_ELEMENT_H
#define EACH_ELEMENT_H

#include <stddef.h>

#include "operation.h"

enum { LOADS_IN_FLIGHT = 4, ELEMENTS_PER_LOAD = sizeof(uint4) / sizeof(element_t) };

/* Calls take(x, taker) for each element, in one thread of the `groups` blocks; this block is number
 * `group` of them. While a thread takes what a load has brought, its next loads are on their way. */
__device__ __forceinline__ static void for_each_element(const element_t *elements, size_t length,
                                                        unsigned int group, unsigned int groups,
                                                        struct taker *taker)
{
    const unsigned int thread = group * blockDim.x + threadIdx.x, threads = groups * blockDim.x;
    const size_t to_boundary = (16 - (size_t)elements % 16) % 16 / sizeof(element_t);
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(elements + head);
    const unsigned int num_words = (unsigned int)((length - head) / ELEMENTS_PER_LOAD);
    union {
        uint4 word;
        element_t element[ELEMENTS_PER_LOAD];
    } here, ring[LOADS_IN_FLIGHT];
#pragma unroll
    for (unsigned int k = 0; k < LOADS_IN_FLIGHT; k++)
        if (thread + k * threads < num_words)
            ring[k].word = __ldcs(&words[thread + k * threads]);
    for (unsigned int i = thread; i < num_words; i += LOADS_IN_FLIGHT * threads)
#pragma unroll
        for (unsigned int k = 0; k < LOADS_IN_FLIGHT; k++) {
            here.word = ring[k].word;
            if (i + (k + LOADS_IN_FLIGHT) * threads < num_words)
                ring[k].word = __ldcs(&words[i + (k + LOADS_IN_FLIGHT) * threads]);
            if (i + k * threads < num_words)
#ifdef TAKES_LOADS
                take_load(here.element, taker);
#else
#pragma unroll
                for (unsigned int n = 0; n < ELEMENTS_PER_LOAD; n++)
                    take(here.element[n], taker);
#endif
        }
    const size_t tail = head + (size_t)num_words * ELEMENTS_PER_LOAD;
    if (thread < head)
        take(elements[thread], taker);
    if (thread < length - tail)
        take(elements[tail + thread], taker);
}

#endif
