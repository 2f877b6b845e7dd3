/* 20. Many bins: all the shared memory of a multiprocessor, and a number known at run time.
 *
 * Chapter 13 kept a table of 32 KB in shared memory, its size written into the program. A block may
 * have much more, if the host asks for it: on an H200 227 KB, which is 58,112 counters of 4 bytes.
 * One block then has a multiprocessor for itself, and counts every key there. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "reduce_by_index.h"

#if !OPERATION_IS(count)
#error "chapter 20 counts keys: OPERATION must be count"
#endif

enum { THREADS_PER_BLOCK = 1024, LOADS = 4 };

/* Counts one key in the bins of this block. */
__device__ static void count(element_t key, unsigned int *block_bins, unsigned int num_bins)
{
    // TODO(20.1): Count the key in the block's bins, if it has a bin.
    // Atomic, because any thread of this block may add to the same bin now.
    if (key < num_bins)
        atomicAdd(&block_bins[key], 1);
    // end of TODO(20.1)
}

/* Counts all whole words of four keys, those of the whole grid. As in chapter 13 each thread has
 * LOADS of them on their way while it counts another one. */
__device__ static void count_words(const uint4 *words, unsigned int num_words, uint4 *ring,
                                   unsigned int *block_bins, unsigned int num_bins)
{
    const unsigned int threads = gridDim.x * blockDim.x;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned int i = thread; i < num_words; i += LOADS * threads) {
#pragma unroll
        for (unsigned int k = 0; k < LOADS; k++) {
            const unsigned int here = i + k * threads;
            const unsigned int ahead = here + LOADS * threads;
            const uint4 word = ring[k];
            if (ahead < num_words)
                ring[k] = __ldcs(&words[ahead]); // read once: it need not stay in the caches
            if (here < num_words) {
                count(word.x, block_bins, num_bins);
                count(word.y, block_bins, num_bins);
                count(word.z, block_bins, num_bins);
                count(word.w, block_bins, num_bins);
            }
        }
    }
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, 1)
    count_in_shared_memory(const element_t *keys, size_t length, bin_t *bins, unsigned int num_bins)
{
    extern __shared__ unsigned int block_bins[]; // num_bins of them: the launch says how many bytes
    const unsigned int threads = gridDim.x * blockDim.x;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;

    // Up to three keys come before the first multiple of 16 bytes, up to three after the last word.
    const size_t to_boundary = (16 - (size_t)keys % 16) % 16 / sizeof *keys;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(keys + head);
    const unsigned int num_words = (unsigned int)((length - head) / 4); // less than 2^30
    const size_t tail = head + (size_t)num_words * 4;

    uint4 ring[LOADS];
#pragma unroll
    for (unsigned int k = 0; k < LOADS; k++) // on their way while the bins are zeroed
        if (thread + k * threads < num_words)
            ring[k] = __ldcs(&words[thread + k * threads]);

    // TODO(20.2): Zero the block's bins, all num_bins of them, before any thread counts.
    for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x)
        block_bins[bin] = 0;
    __syncthreads(); // no thread may count into what another has yet to zero
    // end of TODO(20.2)

    count_words(words, num_words, ring, block_bins, num_bins);
    if (thread < head)
        count(keys[thread], block_bins, num_bins);
    if (thread < length - tail)
        count(keys[tail + thread], block_bins, num_bins);

    // TODO(20.3): When all threads of the block have counted, add to the bins what it has found.
    __syncthreads(); // no thread may read block_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < num_bins; bin += blockDim.x)
        // Atomic, because other blocks may commit to the same bin now.
        if (block_bins[bin] != 0)
            atomicAdd(&bins[bin], block_bins[bin]);
    // end of TODO(20.3)
}

/* For more bins than shared memory holds: every key is an atomic in global memory, as in chapter 2.
 * Chapters 24 and 25 do better. */
__global__ void count_in_global_memory(const element_t *keys, size_t length, bin_t *bins,
                                       size_t num_bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += threads)
        if (keys[i] < num_bins)
            atomicAdd(&bins[keys[i]], 1);
}

/* As many blocks as give each thread a word, but no more than there are multiprocessors: a block
 * takes a whole one, and stays for all keys, so that bins are zeroed and committed only once. */
static unsigned int blocks_for(size_t length, int device)
{
    const size_t keys_per_block = THREADS_PER_BLOCK * 4;
    size_t blocks = (length + keys_per_block - 1) / keys_per_block;
    int multiprocessors;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    if (blocks > (size_t)multiprocessors)
        blocks = (size_t)multiprocessors;
    return (unsigned int)blocks;
}

void reduce_by_index(const element_t *d_elements, size_t length, bin_t *d_bins, size_t num_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "reduce_by_index: %zu elements; at most 4294967295 can be reduced\n",
                length);
        exit(1);
    }
    if (length == 0 || num_bins == 0)
        return;
    int device, most_bytes; // of shared memory that a block may have, if it is asked for
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const unsigned int blocks = blocks_for(length, device);
    if (num_bins > (size_t)most_bytes / sizeof(unsigned int)) {
        count_in_global_memory<<<blocks, THREADS_PER_BLOCK>>>(d_elements, length, d_bins, num_bins);
        CHECK(cudaGetLastError());
        return;
    }
    size_t bytes = 0; // of shared memory for each block
    // TODO(20.4): Ask for a counter for each bin, also where that is more than 48 KB.
    bytes = num_bins * sizeof(unsigned int);
    CHECK(cudaFuncSetAttribute(count_in_shared_memory, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)bytes));
    // end of TODO(20.4)
    count_in_shared_memory<<<blocks, THREADS_PER_BLOCK, bytes>>>(d_elements, length, d_bins,
                                                                 (unsigned int)num_bins);
    CHECK(cudaGetLastError());
}
