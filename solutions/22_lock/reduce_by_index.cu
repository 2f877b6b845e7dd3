/* 22. A lock: any operation, however large its bin.
 *
 * Each bin has a lock, a word that says whether some thread is at work on the bin. A thread that
 * finds it free takes it, reads, combines and writes the bin as if it were alone, and gives the
 * lock back. As in chapter 21 a block updates bins of its own where they and their locks fit into
 * shared memory, and in the end the bins in global memory with them. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

enum { THREADS_PER_BLOCK = 1024 };

enum { FREE, HELD }; // what a lock is

/* Combines a value into a bin, in shared or in global memory, that other threads update, too.
 * All of them use its lock, which is free when none of them is here. */
__device__ static void update(bin_t *bin, unsigned int *lock, bin_t value)
{
    // TODO(22.1): Acquire the lock, combine, release it; other lanes of the warp may wait for it.
    bool done = false;
    while (!done) {
        // The lane that gets the lock releases it in this turn: lanes of its warp may wait for it.
        if (atomicCAS(lock, FREE, HELD) == FREE) {
            __threadfence(); // what the last holder wrote is read below, and nothing older
            *bin = combine(*bin, value);
            __threadfence(); // it is written before anyone finds the lock free
            atomicExch(lock, FREE);
            done = true;
        }
    }
    // end of TODO(22.1)
}

/* Combines this thread's share of the elements into the bins. */
__device__ static void update_all(const element_t *elements, size_t length, bin_t *bins,
                                  unsigned int *locks, size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = thread; i < length; i += threads) {
        const element_t element = elements[i];
        const size_t j = index_of(element, num_bins);
        if (j < num_bins)
            update(&bins[j], &locks[j], value_of(element));
    }
}

/* Each block has all the bins in shared memory, and behind them their locks. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    in_shared_memory(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                     size_t num_bins)
{
    extern __shared__ bin_t block_bins[];
    unsigned int *block_locks = (unsigned int *)(block_bins + num_bins);
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x) {
        block_bins[j] = neutral();
        // TODO(22.2): The lock of the block's bin j is free.
        block_locks[j] = FREE;
        // end of TODO(22.2)
    }
    __syncthreads(); // no thread may look at a lock before it is free

    update_all(elements, length, block_bins, block_locks, num_bins);

    __syncthreads(); // no thread may read a bin that another still updates
    for (size_t j = threadIdx.x; j < num_bins; j += blockDim.x) {
        // TODO(22.3): Combine the block's bin j into that in global memory; other blocks do, too.
        update(&bins[j], &locks[j], block_bins[j]);
        // end of TODO(22.3)
    }
}

/* More bins than shared memory holds, or too few elements to be worth copies of them. */
__global__ void __launch_bounds__(THREADS_PER_BLOCK)
    in_global_memory(const element_t *elements, size_t length, bin_t *bins, unsigned int *locks,
                     size_t num_bins)
{
    update_all(elements, length, bins, locks, num_bins);
}

/* The number of blocks that gives each at least so many elements, and at most `most`. */
static unsigned int blocks_for(size_t length, size_t elements_per_block, size_t most)
{
    const size_t blocks = (length + elements_per_block - 1) / elements_per_block;
    return (unsigned int)(blocks < most ? blocks : most);
}

static void launch(const element_t *d_elements, size_t length, bin_t *d_bins, unsigned int *d_locks,
                   size_t num_bins)
{
    int device, multiprocessors, capacity;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaDeviceGetAttribute(&capacity, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));

    const size_t bytes = num_bins * (sizeof *d_bins + sizeof *d_locks);
    if (bytes > (size_t)capacity || length < num_bins) {
        const unsigned int blocks =
            blocks_for(length, THREADS_PER_BLOCK, 2 * (size_t)multiprocessors);
        in_global_memory<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, d_bins, d_locks,
                                                        num_bins);
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
    in_shared_memory<<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, d_bins, d_locks,
                                                           num_bins);
    CHECK(cudaGetLastError());
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 are taken\n", length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    unsigned int *d_locks = NULL;
    // TODO(22.4): Allocate a lock for each bin in global memory; all are free.
    CHECK(cudaMalloc(&d_locks, num_bins * sizeof *d_locks));
    CHECK(cudaMemset(d_locks, FREE, num_bins * sizeof *d_locks));
    // end of TODO(22.4)
    launch(d_elements, length, d_bins, d_locks, num_bins);
    CHECK(cudaFree(d_locks)); // may wait for the kernel
}
