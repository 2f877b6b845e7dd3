/* 21. Compare-and-swap: any operation whose bin is one word of 32 or 64 bits.
 *
 * Read the bin, combine in registers, and swap the word, provided that no other thread has changed
 * it. A thread whose swap fails learns what the word holds now, and tries again with that. Where
 * the bins fit into shared memory, a block updates bins of its own there, and in the end the bins
 * in global memory with them, by the same function. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if OPERATION_WORD_BITS == 0
#error                                                                                             \
    "a compare-and-swap exchanges a word of 32 or 64 bits; a bin of this operation is larger, and needs the lock of chapter 22"
#endif

enum { THREADS_PER_BLOCK = 1024 };

/* The bits of a bin as the word that atomicCAS takes, and such a word as a bin. */
__device__ static inline word_t word_of(bin_t bin)
{
    word_t word;
    memcpy(&word, &bin, sizeof word);
    return word;
}

__device__ static inline bin_t bin_from(word_t word)
{
    bin_t bin;
    memcpy(&bin, &word, sizeof bin);
    return bin;
}

/* Combines a value into a bin, in shared or in global memory, that other threads update, too. */
__device__ static void update(bin_t *bin, bin_t value)
{
    word_t *word = (word_t *)bin;
    // TODO(21.1): Swap the word for what combine() makes of it, until an attempt succeeds.
    // end of TODO(21.1)
}

/* Combines this thread's share of the elements into the bins. */
__device__ static void update_all(const element_t *elements, size_t length, bin_t *bins,
                                  size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = thread; i < length; i += threads) {
        // TODO(21.2): Update the bin of element i, if it has one.
        // end of TODO(21.2)
    }
}

/* Each block has all the bins in shared memory, num_bins x sizeof(bin_t) bytes of it. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    in_shared_memory(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    extern __shared__ bin_t block_bins[];
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x)
        block_bins[j] = neutral();
    __syncthreads(); // no thread may update a bin before it is neutral

    update_all(elements, length, block_bins, num_bins);

    __syncthreads(); // no thread may read a bin that another still updates
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x) {
        // TODO(21.3): Combine the block's bin j into that in global memory.
        // end of TODO(21.3)
    }
}

/* More bins than shared memory holds, or too few elements to be worth copies of them. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    in_global_memory(const element_t *elements, size_t length, bin_t *bins, size_t num_bins)
{
    update_all(elements, length, bins, num_bins);
}

/* The number of blocks that gives each at least so many elements, and at most `most`. */
static unsigned int blocks_for(size_t length, size_t elements_per_block, size_t most)
{
    const size_t blocks = (length + elements_per_block - 1) / elements_per_block;
    return (unsigned int)(blocks < most ? blocks : most);
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 are taken\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, multiprocessors, capacity;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&capacity, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));

    const size_t bytes = num_bins * sizeof *d_bins;
    if (bytes > (size_t)capacity || length < num_bins) {
        const unsigned int blocks =
            blocks_for(length, THREADS_PER_BLOCK, 2 * (size_t)multiprocessors);
        in_global_memory<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }
    // A block gets more than 48 KB of shared memory only when it is asked for.
    CHECK(cudaFuncSetAttribute(in_shared_memory, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)bytes));
    int blocks_per_multiprocessor;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_per_multiprocessor, in_shared_memory, THREADS_PER_BLOCK, bytes));
    // A block with fewer elements than bins would spend its time on committing.
    const unsigned int blocks =
        blocks_for(length, num_bins > THREADS_PER_BLOCK ? num_bins : THREADS_PER_BLOCK,
                   (size_t)multiprocessors * (size_t)blocks_per_multiprocessor);
    in_shared_memory<<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, d_bins, num_bins);
    CHECK(cudaGetLastError());
}
