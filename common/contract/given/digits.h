/* digits.h - counts the digits of keys, section by section, and adds the counts up: given code of chapter 30, the first
 * two steps of a counting sort. Whoever includes it may have defined DIGIT_BITS before. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stddef.h>
#include <stdint.h>

#include "operation.h"

#ifndef DIGIT_BITS
#define DIGIT_BITS 8
#endif
enum { WARP = 32, DIGITS = 1 << DIGIT_BITS }; // a block has DIGITS threads
#define ALL_LANES 0xffffffffu

/* A pass over `length` elements, in as many sections as there are blocks, by a digit: `bits` bits from bit `shift` on. */
struct pass {
    const element_t *from;
    element_t *to;
    size_t length, num_bins;
    unsigned int bits, shift;
};

/* The bin of an element; num_bins, behind the last one, if it has none. */
__device__ __forceinline__ static unsigned int bin_of(element_t x, size_t num_bins)
{
    const size_t bin = index_of(x, num_bins);
    return (unsigned int)(bin < num_bins ? bin : num_bins);
}

__device__ __forceinline__ static unsigned int digit_of(const struct pass *pass, element_t x)
{
    return bin_of(x, pass->num_bins) >> pass->shift & ((1u << pass->bits) - 1);
}

/* Part `number` of `parts` equal ones, of `length` elements: from begin up to end. */
__device__ static void part_of(size_t length, unsigned int parts, unsigned int number,
                               size_t *begin, size_t *end)
{
    const size_t share = (length + parts - 1) / parts;
    *begin = number * share < length ? number * share : length;
    *end = *begin + share < length ? *begin + share : length;
}

/* The sum of `value` over the threads of the block before this one; *all is that over all threads. */
__device__ static unsigned int sum_before(unsigned int value, unsigned int *sums_of_warps,
                                          unsigned int *all)
{
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned int sum = value, before = 0;
    for (unsigned int away = 1; away < WARP; away *= 2) {
        const unsigned int other = __shfl_up_sync(ALL_LANES, sum, away);
        sum += lane >= away ? other : 0;
    }
    if (lane == WARP - 1)
        sums_of_warps[warp] = sum;
    __syncthreads(); // no thread may read sums_of_warps before it is complete
    *all = 0;
    for (unsigned int w = 0; w < blockDim.x / WARP; w++) {
        before += w < warp ? sums_of_warps[w] : 0;
        *all += sums_of_warps[w];
    }
    __syncthreads(); // no thread may write the next sums while another still reads these
    return before + sum - value;
}

/* One block a section: counts[digit * sections + section] becomes how many elements of the section have the digit. */
__global__ void count_digits(struct pass pass, unsigned int *counts)
{
    __shared__ unsigned int of_block[DIGITS];
    size_t begin, end;
    part_of(pass.length, gridDim.x, blockIdx.x, &begin, &end);
    of_block[threadIdx.x] = 0;
    __syncthreads(); // no thread may count a digit that another has yet to clear
    for (size_t i = begin + threadIdx.x; i < end; i += DIGITS)
        atomicAdd(&of_block[digit_of(&pass, pass.from[i])], 1); // others may have the same digit
    __syncthreads(); // no thread may read a count before all have counted
    counts[(size_t)threadIdx.x * gridDim.x + blockIdx.x] = of_block[threadIdx.x];
}

/* One block a digit: each count becomes the sum of those of the sections before; the digit's sum goes to totals. */
__global__ void add_up_sections(unsigned int *counts, unsigned int sections, unsigned int *totals)
{
    __shared__ unsigned int sums_of_warps[WARP];
    unsigned int *const row = counts + (size_t)blockIdx.x * sections;
    unsigned int before = 0, all;
    for (unsigned int first = 0; first < sections; first += blockDim.x) {
        const unsigned int section = first + threadIdx.x;
        const unsigned int offset =
            sum_before(section < sections ? row[section] : 0, sums_of_warps, &all);
        if (section < sections)
            row[section] = before + offset;
        before += all;
    }
    if (threadIdx.x == 0)
        totals[blockIdx.x] = before;
}

/* One block: each total becomes the place of the digit's first element. */
__global__ void add_up_digits(unsigned int *totals)
{
    __shared__ unsigned int sums_of_warps[WARP];
    unsigned int all;
    totals[threadIdx.x] = sum_before(totals[threadIdx.x], sums_of_warps, &all);
}

#endif
