/* 24. Passes: more bins than fit. Each block has a range of the bins, and leaves other keys alone.
 *
 * Shared memory holds 58,112 counters; with 196,607 bins there are four ranges, and each element is
 * read four times, once for each. Blocks of different ranges that read the same stretch of the
 * input at the same time share it through the L2 cache. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !OPERATION_IS(count) && !OPERATION_IS(saturate) && !OPERATION_IS(argmax)
#error "chapter 24 takes the operations count, saturate and argmax"
#endif

enum { THREADS_PER_BLOCK = 1024, LOADS = 4 };

/* What 16 bytes hold: four keys, or two elements with a value. */
enum { PER_WORD = 16 / sizeof(element_t) };

/* The bits of a bin as the word that atomicCAS takes. */
__device__ static inline word_t word_of(bin_t bin)
{
    word_t word;
    memcpy(&word, &bin, sizeof word);
    return word;
}

/* Combines a value into a bin that other threads update, too: by the hardware's own atomic where
 * there is one, else by a compare-and-swap, as in chapter 21. */
__device__ static inline void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *word = (word_t *)bin, expected;
    word_t held = *(volatile word_t *)word; // a guess, which atomicCAS proves or corrects
    do {
        bin_t wanted;
        memcpy(&wanted, &held, sizeof wanted);
        wanted = combine(wanted, value);
        expected = held;
        if (word_of(wanted) == expected) // it would change nothing
            return;
        held = atomicCAS(word, expected, word_of(wanted));
    } while (held != expected); // another thread was faster: with what the bin holds now
#endif
}

/* The bins that a block has in shared memory: from `first` on, `count` of num_bins. */
struct range {
    bin_t *block_bins;
    unsigned int first, count, num_bins;
};

__device__ static inline void take(element_t element, const struct range *range)
{
    const unsigned int j = (unsigned int)index_of(element, range->num_bins); // keys have 32 bits
    // TODO(24.1): Update the block's bin for this element, if its bin is in the range.
    const unsigned int place = j - range->first; // below the range it wraps, and is large
    if (place < range->count)
        update(&range->block_bins[place], value_of(element));
    // end of TODO(24.1)
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
    extern __shared__ bin_t block_bins[]; // bins_per_range of them
    struct range range = {block_bins, 0, 0, num_bins};
    unsigned int thread = 0, threads = 1; // among those that read for this range

    // TODO(24.2): Find this block's range, and its threads' place among the readers of that range.
    range.first = blockIdx.x % ranges * bins_per_range; // neighbors: the same part, other ranges
    range.count = min(bins_per_range, num_bins - range.first); // the last may have fewer
    thread = blockIdx.x / ranges * blockDim.x + threadIdx.x;
    threads = gridDim.x / ranges * blockDim.x;
    // end of TODO(24.2)

    for (unsigned int place = threadIdx.x; place < range.count; place += blockDim.x)
        block_bins[place] = neutral();
    __syncthreads(); // no thread may update a bin before it is neutral

    take_all(elements, length, thread, threads, &range);

    __syncthreads(); // no thread may read a bin that another still updates
    for (unsigned int place = threadIdx.x; place < range.count; place += blockDim.x) {
        // TODO(24.3): Combine the block's bin into the bin that it stands for, unless it is neutral.
        if (word_of(block_bins[place]) != word_of(neutral()))
            update(&bins[range.first + place], block_bins[place]);
        // end of TODO(24.3)
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
    const size_t most_bins = (size_t)capacity / sizeof *d_bins;
    unsigned int ranges = 1, bins_per_range = (unsigned int)num_bins, blocks_per_range = 1;
    // TODO(24.4): Choose as few ranges as fit, bins for each, and blocks that fill the machine.
    ranges = (unsigned int)((num_bins + most_bins - 1) / most_bins);
    bins_per_range = (unsigned int)((num_bins + ranges - 1) / ranges); // all about equal
    blocks_per_range = (unsigned int)multiprocessors / ranges;
    if (blocks_per_range == 0)
        blocks_per_range = 1;
    // end of TODO(24.4)

    // A block with fewer elements than bins would spend its time on bins that nothing falls into.
    const size_t least = bins_per_range > THREADS_PER_BLOCK ? bins_per_range : THREADS_PER_BLOCK;
    const size_t useful = (length + least - 1) / least;
    if (blocks_per_range > useful)
        blocks_per_range = (unsigned int)useful;
    const size_t bytes = bins_per_range * sizeof *d_bins;
    // A block gets more than 48 KB of shared memory only when it is asked for.
    CHECK(cudaFuncSetAttribute(reduce_ranges, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)bytes));
    reduce_ranges<<<ranges * blocks_per_range, THREADS_PER_BLOCK, bytes>>>(
        d_elements, length, d_bins, (unsigned int)num_bins, ranges, bins_per_range);
    CHECK(cudaGetLastError());
}
