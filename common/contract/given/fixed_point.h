/* fixed_point.h - sums floats as whole numbers, so that their order changes no bit: given code of chapter 28.
 *
 * All floats of a bin are written as multiples of one unit. A pass over the elements finds it, and a second one adds.
 * Whoever includes it has defined THREADS_PER_BLOCK before that. */
#ifndef FIXED_POINT_H
#define FIXED_POINT_H

#include <stddef.h>

#include "cuda_check.h"
#include "device.h"
#include "operation.h"

/* The unit of a bin: the largest exponent among its floats is found first, 1 to 254 as a float holds
 * it (subnormal numbers and 0 count as 1). In a word with it are flags, for what is no number. */
enum { INFINITE = 1 << 8, MINUS_INFINITE = 1 << 9, NO_NUMBER = 1 << 10, NOT_FINITE = 7 << 8 };

__device__ static unsigned int rank_of(float value)
{
    const unsigned int bits = __float_as_uint(value), exponent = bits >> 23 & 0xff;
    if (exponent < 0xff)
        return exponent > 1 ? exponent : 1;
    return bits << 9 ? NO_NUMBER : bits >> 31 ? MINUS_INFINITE : INFINITE;
}

/* Raises *bin to the rank, or sets its flags. */
__device__ static void raise_rank(unsigned int *bin, unsigned int rank)
{
    // Volatile, so that it is read now. It only grows, and flags stay.
    const unsigned int before = *(volatile unsigned int *)bin;
    if (rank & NOT_FINITE) {
        if ((before & rank & NOT_FINITE) != (rank & NOT_FINITE))
            atomicOr(bin, rank & NOT_FINITE);
    } else if (rank > before)
        atomicMax(bin, rank);
}

/* A float as a multiple of the unit of its bin, 2^(rank - 157): 2^-7 of what the last bit of a float
 * with the largest exponent stands for. It is at most (2^24 - 1) 2^7 units, below 2^31: 2^32 floats,
 * the elements and what the bin held, are below 2^63, and no sum wraps. What is left over of a float is
 * less than a unit. The largest float x of the bin has at least 2^30 (or all are subnormal, and nothing
 * is left over), so n floats are off by less than n 2^-30 |x|. Added one by one they may be off by
 * n 2^-24 times the sum of their sizes. */
__device__ static long long fixed_of(float value, unsigned int rank)
{
    const unsigned int bits = __float_as_uint(value), exponent = bits >> 23 & 0xff;
    const unsigned int most = ((bits & 0x7fffff) | (exponent ? 1u << 23 : 0)) << 7;
    // By how many powers of two its exponent is below the largest one, and its whole units.
    const unsigned int below = rank - (exponent > 1 ? exponent : 1);
    unsigned int size = below < 32 ? most >> below : 0;
    // An odd number tells that something was left over, so that two floats are added as hardware adds
    // them.
    if (below < 32 ? size << below != most : most != 0)
        size |= 1;
    return bits >> 31 ? -(long long)size : (long long)size;
}

/* Adds to a 64-bit sum in shared memory, where hardware adds 32 bits only: to the low half, and what
 * that carries with the high half. */
__device__ static void add_in_halves(unsigned int *low, unsigned int *high, long long fixed)
{
    const unsigned int fixed_low = (unsigned int)fixed, before = atomicAdd(low, fixed_low);
    unsigned int fixed_high = (unsigned int)(fixed >> 32);
    if (before + fixed_low < before) // it has wrapped: each wrap is seen by just one
        fixed_high++;
    if (fixed_high != 0)
        atomicAdd(high, fixed_high);
}

__global__ void begin_sums(const bin_t *bins, size_t num_bins, unsigned int *ranks,
                           unsigned long long *sums)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= num_bins)
        return;
    ranks[j] = rank_of(bins[j]);
    sums[j] = 0;
}

/* The float that is nearest to what a bin held and its sum, or what flags say. */
__global__ void end_sums(bin_t *bins, size_t num_bins, const unsigned int *ranks,
                         const unsigned long long *sums)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= num_bins)
        return;
    const unsigned int rank = ranks[j], flags = rank & NOT_FINITE;
    const long long sum = flags ? 0 : (long long)sums[j] + fixed_of(bins[j], rank);
    if (flags)
        bins[j] = flags == INFINITE ? INFINITY : flags == MINUS_INFINITE ? -INFINITY : NAN;
    else if (sums[j] != 0)
        bins[j] = (float)ldexp((double)sum, (int)rank - 157);
}

/* What the loop over the elements needs: ranks to raise, or, when they are known, sums to add to: 64 bits
 * in the L2 cache, or in shared memory num_bins low halves, and then the high ones. */
struct taker {
    unsigned int *ranks, num_bins;
    bool raises;
    unsigned long long *sums;
    unsigned int *halves;
};

__device__ __forceinline__ static void take(element_t x, struct taker *taker)
{
    if (x.key >= taker->num_bins)
        return;
    if (taker->raises) {
        raise_rank(&taker->ranks[x.key], rank_of(x.value));
        return;
    }
    const unsigned int rank = taker->ranks[x.key];
    if (rank & NOT_FINITE)
        return; // flags say what the sum is
    if (taker->sums)
        atomicAdd(&taker->sums[x.key], (unsigned long long)fixed_of(x.value, rank));
    else
        add_in_halves(&taker->halves[x.key], &taker->halves[taker->num_bins + x.key],
                      fixed_of(x.value, rank));
}

#include "each_element.h" // for_each_element(), which calls take()

/* The ranks of all bins, in shared memory. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    rank_in_shared(const element_t *elements, size_t length, unsigned int *ranks,
                   unsigned int num_bins)
{
    extern __shared__ unsigned int block_ranks[];
    struct taker taker = {block_ranks, num_bins, true, NULL, NULL};
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x)
        block_ranks[j] = 0;
    __syncthreads(); // no thread may raise a rank that another has yet to clear
    for_each_element(elements, length, blockIdx.x, gridDim.x, &taker);
    __syncthreads(); // no thread may read a rank that another still raises
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x)
        raise_rank(&ranks[j], block_ranks[j]);
}

/* The sums of all bins, likewise. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    sum_in_shared(const element_t *elements, size_t length, const unsigned int *ranks,
                  unsigned long long *sums, unsigned int num_bins)
{
    extern __shared__ unsigned int halves[];
    unsigned int *const high = halves + num_bins, *const block_ranks = high + num_bins;
    struct taker taker = {block_ranks, num_bins, false, NULL, halves};
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x) {
        halves[j] = high[j] = 0;
        block_ranks[j] = ranks[j];
    }
    __syncthreads(); // no thread may add to a sum that another has yet to clear
    for_each_element(elements, length, blockIdx.x, gridDim.x, &taker);
    __syncthreads(); // no thread may read a sum that another still adds to
    for (unsigned int j = threadIdx.x; j < num_bins; j += blockDim.x)
        if (halves[j] | high[j])
            atomicAdd(&sums[j], (unsigned long long)high[j] << 32 | halves[j]);
}

/* The ranks of all bins, or their sums, in the L2 cache. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    rank_or_sum_in_cache(const element_t *elements, size_t length, unsigned int *ranks,
                         unsigned long long *sums, unsigned int num_bins)
{
    struct taker taker = {ranks, num_bins, sums == NULL, sums, NULL};
    for_each_element(elements, length, blockIdx.x, gridDim.x, &taker);
}

/* A kernel that finds the ranks of all bins in shared memory. */
typedef void rank_kernel(const element_t *elements, size_t length, unsigned int *ranks,
                         unsigned int num_bins);

/* Adds the elements to the bins, by so many blocks, after `rank` has found the ranks. A CUDA call that fails ends the
 * program with one line. */
static inline void sum_by_ranks(rank_kernel *rank, const element_t *d_elements, size_t length,
                                bin_t *d_bins, size_t num_bins, unsigned int blocks)
{
    const unsigned int n = (unsigned int)num_bins, for_bins = (n - 1) / THREADS_PER_BLOCK + 1;
    const size_t bytes = num_bins * sizeof(unsigned int);
    unsigned int *ranks;
    unsigned long long *sums;
    CHECK(cudaMallocAsync(&ranks, bytes, 0));
    CHECK(cudaMallocAsync(&sums, 2 * bytes, 0));
    begin_sums<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, ranks, sums);
    if (fits((const void *)rank, bytes))
        rank<<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, ranks, n);
    else
        rank_or_sum_in_cache<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, ranks, NULL, n);
    if (fits((const void *)sum_in_shared, 3 * bytes))
        sum_in_shared<<<blocks, THREADS_PER_BLOCK, 3 * bytes>>>(d_elements, length, ranks, sums, n);
    else
        rank_or_sum_in_cache<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, ranks, sums, n);
    end_sums<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, ranks, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(ranks, 0));
    CHECK(cudaFreeAsync(sums, 0));
}

/* The same with the kernel above. */
static inline void sum_in_fixed_point(const element_t *d_elements, size_t length, bin_t *d_bins,
                                      size_t num_bins, unsigned int blocks)
{
    sum_by_ranks(rank_in_shared, d_elements, length, d_bins, num_bins, blocks);
}

#endif
