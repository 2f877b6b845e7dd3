/* 24. Passes, further: two counters of 16 bits in a word, and half as many passes.
 *
 * A counter that is full gives its carry to its neighbor in the word, or loses it. Whoever sees that
 * happen puts it right in the bins in global memory, where a sum may go below zero and come back. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !OPERATION_IS(count)
#error "a counter of 16 bits counts: OPERATION must be count"
#endif

enum { THREADS_PER_BLOCK = 1024, LOADS = 4 };

/* What 16 bytes hold: four keys, or two elements with a value. */
enum { PER_WORD = 16 / sizeof(element_t) };

enum { FULL = 0xffff, COUNTERS = 2 }; /* what one counter holds, and how many a word has */

/* The bins that a block has in shared memory, two in a word: from `first` on, `count` of num_bins. */
struct range {
    unsigned int *words;
    bin_t *bins; /* those in global memory, from `first` on */
    unsigned int first, count, num_bins;
};

/* Adds one to a counter. When it was full, the word has carried one into the upper counter, or lost
 * it: the bins get what is missing, and lose what the neighbor has got. */
__device__ static inline void add_one(const struct range *range, unsigned int place)
{
    const unsigned int word = place / COUNTERS, upper = place % COUNTERS;
    const unsigned int before = atomicAdd(&range->words[word], upper ? FULL + 1u : 1u);
    if ((upper ? before >> 16 : before & FULL) != FULL)
        return;
    atomicAdd(&range->bins[place], FULL + 1u);
    if (upper)
        return;
    if (place + 1 < range->count)
        atomicAdd(&range->bins[place + 1], before >> 16 == FULL ? FULL : ~0u); // -1, and a carry
}

__device__ static inline void take(element_t element, const struct range *range)
{
    const unsigned int j = (unsigned int)index_of(element, range->num_bins); // keys have 32 bits
    const unsigned int place = j - range->first; // below the range it wraps, and is large
    if (place < range->count)
        add_one(range, place);
}

__device__ static inline void take_word(uint4 word, const struct range *range)
{
    element_t elements[PER_WORD];
    memcpy(elements, &word, sizeof word);
#pragma unroll
    for (int e = 0; e < PER_WORD; e++)
        take(elements[e], range);
}

/* Takes all elements, of which this thread is number `thread` of `threads` to read. Each has LOADS
 * words on their way while it works on another one: chapter 13. */
__device__ static void take_all(const element_t *elements, size_t length, unsigned int thread,
                                unsigned int threads, const struct range *range)
{
    // Some elements come before the first multiple of 16 bytes, and some after the last word.
    const size_t to_boundary = (16 - (size_t)elements % 16) % 16 / sizeof *elements;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(elements + head);
    const unsigned int num_words = (unsigned int)((length - head) / PER_WORD);
    const size_t tail = head + (size_t)num_words * PER_WORD;

    uint4 ring[LOADS];
#pragma unroll
    for (unsigned int k = 0; k < LOADS; k++)
        if (thread + k * threads < num_words)
            ring[k] = words[thread + k * threads];
    for (unsigned int i = thread; i < num_words; i += LOADS * threads) {
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++) {
            const unsigned int here = i + k * threads;
            const unsigned int ahead = here + LOADS * threads;
            const uint4 word = ring[k];
            if (ahead < num_words)
                ring[k] = words[ahead];
            if (here < num_words)
                take_word(word, range);
        }
    }
    if (thread < head)
        take(elements[thread], range);
    if (thread < length - tail)
        take(elements[tail + thread], range);
}

/* Each of `ranges` ranges has the same number of blocks, and each of them reads a part of the
 * elements; together they read all, for their range. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    reduce_ranges(const element_t *elements, size_t length, bin_t *bins, unsigned int num_bins,
                  unsigned int ranges, unsigned int bins_per_range)
{
    extern __shared__ unsigned int words[]; // for bins_per_range counters
    struct range range = {words, bins, 0, 0, num_bins};
    unsigned int thread = 0, threads = 1; // among those that read for this range

    range.first = blockIdx.x % ranges * bins_per_range;
    range.count = min(bins_per_range, num_bins - range.first); // the last may have fewer
    thread = blockIdx.x / ranges * blockDim.x + threadIdx.x;
    threads = gridDim.x / ranges * blockDim.x;
    range.bins = bins + range.first;

    for (unsigned int word = threadIdx.x; word * COUNTERS < range.count; word += blockDim.x)
        words[word] = 0;
    __syncthreads(); // no thread may count before the counters are zero

    take_all(elements, length, thread, threads, &range);

    __syncthreads(); // no thread may read what another still counts
    for (unsigned int place = threadIdx.x; place < range.count; place += blockDim.x) {
        const unsigned int word = words[place / COUNTERS];
        const unsigned int counted = place % COUNTERS ? word >> 16 : word & FULL;
        if (counted != 0)
            atomicAdd(&range.bins[place], counted);
    }
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 are taken\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, multiprocessors, capacity; // of a block, in bytes: 232448, or 58112 counters
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&capacity, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const size_t most_bins = (size_t)capacity / sizeof(unsigned int) * COUNTERS;
    unsigned int ranges = 1, bins_per_range = (unsigned int)num_bins, blocks_per_range = 1;
    ranges = (unsigned int)((num_bins + most_bins - 1) / most_bins);
    bins_per_range = (unsigned int)((num_bins + ranges - 1) / ranges); // all about equal
    blocks_per_range = (unsigned int)multiprocessors / ranges;
    if (blocks_per_range == 0)
        blocks_per_range = 1;

    // A block with fewer elements than bins would spend its time on bins that nothing falls into.
    const size_t least = bins_per_range > THREADS_PER_BLOCK ? bins_per_range : THREADS_PER_BLOCK;
    const size_t useful = (length + least - 1) / least;
    if (blocks_per_range > useful)
        blocks_per_range = (unsigned int)useful;
    const size_t bytes = ((size_t)bins_per_range + 1) / COUNTERS * sizeof(unsigned int);
    // A block gets more than 48 KB of shared memory only when it is asked for.
    CHECK(cudaFuncSetAttribute(reduce_ranges, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)bytes));
    reduce_ranges<<<ranges * blocks_per_range, THREADS_PER_BLOCK, bytes>>>(
        d_elements, length, d_bins, (unsigned int)num_bins, ranges, bins_per_range);
    CHECK(cudaGetLastError());
}
