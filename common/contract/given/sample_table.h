/* sample_table.h - counts the keys of a sample in a table of a block: given code of chapter 29.
 *
 * A key lies where a multiplication sends it, or at the next place that is free. */
#ifndef SAMPLE_TABLE_H
#define SAMPLE_TABLE_H

#include "segments.h"

enum {
    SAMPLE = 2048, // keys, at most
    SLOTS = 2 * SAMPLE,
    LANES = SEGMENT_LANES,
};
static const unsigned int NO_KEY = 0xffffffffu; // no bin has this number

/* Counts a key in the table of the sample, where other threads enter theirs now. */
__device__ static void enter_key(unsigned int key, unsigned int *keys, unsigned int *times,
                                 unsigned int *different)
{
    unsigned int slot = key * 2654435761u % SLOTS;
    for (;; slot = (slot + 1) % SLOTS) {
        unsigned int holds = *(volatile unsigned int *)&keys[slot];
        if (holds == NO_KEY)
            holds = atomicCAS(&keys[slot], NO_KEY, key);
        if (holds == NO_KEY)
            atomicAdd(different, 1);
        if (holds == NO_KEY || holds == key)
            break;
    }
    atomicAdd(&times[slot], 1);
}

/* The greatest of what the lanes of a warp have. */
__device__ static unsigned long long greatest_of_warp(unsigned long long mine)
{
    for (unsigned int distance = LANES / 2; distance > 0; distance /= 2) {
        const unsigned long long other = __shfl_xor_sync(0xffffffffu, mine, (int)distance);
        mine = mine > other ? mine : other;
    }
    return mine;
}

/* The most frequent key of this thread's slots; above it, how often it is there. */
__device__ static unsigned long long hottest_here(const unsigned int *keys,
                                                  const unsigned int *times)
{
    unsigned long long hottest = 0;
    for (unsigned int slot = threadIdx.x; slot < SLOTS; slot += blockDim.x) {
        const unsigned long long here = (unsigned long long)times[slot] << 32 | keys[slot];
        hottest = here > hottest ? here : hottest;
    }
    return hottest;
}

#endif
