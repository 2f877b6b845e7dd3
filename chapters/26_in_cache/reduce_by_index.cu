/* 26. In the cache: copies of the bins in global memory, as many as the L2 cache holds.
 *
 * Bins that no shared memory holds can have copies, too: in global memory, where atomics are done in
 * the L2 cache. How many is a matter of three bounds: what the cache holds, how many threads there
 * are to need them, and how many elements pay for them. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if OPERATION_WORD_BITS == 0
#error "Chapter 26 takes count, saturate, float_sum, wide_sum and argmax."
#endif

enum {
    THREADS_PER_BLOCK = 256,
    LOADS = 8,
    ELEMENTS_PER_THREAD = 16,
    BLOCKS_PER_MULTIPROCESSOR = 8
};
enum { COPIES_PER_FOLD = 64 }; // one thread folds at most so many copies of a bin

/* How many copies so many threads get, for so many elements and bins, with `l2` bytes of L2 cache. */
static size_t copies_for(size_t length, size_t num_bins, size_t threads, size_t l2)
{
    size_t copies = 1;
    // TODO(26.1): As many as two fifths of the L2 cache hold, as there are threads, and as leave two
    //             elements for each word of the copies; but at least one.
    // end of TODO(26.1)
    return copies;
}

/* Combines a value into a bin that others may be changing: chapter 21. */
__device__ static void update(bin_t *bin, bin_t value)
{
#if OPERATION_HAS_ATOMIC
    atomic_combine(bin, value);
#else
    word_t *const word = (word_t *)bin;
    word_t held = *(volatile word_t *)word;
    for (;;) {
        bin_t old;
        memcpy(&old, &held, sizeof old);
        const bin_t combined = combine(old, value);
        word_t wanted;
        memcpy(&wanted, &combined, sizeof wanted);
        if (wanted == held)
            return; // the value changes nothing
        const word_t found = atomicCAS(word, held, wanted);
        if (found == held)
            return;
        held = found;
    }
#endif
}

/* Makes all words of the copies neutral. */
__global__ void fill_kernel(bin_t *copies, size_t words)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    // TODO(26.2): Make every word of the copies neutral.
    // end of TODO(26.2)
}

/* Combines the elements into the copies: copy c begins at copies[c * num_bins]. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    update_kernel(const element_t *elements, size_t length, bin_t *copies, size_t num_bins,
                  size_t num_copies)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    bin_t *copy = copies;
    // TODO(26.3): Let copy be that of this thread. Neighbors have different ones.
    // end of TODO(26.3)
    for (size_t i = thread; i < length; i += LOADS * threads) {
        element_t loaded[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            if (i + k * threads < length)
                loaded[k] = elements[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            if (i + k * threads >= length)
                break;
            const size_t bin = index_of(loaded[k], num_bins);
            if (bin < num_bins)
                update(&copy[bin], value_of(loaded[k]));
        }
    }
}

/* Folds the copies into the bins. The copies of a bin are shared among several threads, each with
 * COPIES_PER_FOLD of them, or what is left. */
__global__ void fold_kernel(const bin_t *copies, size_t num_copies, bin_t *bins, size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t parts = (num_copies + COPIES_PER_FOLD - 1) / COPIES_PER_FOLD;
    for (size_t i = thread; i < num_bins * parts; i += threads) {
        // TODO(26.4): Fold part i / num_bins of the copies of bin i % num_bins, and combine what
        //             comes of it into the bin.
        // end of TODO(26.4)
    }
}

/* As many blocks as give each thread so many items, but no more than fill the GPU. */
static unsigned int blocks_for(size_t items, size_t items_per_thread, int multiprocessors)
{
    const size_t items_per_block = THREADS_PER_BLOCK * items_per_thread;
    const size_t blocks = (items + items_per_block - 1) / items_per_block;
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    return (unsigned int)(blocks < most ? blocks : most);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be taken\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, multiprocessors, l2;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    const unsigned int blocks = blocks_for(length, ELEMENTS_PER_THREAD, multiprocessors);
    const size_t num_copies =
        copies_for(length, num_bins, (size_t)blocks * THREADS_PER_BLOCK, (size_t)l2);
    if (num_copies == 1) { // the bins themselves are the one copy
        update_kernel<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, d_bins, num_bins, 1);
        CHECK(cudaGetLastError());
        return;
    }
    const size_t words = num_copies * num_bins;
    bin_t *d_copies;
    CHECK(cudaMallocAsync(&d_copies, words * sizeof *d_copies, 0));
    fill_kernel<<<blocks_for(words, 4, multiprocessors), THREADS_PER_BLOCK>>>(d_copies, words);
    update_kernel<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, d_copies, num_bins,
                                                 num_copies);
    const size_t parts = (num_copies + COPIES_PER_FOLD - 1) / COPIES_PER_FOLD;
    fold_kernel<<<blocks_for(num_bins * parts, 1, multiprocessors), THREADS_PER_BLOCK>>>(
        d_copies, num_copies, d_bins, num_bins);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(d_copies, 0));
}
