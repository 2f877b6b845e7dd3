/* taker.h - what a thread does with elements in chapter 29: it keeps those of the hot key, and updates bins with the others.
 * Given code of that chapter. */
#ifndef TAKER_H
#define TAKER_H

#include "update.h"

enum { THREADS = 1024, LANES = 32, LOADS = 8 };
#define NO_KEY 0xffffffffu

/* What a thread combines elements into: the copy of bins `first` and following that is its own. */
struct taker {
    bin_t *copy, kept; // kept: of the hot key
    unsigned int first, count, stride, hot_key;
};

__device__ __forceinline__ static void take(element_t x, struct taker *taker)
{
    const size_t bin = index_of(x, (size_t)taker->first + taker->count) - taker->first;
    if (bin >= taker->count)
        return;
    if (taker->first + bin == taker->hot_key)
        taker->kept = combine(taker->kept, value_of(x));
    else
        update(&taker->copy[bin * taker->stride], value_of(x));
}

/* Takes every element of the input in one thread of the grid. A thread has LOADS loads in flight. */
__device__ __forceinline__ static void take_all(const element_t *elements, size_t length,
                                                struct taker *taker)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length;
         i += LOADS * threads) {
        element_t loaded[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (i + k * threads < length)
                loaded[k] = elements[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (i + k * threads < length)
                take(loaded[k], taker);
    }
}

/* Brings what the lanes of a warp have kept to the bin. All lanes call it together. */
__device__ static void give_back(const struct taker *taker, bin_t *bins)
{
    bin_t kept = taker->kept;
    for (unsigned int away = LANES / 2; away > 0; away /= 2)
        kept = combine(kept, value_in(__shfl_down_sync(0xffffffffu, word_of(kept), away)));
    const bool is_here = taker->hot_key - taker->first < taker->count;
    if (threadIdx.x % LANES == 0 && is_here)
        update(&bins[taker->hot_key], kept);
}

#endif
