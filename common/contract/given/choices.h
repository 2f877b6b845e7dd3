/* choices.h - the kernels of chapters 20, 23, 24 and 26 in one form, each with a hot key in registers: given code of
 * chapter 29. A CUDA call that fails ends the program with one line. */
#ifndef CHOICES_H
#define CHOICES_H

#include "device.h"
#include "taker.h"

/* What a sample tells. It stays on the device, where the kernels read it. */
struct findings {
    unsigned int hot_key,
        copies; // the most frequent key, or NO_KEY; copies of the bins in the cache
};

/* Chapters 20, 23 and 24: bins `first` and following, in copies in the shared memory of each block. */
__global__ void __launch_bounds__(THREADS, 1)
    reduce_in_shared(const element_t *elements, size_t length, bin_t *bins, unsigned int first,
                     unsigned int count, unsigned int copies, const struct findings *found)
{
    extern __shared__ unsigned long long shared[];
    bin_t *const block_bins = (bin_t *)shared;
    struct taker taker = {block_bins + threadIdx.x % copies, neutral(), first, count, copies,
                          found ? found->hot_key : NO_KEY};
    for (unsigned int i = threadIdx.x; i < count * copies; i += THREADS)
        block_bins[i] = neutral();
    __syncthreads(); // no thread may update a bin that another has yet to make neutral
    take_all(elements, length, &taker);
    give_back(&taker, bins);
    __syncthreads(); // no thread may fold a bin that another still updates
    // Lanes whose bins share a bank begin with different copies.
    const unsigned int begin = threadIdx.x % 32 * (copies & -copies) / 32;
    for (unsigned int bin = threadIdx.x; bin < count; bin += THREADS) {
        bin_t folded = neutral();
        for (unsigned int c = 0; c < copies; c++)
            folded = combine(folded, block_bins[bin * copies + (begin + c) % copies]);
        update(&bins[first + bin], folded);
    }
}

/* Chapter 26: copy 0 is the bins themselves, and the others are in d_copies. */
__global__ void fill_copies(bin_t *copies, unsigned int num_bins, const struct findings *found)
{
    const size_t words = (size_t)(found->copies - 1) * num_bins,
                 threads = (size_t)gridDim.x * THREADS;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < words; i += threads)
        copies[i] = neutral();
}

__global__ void __launch_bounds__(THREADS, 1)
    reduce_in_cache(const element_t *elements, size_t length, bin_t *bins, unsigned int num_bins,
                    bin_t *copies, const struct findings *found)
{
    const unsigned int mine = found ? threadIdx.x % found->copies : 0;
    struct taker taker = {mine == 0 ? bins : copies + (size_t)(mine - 1) * num_bins,
                          neutral(),
                          0,
                          num_bins,
                          1,
                          found ? found->hot_key : NO_KEY};
    take_all(elements, length, &taker);
    give_back(&taker, bins);
}

__global__ void fold_copies(bin_t *bins, unsigned int num_bins, const bin_t *copies,
                            const struct findings *found)
{
    const size_t threads = (size_t)gridDim.x * THREADS;
    for (size_t bin = (size_t)blockIdx.x * THREADS + threadIdx.x;
         bin < num_bins && found->copies > 1; bin += threads) {
        bin_t folded = bins[bin];
        for (unsigned int c = 1; c < found->copies; c++)
            folded = combine(folded, copies[(size_t)(c - 1) * num_bins + bin]);
        bins[bin] = folded;
    }
}

/* Each thread has LOADS items, unless there are more for `most` blocks. */
static unsigned int blocks_for(size_t items, unsigned int most)
{
    const size_t of_a_block = THREADS * LOADS, blocks = (items + of_a_block - 1) / of_a_block;
    return blocks < most ? (unsigned int)blocks : most;
}

/* In the cache, with memory for `most` copies, of which found->copies are used. */
static void reduce_in_copies(const element_t *d_elements, size_t length, bin_t *d_bins,
                             size_t num_bins, unsigned int multiprocessors, unsigned int most,
                             const struct findings *found)
{
    const unsigned int n = (unsigned int)num_bins, blocks = blocks_for(n, 2 * multiprocessors);
    bin_t *copies = NULL;
    if (found && most > 1) {
        CHECK(cudaMallocAsync(&copies, (most - 1) * num_bins * sizeof *copies, 0));
        fill_copies<<<blocks, THREADS>>>(copies, n, found);
    }
    reduce_in_cache<<<blocks_for(length, 2 * multiprocessors), THREADS>>>(d_elements, length,
                                                                          d_bins, n, copies, found);
    if (copies) {
        fold_copies<<<blocks, THREADS>>>(d_bins, n, copies, found);
        CHECK(cudaFreeAsync(copies, 0));
    }
}

#endif
