/* operation.h - what is done with the values that share a key: one operation, OPERATION, for which each kernel is
 * compiled.
 *
 *   element_t            a key and the bits of a value; of counts a key alone
 *   bin_t                what a bin in memory holds
 *   hardware_t           what hardware combines for one bin; it need not be as large as a bin
 *   bring(x, index)      what element x, number `index` of all, brings to its bin
 *   nothing()            join(nothing(), a) is a
 *   encode(bin), decode(word)   a bin as such a word, and back
 *   join(a, b)           of two words that no other thread sees
 *   update(p, w)         of a word in shared memory that others may update now
 *   commit(bin, w)       of a bin in global memory that others may update now
 *   is_nothing(word)     whether combining it may be left out */
#ifndef LADDER_OPERATION_H
#define LADDER_OPERATION_H

#include <stddef.h>
#include <stdint.h>

#include "../ladder.h"

#define CODE_count 1
#define CODE_count_64 2
#define CODE_saturate 3
#define CODE_sum_u32 4
#define CODE_sum_f32 5
#define CODE_powers 6
#define CODE_minmax 7
#define CODE_argmax 8
#define PASTE(one, two) one##two
#define PASTED(one, two) PASTE(one, two)
#define OPERATION_IS(name) (PASTED(CODE_, OPERATION) == CODE_##name)
#define IS_COUNTED (OPERATION_IS(count) || OPERATION_IS(count_64) || OPERATION_IS(saturate))
#define IS_OF_FLOATS (OPERATION_IS(sum_f32) || OPERATION_IS(powers))

enum {
    WARP = 32,
    SATURATE_AT = (1 << 24) - 1,
    POWERS = 8,
};
#define ALL_LANES 0xffffffffu
static const unsigned int NO_KEY = 0xffffffffu; // there are fewer bins than that

#if IS_COUNTED
typedef unsigned int element_t;
#else
typedef struct __align__(8)
{
    unsigned int key, value;
}
element_t;
#endif

__device__ __forceinline__ static unsigned int key_of(element_t x)
{
#if IS_COUNTED
    return x;
#else
    return x.key;
#endif
}

#if OPERATION_IS(count) || OPERATION_IS(saturate)
typedef unsigned int bin_t, hardware_t;
#elif OPERATION_IS(count_64)
typedef unsigned long long bin_t;
typedef unsigned int hardware_t; // no block counts more than a part of 2^30 elements
#elif OPERATION_IS(sum_u32)
typedef unsigned long long bin_t, hardware_t;
#elif OPERATION_IS(sum_f32)
typedef float bin_t, hardware_t;
#elif OPERATION_IS(powers)
typedef struct __align__(16)
{
    float sum[POWERS];
}
bin_t;
typedef bin_t hardware_t;
#elif OPERATION_IS(minmax)
typedef struct __align__(16)
{
    double smallest, largest;
}
bin_t;
typedef ulonglong2 hardware_t; // both as words that are in the order of the numbers
#else
typedef unsigned long long bin_t, hardware_t; // the value, and below it the index, inverted
#endif

__device__ __forceinline__ static hardware_t nothing(void)
{
#if OPERATION_IS(powers)
    hardware_t none;
#pragma unroll
    for (int i = 0; i < POWERS; i++)
        none.sum[i] = 0;
    return none;
#elif OPERATION_IS(minmax)
    return make_ulonglong2(~0ull, 0);
#else
    return 0;
#endif
}

#if OPERATION_IS(minmax)
__device__ __forceinline__ static unsigned long long in_order(double x)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(x);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

__device__ __forceinline__ static double from_order(unsigned long long word)
{
    return __longlong_as_double((long long)(word >> 63 ? word & ~(1ull << 63) : ~word));
}
#endif

/* What an element brings. */
__device__ __forceinline__ static hardware_t bring(element_t x, size_t index)
{
    (void)index;
#if IS_COUNTED
    (void)x;
    return 1;
#elif OPERATION_IS(sum_u32)
    return x.value;
#elif OPERATION_IS(sum_f32)
    return __uint_as_float(x.value);
#elif OPERATION_IS(powers)
    const float v = __uint_as_float(x.value);
    hardware_t powers;
    powers.sum[0] = 1;
#pragma unroll
    for (int i = 1; i < POWERS; i++)
        powers.sum[i] = powers.sum[i - 1] * v;
    return powers;
#elif OPERATION_IS(minmax)
    const float v = __uint_as_float(x.value);
    if (v != v) // NaN is neither small nor large
        return nothing();
    const unsigned long long word = in_order((double)v + 0.0); // -0 is 0
    return make_ulonglong2(word, word);
#else
    return (hardware_t)x.value << 32 | ~(unsigned int)index;
#endif
}

__device__ __forceinline__ static hardware_t join(hardware_t a, hardware_t b)
{
#if OPERATION_IS(argmax)
    return a > b ? a : b;
#elif OPERATION_IS(minmax)
    return make_ulonglong2(a.x < b.x ? a.x : b.x, a.y > b.y ? a.y : b.y);
#elif OPERATION_IS(powers)
#pragma unroll
    for (int i = 0; i < POWERS; i++)
        a.sum[i] += b.sum[i];
    return a;
#else
    return a + b;
#endif
}

/* Whether combining the word may be left out. Of powers, the first sum is the number of elements. */
__device__ __forceinline__ static bool is_nothing(hardware_t word)
{
#if OPERATION_IS(powers)
    return word.sum[0] == 0;
#elif OPERATION_IS(minmax)
    return word.x > word.y;
#elif OPERATION_IS(sum_f32)
    return __float_as_uint(word) << 1 == 0; // -0 as well; a NaN is something
#else
    return word == 0;
#endif
}

/* Combines `word` into *to, in shared memory, which others may update now. A maximum is tried only if it can win.
 * Shared memory adds 32 bits at a time, and floats in a loop of compare-and-swap that is its own. */
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
#elif OPERATION_IS(sum_u32)
    unsigned int *const halves = (unsigned int *)to;
    const unsigned int low = (unsigned int)word, before = atomicAdd(&halves[0], low);
    const unsigned int high = (unsigned int)(word >> 32) + (before + low < before ? 1 : 0);
    if (high != 0)
        atomicAdd(&halves[1], high);
#elif OPERATION_IS(powers)
#pragma unroll
    for (int i = 0; i < POWERS; i++)
        atomicAdd(&to->sum[i], word.sum[i]);
#else
    atomicAdd(to, word);
#endif
}

#if OPERATION_IS(minmax)
/* Makes *to the lesser of the two, or the greater one. Numbers of one sign are in the order of their bits as
 * integers, the negative ones backwards; and every negative one is the lesser of signed integers, and the greater
 * of unsigned ones. So one atomic of integers does it. */
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

#elif OPERATION_IS(powers)
/* Adds to four floats in global memory, to which others add now: one atomic on cards that have it, else four. */
__device__ __forceinline__ static void add_four(float4 *to, float4 sums)
{
#if __CUDA_ARCH__ >= 900 && !defined SIMULATED_GPU // there a library serves every card
    atomicAdd(to, sums);
#else
    atomicAdd(&to->x, sums.x);
    atomicAdd(&to->y, sums.y);
    atomicAdd(&to->z, sums.z);
    atomicAdd(&to->w, sums.w);
#endif
}
#endif

/* Combines `word` into a bin in global memory, which others may update now. A maximum is tried only if it can
 * win. */
__device__ __forceinline__ static void commit(bin_t *bin, hardware_t word)
{
#if OPERATION_IS(argmax)
    if (word > *(volatile hardware_t *)bin)
        atomicMax(bin, word);
#elif OPERATION_IS(minmax)
    const double smallest = from_order(word.x), largest = from_order(word.y);
    if (is_nothing(word))
        return;
    if (smallest < *(volatile double *)&bin->smallest)
        atomic_extreme(&bin->smallest, smallest, true);
    if (largest > *(volatile double *)&bin->largest)
        atomic_extreme(&bin->largest, largest, false);
#elif OPERATION_IS(saturate)
    const bin_t sum = atomicAdd(bin, word) + word;
    if (sum > SATURATE_AT)
        atomicMin(bin,
                  SATURATE_AT); // whoever adds too much cuts it: it is never below the limit again
#elif OPERATION_IS(powers)
    float4 *const halves = (float4 *)bin->sum;
    add_four(halves, make_float4(word.sum[0], word.sum[1], word.sum[2], word.sum[3]));
    add_four(halves + 1, make_float4(word.sum[4], word.sum[5], word.sum[6], word.sum[7]));
#else
    atomicAdd(bin, (bin_t)word);
#endif
}

/* The same for a bin that no other thread updates now. */
__device__ __forceinline__ static void commit_alone(bin_t *bin, hardware_t word)
{
#if OPERATION_IS(argmax)
    *bin = word > *bin ? word : *bin;
#elif OPERATION_IS(minmax)
    const double smallest = from_order(word.x), largest = from_order(word.y);
    if (is_nothing(word))
        return;
    const bin_t before = *bin;
    bin_t after = before;
    if (smallest < before.smallest)
        after.smallest = smallest;
    if (largest > before.largest)
        after.largest = largest;
    *bin = after;
#elif OPERATION_IS(saturate)
    const bin_t sum = *bin + word;
    *bin = sum < SATURATE_AT ? sum : (bin_t)SATURATE_AT;
#elif OPERATION_IS(powers)
#pragma unroll
    for (int i = 0; i < POWERS; i++)
        bin->sum[i] += word.sum[i];
#else
    *bin += word;
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
        other.part[k] = __shfl_sync(ALL_LANES, other.part[k], (int)lane);
    return other.word;
}

/* What the lanes of a warp hold, joined. All of them call it. */
__device__ static hardware_t join_warp(hardware_t mine)
{
    for (unsigned int distance = WARP / 2; distance > 0; distance /= 2)
        mine = join(mine, of_lane(mine, threadIdx.x % WARP ^ distance));
    return mine;
}

/* Lanes that have one place join what they hold: the first of them holds it all then, and keeps the place. The others
 * get NO_KEY. All lanes of the warp call it. */
__device__ static unsigned int join_equals(hardware_t *mine, unsigned int place)
{
    const unsigned int lane = threadIdx.x % WARP;
    unsigned int equals = __match_any_sync(ALL_LANES, place);
    const bool is_alone = place == NO_KEY || __popc(equals) == 1;
    if (__all_sync(ALL_LANES, is_alone))
        return place;
#if IS_COUNTED // each brings 1
    const bool is_least = (equals & ((1u << lane) - 1)) == 0;
    *mine = is_alone ? *mine : (hardware_t)__popc(equals);
    return is_alone || is_least ? place : NO_KEY;
#else
    // In each step every second lane that is left gives its word to the one before it.
    unsigned int rank = (unsigned int)__popc(equals & ((1u << lane) - 1));
    const bool is_first = rank == 0;
    equals &= ~((2u << lane) - 1); // those after this lane
    while (__any_sync(ALL_LANES, !is_alone && equals != 0)) {
        const unsigned int next = equals == 0 ? lane : (unsigned int)__ffs((int)equals) - 1;
        const hardware_t other = of_lane(*mine, next);
        if (equals != 0)
            *mine = join(*mine, other);
        equals &= __ballot_sync(ALL_LANES, rank % 2 == 0); // the others have been joined
        rank /= 2;
    }
    return is_alone || is_first ? place : NO_KEY;
#endif
}

#endif
