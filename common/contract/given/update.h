/* update.h - combines a value into a bin that other threads may be changing: given code of chapter 21. */
#ifndef UPDATE_H
#define UPDATE_H

#include <string.h>

#include "operation.h"

#if OPERATION_WORD_BITS == 0
#error "a value of more than 8 bytes needs a lock: chapter 22"
#endif

/* The bits of a value, and back: atomicCAS and shuffles take words. */
__device__ static word_t word_of(bin_t value)
{
    word_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

__device__ static bin_t value_in(word_t word)
{
    bin_t value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* By an atomic of the hardware, if there is one; else by compare-and-swap, unless the value changes nothing. */
__device__ __forceinline__ static void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *const word = (word_t *)bin;
    word_t held = *(volatile word_t *)word;
    for (;;) {
        const word_t wanted = word_of(combine(value_in(held), value));
        if (wanted == held)
            return;
        const word_t found = atomicCAS(word, held, wanted);
        if (found == held)
            return;
        held = found;
    }
#endif
}

#endif
