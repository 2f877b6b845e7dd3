/* hardware_word.h - the operations of operation.h, said so that hardware can do them: given code of
 * chapter 28.
 *
 *   hardware_t                what hardware combines for one bin; it is as large as a bin
 *   encode(bin), decode(word) a bin as such a word, and back
 *   join(a, b)                of two words that no other thread sees
 *   update(p, w, in_shared)   of a word in shared or in global memory that others may update now
 *   is_nothing(word)          whether combining it may be left out
 *   of_lane(word, lane)       what another lane holds
 *   join_warp(word)           of what the 32 lanes of a warp hold */
#ifndef HARDWARE_WORD_H
#define HARDWARE_WORD_H

#include "operation.h"

#if OPERATION_IS(argmax)
typedef unsigned long long hardware_t;

__device__ static hardware_t encode(bin_t bin)
{
    return (hardware_t)bin.value << 32 | ~bin.index;
}

__device__ static bin_t decode(hardware_t word)
{
    bin_t bin;
    bin.value = (unsigned int)(word >> 32);
    bin.index = ~(unsigned int)word;
    return bin;
}

#elif OPERATION_IS(minmax)
typedef ulonglong2 hardware_t; // both as words that are in the order of the numbers

__device__ static unsigned long long in_order(double x)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(x);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

__device__ static double from_order(unsigned long long word)
{
    return __longlong_as_double((long long)(word >> 63 ? word & ~(1ull << 63) : ~word));
}

__device__ static hardware_t encode(bin_t bin)
{
    return make_ulonglong2(in_order(bin.smallest), in_order(bin.largest));
}

__device__ static bin_t decode(hardware_t words)
{
    bin_t bin;
    bin.smallest = from_order(words.x);
    bin.largest = from_order(words.y);
    return bin;
}

#else
typedef bin_t hardware_t;

__device__ static hardware_t encode(bin_t bin)
{
    return bin;
}

__device__ static bin_t decode(hardware_t word)
{
    return combine(neutral(), word); // cuts a sum that is too large
}
#endif

__device__ static hardware_t join(hardware_t a, hardware_t b)
{
#if OPERATION_IS(argmax)
    return a > b ? a : b;
#elif OPERATION_IS(minmax)
    return make_ulonglong2(a.x < b.x ? a.x : b.x, a.y > b.y ? a.y : b.y);
#else
    return combine(a, b);
#endif
}

/* Whether combining the word may be left out. Of vector_sum, the first sum is the number of elements. */
__device__ static bool is_nothing(hardware_t word)
{
#if OPERATION_IS(vector_sum)
    return word.sum[0] == 0;
#elif OPERATION_IS(minmax)
    return word.x > word.y;
#else
    return word == encode(neutral());
#endif
}

/* Combines `word` into *bin, which others may update now. A maximum is tried only if it can win. Shared
 * memory adds 32 bits at a time, and floats in a loop of compare-and-swap that is its own. */
__device__ __forceinline__ static void update(hardware_t *bin, hardware_t word, bool in_shared)
{
    (void)in_shared;
#if OPERATION_IS(argmax)
    if (word > *(volatile hardware_t *)bin)
        atomicMax(bin, word);
#elif OPERATION_IS(minmax)
    if (word.x < *(volatile unsigned long long *)&bin->x)
        atomicMin(&bin->x, word.x);
    if (word.y > *(volatile unsigned long long *)&bin->y)
        atomicMax(&bin->y, word.y);
#elif OPERATION_IS(wide_sum)
    if (in_shared) {
        unsigned int *const halves = (unsigned int *)bin;
        const unsigned int low = (unsigned int)word, before = atomicAdd(&halves[0], low);
        const unsigned int high = (unsigned int)(word >> 32) + (before + low < before ? 1 : 0);
        if (high != 0)
            atomicAdd(&halves[1], high);
    } else
        atomicAdd(bin, word);
#elif OPERATION_IS(saturate)
    atomicAdd(bin, word); // beyond the limit, until it is cut
#else
    atomic_combine(bin, word);
#endif
}

/* What another lane holds. All lanes of the warp call it. */
__device__ __forceinline__ static hardware_t of_lane(hardware_t mine, unsigned int lane)
{
    union {
        hardware_t word;
        unsigned int part[sizeof(hardware_t) / 4];
    } other;
    other.word = mine;
#pragma unroll
    for (unsigned int k = 0; k < sizeof(hardware_t) / 4; k++)
        other.part[k] = __shfl_sync(0xffffffffu, other.part[k], (int)lane);
    return other.word;
}

/* What the lanes of a warp hold, joined. All of them call it. */
__device__ static hardware_t join_warp(hardware_t mine)
{
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        mine = join(mine, of_lane(mine, threadIdx.x % 32 ^ distance));
    return mine;
}

#endif
