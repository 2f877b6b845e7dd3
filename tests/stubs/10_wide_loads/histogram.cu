/* 10. Wide loads: each thread reads 16 characters with one load, and has four loads in flight.
 *
 * A load of one character a lane moves one sector of 32 bytes; one of 16 characters
 * a lane moves 16 sectors, for the same trip to memory. The address of such a load must be a
 * multiple of 16, so the characters before the first and after the last such word
 * are counted one by one. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum { THREADS_PER_BLOCK = 1024, BLOCKS_PER_MULTIPROCESSOR = 1, LOADS = 4 };

/* Counts one character in the block's bins. */
__device__ void count(unsigned char character, unsigned int *shared_bins)
{
    const int bin = bin_of(character);
    // Atomic, because any thread of this block may add to the same bin now.
    if (bin >= 0)
        atomicAdd(&shared_bins[bin], 1);
}

/* Counts the four characters that a 32-bit word holds. */
__device__ void count_four(unsigned int four, unsigned int *shared_bins)
{
    for (int shift = 0; shift < 32; shift += 8)
        count((unsigned char)(four >> shift), shared_bins);
}

/* Counts the 16 characters of a word. */
__device__ void count_word(uint4 word, unsigned int *shared_bins)
{
    count_four(word.x, shared_bins);
    count_four(word.y, shared_bins);
    count_four(word.z, shared_bins);
    count_four(word.w, shared_bins);
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a bin that another has yet to zero

    size_t head = 0; // characters before the first word
    // TODO(10.1): Let `head` be the number of characters before the first address that is a
    //             multiple of 16; a short text may end before it.
    // end of TODO(10.1)
    const uint4 *words = (const uint4 *)(text + head);
    const size_t num_words = (length - head) / sizeof(uint4);

    size_t i = thread; // of this thread's next word
    // TODO(10.2): As long as this thread has LOADS words left, load so many of them before the
    //             first is counted. Neighboring threads read neighboring words.
    // end of TODO(10.2)
    for (; i < num_words; i += threads) // fewer than LOADS are left for this thread
        count_word(words[i], shared_bins);

    // TODO(10.3): Count the head, and the tail after the last word, one character a thread.
    // end of TODO(10.3)

    __syncthreads(); // no thread may read shared_bins while another still counts into them
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        // Atomic, because other blocks may commit to the same bin now.
        atomicAdd(&bins[bin], shared_bins[bin]);
}

/* As many blocks as give each thread one load, but no more than the multiprocessors hold at a
 * time: they stay for the whole text, and only once are bins zeroed and committed. */
static unsigned int blocks_for(size_t length)
{
    const size_t characters_per_block = THREADS_PER_BLOCK * sizeof(uint4);
    size_t blocks = (length + characters_per_block - 1) / characters_per_block;
    int device, multiprocessors;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const size_t most = (size_t)multiprocessors * BLOCKS_PER_MULTIPROCESSOR;
    if (blocks > most)
        blocks = most;
    return (unsigned int)blocks;
}

void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    if (length == 0)
        return;
    histogram_kernel<<<blocks_for(length), THREADS_PER_BLOCK>>>(d_text, length, d_bins);
    CHECK(cudaGetLastError());
}
