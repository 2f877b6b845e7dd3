/* digits.h - counts the digits of keys, section by section, and adds the counts up: given code of chapter 30, the first
 * two steps of a counting sort.
 *
 * The elements are divided into sections, one for each block. Afterwards each block knows the places to which the elements
 * of its section go: for each digit, behind all smaller digits, and behind this digit in earlier sections. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>

#include "tiles.h"

#ifndef DIGIT_BITS // whoever includes it may want longer digits
#define DIGIT_BITS 8
#endif
enum { WARP = 32, DIGITS = 1 << DIGIT_BITS, DIGIT_LOADS = 4 };
#define ALL_LANES 0xffffffffu

/* The elements before or after a pass; `length` of them lie one after the other. */
struct pass {
    const element_t *from;
    element_t *to;
    const size_t *length; // on the device: the first pass leaves out what has no bin
    unsigned int last_bin, sections;
    unsigned int bits,
        shift; // the digit: so many bits of the bin's number, DIGIT_BITS at most, from bit `shift` on
};

/* Part `number` of `parts` equal ones, of `length` elements: from begin up to end. */
__device__ static void part_of(size_t length, unsigned int parts, unsigned int number,
                               size_t *begin, size_t *end)
{
    const size_t share = ((length + parts - 1) / parts + WARP - 1) / WARP * WARP;
    *begin = number * share < length ? number * share : length;
    *end = *begin + share < length ? *begin + share : length;
}

/* The digit of a bin. */
__device__ __forceinline__ static unsigned int digit_of_bin(const struct pass *pass,
                                                            unsigned int bin)
{
    return bin >> pass->shift & ((1u << pass->bits) - 1);
}

/* The digit of an element, or DIGITS if it has no bin. */
__device__ __forceinline__ static unsigned int digit_of(const struct pass *pass, element_t x)
{
    const unsigned int bin = (unsigned int)index_of(x, 0);
    return bin <= pass->last_bin ? digit_of_bin(pass, bin) : (unsigned int)DIGITS;
}

/* The lanes of the warp with the same digit, by a vote for each of its `bits` bits: a match takes longer the more digits
 * there are. All lanes call it. */
__device__ __forceinline__ static unsigned int peers_of(unsigned int digit, unsigned int bits)
{
    int is_one;
    unsigned int peers = __match_all_sync(ALL_LANES, digit, &is_one);
    if (is_one) // all lanes
        return peers;
    peers = __ballot_sync(ALL_LANES, digit < DIGITS);
    peers = digit < DIGITS ? peers : ~peers;
#pragma unroll
    for (unsigned int bit = 0; bit < DIGIT_BITS && bit < bits; bit++) {
        const unsigned int ones = __ballot_sync(ALL_LANES, digit >> bit & 1);
        peers &= digit >> bit & 1 ? ones : ~ones;
    }
    return peers;
}

/* counts[digit][section]: how many elements of a section have the digit. */
__global__ void count_digits(struct pass pass, unsigned int *counts)
{
    __shared__ unsigned int of_block[DIGITS];
    size_t begin, end;
    part_of(*pass.length, pass.sections, blockIdx.x, &begin, &end);
    for (unsigned int digit = threadIdx.x; digit < DIGITS; digit += blockDim.x)
        of_block[digit] = 0;
    __syncthreads(); // no thread may count a digit that another has yet to zero
    for (size_t i = begin + threadIdx.x; i < end; i += DIGIT_LOADS * blockDim.x) {
        element_t x[DIGIT_LOADS]; // all are on their way before one is counted
#pragma unroll
        for (unsigned int k = 0; k < DIGIT_LOADS; k++)
            if (i + k * blockDim.x < end)
                x[k] = pass.from[i + k * blockDim.x];
#pragma unroll
        for (unsigned int k = 0; k < DIGIT_LOADS; k++) {
            const unsigned int digit =
                i + k * blockDim.x < end ? digit_of(&pass, x[k]) : (unsigned int)DIGITS;
            if (digit < DIGITS)
                atomicAdd(&of_block[digit], 1); // other threads may have the same digit
        }
    }
    __syncthreads(); // no thread may read a count before all have counted
    for (unsigned int digit = threadIdx.x; digit < DIGITS; digit += blockDim.x)
        counts[(size_t)digit * pass.sections + blockIdx.x] = of_block[digit];
}

/* One block a digit: each count becomes the sum of those of the sections before; the digit's sum goes to totals. */
__global__ void add_up_sections(unsigned int *counts, unsigned int sections, unsigned int *totals)
{
    __shared__ unsigned int sums_of_warps[WARP];
    unsigned int *row = counts + (size_t)blockIdx.x * sections, before = 0, all;
    for (unsigned int first = 0; first < sections; first += blockDim.x) {
        const unsigned int section = first + threadIdx.x;
        const unsigned int count = section < sections ? row[section] : 0;
        const unsigned int offset = sum_before(count, sums_of_warps, &all);
        if (section < sections)
            row[section] = before + offset;
        before += all;
    }
    if (threadIdx.x == 0)
        totals[blockIdx.x] = before;
}

enum { FEW_SECTIONS = 8 };

/* The same for a few sections, in one block of DIGITS threads: a thread has a digit. */
__global__ void add_up_few_sections(unsigned int *counts, unsigned int sections,
                                    unsigned int *totals)
{
    unsigned int *row = counts + (size_t)threadIdx.x * sections, before = 0;
    for (unsigned int section = 0; section < sections; section++) {
        const unsigned int count = row[section];
        row[section] = before;
        before += count;
    }
    totals[threadIdx.x] = before;
}

/* One block of DIGITS threads: each total becomes the place of the digit's first element; *length the sum of all. */
__global__ void add_up_digits(unsigned int *totals, size_t *length)
{
    __shared__ unsigned int sums_of_warps[WARP];
    unsigned int all;
    totals[threadIdx.x] = sum_before(totals[threadIdx.x], sums_of_warps, &all);
    if (threadIdx.x == 0)
        *length = all;
}

#endif
