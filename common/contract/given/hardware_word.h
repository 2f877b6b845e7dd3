/* hardware_word.h - the operations of operation.h, said so that hardware can do them: given code of
 * chapter 28.
 *
 *   hardware_t                what hardware combines for one bin; it is as large as a bin
 *   encode(bin), decode(word) a bin as such a word, and back
 *   join(a, b)                of two words that no other thread sees
 *   update(p, w)              of a word in shared memory that others may update now
 *   commit(bin, w)            of a bin in global memory, as it is, that others may update now
 *   commit_turned(bin, w)     the same, but an argmax's bin is a word there
 *   is_nothing(word)          whether combining it may be left out
 *   of_lane(word, lane)       what another lane holds
 *   join_warp(word)           of what the 32 lanes of a warp hold
 *   join_equals(&word, place) of what those lanes hold that have the same place */
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

/* Combines `word` into *to, in shared memory, which others may update now. A maximum is tried only if it can
 * win. Shared memory adds 32 bits at a time, and floats in a loop of compare-and-swap that is its own. */
__device__ __forceinline__ static void update(hardware_t *to, hardware_t word)
{
#if OPERATION_IS(argmax)
    if (word > *(volatile hardware_t *)to)
        atomicMax(to, word);
#elif OPERATION_IS(minmax)
    if (word.x < *(volatile unsigned long long *)&to->x)
        atomicMin(&to->x, word.x);
    if (word.y > *(volatile unsigned long long *)&to->y)
        atomicMax(&to->y, word.y);
#elif OPERATION_IS(wide_sum)
    unsigned int *const halves = (unsigned int *)to;
    const unsigned int low = (unsigned int)word, before = atomicAdd(&halves[0], low);
    const unsigned int high = (unsigned int)(word >> 32) + (before + low < before ? 1 : 0);
    if (high != 0)
        atomicAdd(&halves[1], high);
#elif OPERATION_IS(saturate)
    atomicAdd(to, word); // beyond the limit, until it is committed
#else
    atomic_combine(to, word);
#endif
}

#if OPERATION_IS(argmax)
/* The word of a bin in global memory, as it is now. What is there only grows. */
__device__ __forceinline__ static hardware_t word_of(const bin_t *bin)
{
    const unsigned long long bits = *(const volatile unsigned long long *)bin;
    return bits << 32 | (unsigned int)~(bits >> 32); // the value lies first, in the lower half
}

/* The bits of the bin that such a word stands for. */
__device__ __forceinline__ static unsigned long long bits_of(hardware_t word)
{
    return word >> 32 | (unsigned long long)~(unsigned int)word << 32;
}

#elif OPERATION_IS(minmax)
/* Makes *to the lesser of the two, or the greater one. Numbers of one sign are in the order of their bits as
 * integers, the negative ones backwards; and every negative one is the lesser of signed integers, and the
 * greater of unsigned ones. So that one atomic of integers does it. */
__device__ __forceinline__ static void atomic_extreme(double *to, double x, bool least)
{
    const long long bits = __double_as_longlong(x);
    if (least && bits >= 0)
        atomicMin((long long *)to, bits);
    else if (least)
        atomicMax((unsigned long long *)to, (unsigned long long)bits);
    else if (bits >= 0)
        atomicMax((long long *)to, bits);
    else
        atomicMin((unsigned long long *)to, (unsigned long long)bits);
}
#endif

/* Combines `word` into a bin in global memory, which others may update now: as the bin is, so that nothing has
 * to be done to all bins before or after. A maximum is tried only if it can win. */
__device__ __forceinline__ static void commit(bin_t *bin, hardware_t word)
{
#if OPERATION_IS(argmax)
    unsigned long long *const place = (unsigned long long *)bin;
    for (hardware_t seen = word_of(bin); word > seen; seen = word_of(bin)) {
        const unsigned long long expected = bits_of(seen);
        // The bin may have grown since it was seen: then it is asked once more whether this one wins.
        if (atomicCAS(place, expected, bits_of(word)) == expected)
            break;
    }
#elif OPERATION_IS(minmax)
    const bin_t mine = decode(word);
    if (mine.smallest < *(volatile double *)&bin->smallest)
        atomic_extreme(&bin->smallest, mine.smallest, true);
    if (mine.largest > *(volatile double *)&bin->largest)
        atomic_extreme(&bin->largest, mine.largest, false);
#elif OPERATION_IS(saturate)
    const bin_t sum = atomicAdd(bin, word) + word, cut = combine(neutral(), sum);
    if (cut < sum)
        atomicMin(bin, cut); // whoever adds too much cuts it: it is never below the limit again
#else
    atomic_combine(bin, word);
#endif
}

/* The same where many blocks commit the same bins at about the same time. Of an argmax the caller has made each
 * bin a word before, for one atomic does that, and several would try again and again. */
__device__ __forceinline__ static void commit_turned(bin_t *bin, hardware_t word)
{
#if OPERATION_IS(argmax)
    update((hardware_t *)bin, word);
#else
    commit(bin, word);
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

static const unsigned int NO_PLACE =
    0xffffffffu; // of a lane that has nothing, or whose word another lane has taken

/* Lanes that have one place join what they hold: the first of them holds it all then, and keeps the place. The
 * others get NO_PLACE. All lanes of the warp call it. */
__device__ static unsigned int join_equals(hardware_t *mine, unsigned int place)
{
    const unsigned int lane = threadIdx.x % 32;
    unsigned int equals = __match_any_sync(0xffffffffu, place);
    const bool is_alone = place == NO_PLACE || __popc(equals) == 1;
    if (__all_sync(0xffffffffu, is_alone))
        return place;
    // In each step every second lane that is left gives its word to the one before it.
    unsigned int rank = (unsigned int)__popc(equals & ((1u << lane) - 1));
    const bool is_first = rank == 0;
    equals &= ~((2u << lane) - 1); // those after this lane
    while (__any_sync(0xffffffffu, !is_alone && equals != 0)) {
        const unsigned int next = equals == 0 ? lane : (unsigned int)__ffs((int)equals) - 1;
        const hardware_t other = of_lane(*mine, next);
        if (equals != 0)
            *mine = join(*mine, other);
        equals &= __ballot_sync(0xffffffffu, rank % 2 == 0); // the others have been joined
        rank /= 2;
    }
    return is_alone || is_first ? place : NO_PLACE;
}

#endif
