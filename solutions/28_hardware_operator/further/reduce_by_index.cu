/* 28. Hardware operator: say it so that hardware can do it.
 *
 * No atomic function of CUDA takes the larger of two pairs, adds up to a limit, or adds floats so
 * that their order does not matter. Each can be said in words that one does:
 *
 *   argmax      the larger of two 64-bit words, when a pair is written as value, then ~index;
 *   saturate    a sum that is cut at the end;
 *   float_sum   a sum of integers, when all floats of a bin are written as multiples of one unit.
 *
 * Nothing here depends on the order of the threads. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "given/each_element.h"
#include "reduce_by_index.h"

#if !OPERATION_IS(saturate) && !OPERATION_IS(argmax) && !OPERATION_IS(float_sum)
#error "chapter 28 takes saturate, argmax and float_sum"
#endif

/* A call takes the elements in parts of at most so many. Of saturate a part finds at most 2^24 - 1 in a
 * bin and adds at most 2^31, before the sum is cut: 32 bits hold that. */
static const size_t MOST_ELEMENTS = (size_t)1 << 31;

enum { THREADS_PER_BLOCK = 1024 };

__device__ static size_t thread_of_grid(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ static size_t threads_of_grid(void)
{
    return (size_t)gridDim.x * blockDim.x;
}

/* Calls take(x, j) for each element x that has a bin, number j. */
template <class take_t>
__device__ static void for_each_with_bin(const element_t *elements, size_t length, size_t num_bins,
                                         take_t take)
{
    for_each_element(elements, length, blockIdx.x, gridDim.x, [&](element_t x) {
        const size_t j = index_of(x, num_bins);
        if (j < num_bins)
            take(x, j);
    });
}

#if OPERATION_IS(saturate) || OPERATION_IS(argmax)

#if OPERATION_IS(saturate)

typedef unsigned int hardware_t; // what hardware combines
#define NOTHING 0u

__device__ static hardware_t to_hardware(bin_t bin)
{
    return bin;
}

__device__ static bin_t from_hardware(hardware_t sum)
{
    bin_t bin = sum;
    // TODO(28.1): A bin holds at most 2^24 - 1; the sum may have passed it.
    const bin_t most = (1u << 24) - 1;
    if (bin > most)
        bin = most;
    // end of TODO(28.1)
    return bin;
}

/* Combines `word` into *bin, as any thread may do now. */
__device__ static void combine_in_hardware(hardware_t *bin, hardware_t word)
{
    atomicAdd(bin, word);
}

#else

typedef unsigned long long hardware_t; // what hardware combines
#define NOTHING to_hardware(neutral())

__device__ static hardware_t to_hardware(bin_t bin)
{
    hardware_t word = 0;
    // TODO(28.2): One number that is larger when the value is, and of equal values, when the index is
    //             smaller.
    word = (hardware_t)bin.value << 32 | ~bin.index;
    // end of TODO(28.2)
    return word;
}

__device__ static bin_t from_hardware(hardware_t word)
{
    bin_t bin = neutral();
    // TODO(28.3): The pair that to_hardware() has made this word of.
    bin.value = (unsigned int)(word >> 32);
    bin.index = ~(unsigned int)word;
    // end of TODO(28.3)
    return bin;
}

/* Combines `word` into *bin, as any thread may do now. */
__device__ static void combine_in_hardware(hardware_t *bin, hardware_t word)
{
    // Volatile, so that it is read now. What is there only grows: a word that loses to what was there
    // a moment ago loses to what is there now.
    const hardware_t before = *(volatile hardware_t *)bin;
    // TODO(28.4): Leave the larger one in *bin; make an atomic only if word can win.
    if (word > before)
        atomicMax(bin, word);
    // end of TODO(28.4)
}

#endif

/* Each bin becomes what hardware combines, in its place, or the bin again. */
__global__ void convert(bin_t *bins, size_t num_bins, bool to)
{
    hardware_t *words = (hardware_t *)bins;
    for (size_t j = thread_of_grid(); j < num_bins; j += threads_of_grid())
        if (to)
            words[j] = to_hardware(bins[j]);
        else
            bins[j] = from_hardware(words[j]);
}

/* With in_shared each block combines its elements in shared memory, and then its bins into the final
 * ones; else all blocks combine into the final bins, which are in the L2 cache. */
template <bool in_shared>
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    combine_all(const element_t *elements, size_t length, hardware_t *bins, size_t num_bins)
{
    extern __shared__ hardware_t shared_words[];
    hardware_t *const own = in_shared ? shared_words : bins;
    for (size_t j = threadIdx.x; in_shared && j < num_bins; j += blockDim.x)
#if OPERATION_IS(argmax)
        // Volatile, since other blocks raise it: what was there a moment ago is there, or more.
        own[j] = ((volatile hardware_t *)bins)[j];
#else
        own[j] = NOTHING;
#endif
    __syncthreads(); // no thread may combine into a bin that another has yet to clear
    for_each_with_bin(elements, length, num_bins, [=](element_t x, size_t j) {
        combine_in_hardware(&own[j], to_hardware(value_of(x)));
    });
    __syncthreads(); // no thread may read a bin that another still combines into
    for (size_t j = threadIdx.x; in_shared && j < num_bins; j += blockDim.x)
        if (own[j] != NOTHING)
            combine_in_hardware(&bins[j], own[j]);
}

#else /* float_sum */

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
 * with the largest exponent stands for. Both are finite.
 *
 * A float is at most (2^24 - 1) 2^7 units, below 2^31. So 2^32 of them, the elements and what the bin
 * held, are below 2^63: no sum wraps. What is left over of a float is less than a unit; the largest
 * float x of the bin is at least 2^30 units (or all are subnormal, and nothing is left over), so n
 * floats are off by less than n 2^-30 |x|. Adding one by one may be off by n 2^-24 times the sum of
 * their sizes. */
__device__ static long long fixed_of(float value, unsigned int rank)
{
    const unsigned int bits = __float_as_uint(value), exponent = bits >> 23 & 0xff;
    const unsigned int most = ((bits & 0x7fffff) | (exponent ? 1u << 23 : 0)) << 7;
    unsigned int below = 0, size = most;
    // TODO(28.5): The float has `most` units if it has the largest exponent. By how many powers of two
    //             is its exponent below that, and how many whole units does it have?
    below = rank - (exponent > 1 ? exponent : 1);
    size = below < 32 ? most >> below : 0;
    // end of TODO(28.5)
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
    const unsigned int fixed_low = (unsigned int)fixed;
    unsigned int fixed_high = (unsigned int)(fixed >> 32);
    const unsigned int before = atomicAdd(low, fixed_low);
    // TODO(28.6): One more in the high half if the low one has wrapped: each wrap is seen by just one.
    if (before + fixed_low < before)
        fixed_high++;
    // end of TODO(28.6)
    if (fixed_high != 0)
        atomicAdd(high, fixed_high);
}

__global__ void begin_sums(const bin_t *bins, size_t num_bins, unsigned int *ranks,
                           unsigned long long *sums)
{
    for (size_t j = thread_of_grid(); j < num_bins; j += threads_of_grid()) {
        ranks[j] = rank_of(bins[j]);
        sums[j] = 0;
    }
}

/* The float that is nearest to what a bin held and its sum, or what flags say. */
__global__ void end_sums(bin_t *bins, size_t num_bins, const unsigned int *ranks,
                         const unsigned long long *sums)
{
    for (size_t j = thread_of_grid(); j < num_bins; j += threads_of_grid()) {
        const unsigned int rank = ranks[j], flags = rank & NOT_FINITE;
        if (flags)
            bins[j] = __uint_as_float(flags == INFINITE         ? 0x7f800000
                                      : flags == MINUS_INFINITE ? 0xff800000
                                                                : 0x7fffffff);
        else if (sums[j] != 0) {
            const long long sum = (long long)sums[j] + fixed_of(bins[j], rank);
            bins[j] = (float)ldexp((double)sum, (int)rank - 157);
        }
    }
}

/* The ranks of all bins: in shared memory, or in the L2 cache, as above. */
template <bool in_shared>
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    rank_all(const element_t *elements, size_t length, unsigned int *ranks, size_t num_bins)
{
    extern __shared__ unsigned int shared_words[];
    unsigned int *const own = in_shared ? shared_words : ranks;
    for (size_t j = threadIdx.x; in_shared && j < num_bins; j += blockDim.x)
        own[j] = ((volatile unsigned int *)ranks)[j];
    __syncthreads(); // no thread may raise a rank that another has yet to clear
    for_each_with_bin(elements, length, num_bins,
                      [=](element_t x, size_t j) { raise_rank(&own[j], rank_of(x.value)); });
    __syncthreads(); // no thread may read a rank that another still raises
    for (size_t j = threadIdx.x; in_shared && j < num_bins; j += blockDim.x)
        raise_rank(&ranks[j], own[j]);
}

/* The sums of all bins, likewise. */
template <bool in_shared>
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    sum_all(const element_t *elements, size_t length, const unsigned int *ranks,
            unsigned long long *sums, size_t num_bins)
{
    extern __shared__ unsigned int shared_words[];
    unsigned int *const low = shared_words, *const high = low + num_bins;
    const unsigned int *const own_ranks = in_shared ? high + num_bins : ranks;
    for (size_t j = threadIdx.x; in_shared && j < num_bins; j += blockDim.x) {
        low[j] = high[j] = 0;
        high[num_bins + j] = ranks[j];
    }
    __syncthreads(); // no thread may add to a sum that another has yet to clear
    for_each_with_bin(elements, length, num_bins, [=](element_t x, size_t j) {
        const unsigned int rank = own_ranks[j];
        if (rank & NOT_FINITE)
            return;
        if (in_shared)
            add_in_halves(&low[j], &high[j], fixed_of(x.value, rank));
        else
            atomicAdd(&sums[j], (unsigned long long)fixed_of(x.value, rank));
    });
    __syncthreads(); // no thread may read a sum that another still adds to
    for (size_t j = threadIdx.x; in_shared && j < num_bins; j += blockDim.x)
        if (low[j] | high[j])
            atomicAdd(&sums[j], (unsigned long long)high[j] << 32 | low[j]);
}

#endif

static int device_has(enum cudaDeviceAttr attribute)
{
    int device, value;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

/* Enough blocks for n things, a thread for each, but no more than are resident at a time. */
static unsigned int blocks_for(size_t n)
{
    const size_t blocks = (n + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK;
    const size_t most = (size_t)device_has(cudaDevAttrMultiProcessorCount);
    return (unsigned int)(blocks < most ? blocks : most);
}

/* Whether a block of the kernel can have so many bytes of shared memory; asks for them. */
static int fits(const void *kernel, size_t bytes)
{
    if (bytes > (size_t)device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin))
        return 0;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return 1;
}

static void reduce(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    const unsigned int for_bins = blocks_for(num_bins),
                       blocks = blocks_for(length / ELEMENTS_PER_LOAD + 1);
#if OPERATION_IS(float_sum)
    const size_t bytes = num_bins * sizeof(unsigned int);
    unsigned int *ranks;
    unsigned long long *sums;
    CHECK(cudaMallocAsync(&ranks, bytes, 0));
    CHECK(cudaMallocAsync(&sums, 2 * bytes, 0));
    begin_sums<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, ranks, sums);
    if (fits((const void *)rank_all<true>, bytes))
        rank_all<true><<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, ranks, num_bins);
    else
        rank_all<false><<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, ranks, num_bins);
    if (fits((const void *)sum_all<true>, 3 * bytes))
        sum_all<true>
            <<<blocks, THREADS_PER_BLOCK, 3 * bytes>>>(d_elements, length, ranks, sums, num_bins);
    else
        sum_all<false><<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, ranks, sums, num_bins);
    end_sums<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, ranks, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(ranks, 0));
    CHECK(cudaFreeAsync(sums, 0));
#else
    const size_t bytes = num_bins * sizeof(hardware_t);
    hardware_t *words = (hardware_t *)d_bins;
    convert<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, true);
    if (fits((const void *)combine_all<true>, bytes))
        combine_all<true>
            <<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, words, num_bins);
    else
        combine_all<false><<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, words, num_bins);
    convert<<<for_bins, THREADS_PER_BLOCK>>>(d_bins, num_bins, false);
    CHECK(cudaGetLastError());
#endif
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (num_bins == 0)
        return;
    for (size_t done = 0; done < length; done += MOST_ELEMENTS) {
        const size_t left = length - done;
        reduce(d_elements + done, left < MOST_ELEMENTS ? left : MOST_ELEMENTS, d_bins, num_bins);
    }
}
