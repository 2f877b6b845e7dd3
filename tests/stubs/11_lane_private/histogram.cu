/* 11. Lane-private counters: no two lanes of a warp ever meet in a bank.
 *
 * Shared memory has 32 banks, and a warp has 32 lanes. Each lane gets counters of its own, one for
 * each value of a byte, in a bank of its own: whatever the characters are, the lanes of a warp add
 * in 32 different banks. Which bin a byte belongs to is asked only at the end, once for each value
 * of a byte, and no longer once for each character. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum {
    THREADS_PER_BLOCK = 1024,
    BLOCKS_PER_MULTIPROCESSOR = 1,
    LOADS = 4,
    BYTE_VALUES = 256,
    LANES = 32
};

#define ALL_LANES 0xffffffffu

// TODO(11.1): Declare the block's counters, in shared memory: for each lane of a warp and each value
//             of a byte one, so that no two lanes ever count in the same bank.
// end of TODO(11.1)

/* Counts a character for the lane that calls it. */
__device__ void count(unsigned int character)
{
    // TODO(11.2): Add one to the counter that this lane has for the character.
    // end of TODO(11.2)
}

/* Counts the four characters that a 32-bit word holds. */
__device__ void count_four(unsigned int four)
{
    for (int shift = 0; shift < 32; shift += 8)
        count(four >> shift & 0xff);
}

/* Counts the 16 characters of a word. */
__device__ void count_word(uint4 word)
{
    count_four(word.x);
    count_four(word.y);
    count_four(word.z);
    count_four(word.w);
}

/* Sets all counters to zero. All threads of the block call it. */
__device__ void zero_counters(void)
{
    // TODO(11.3): Zero the counters of all lanes, with all threads of the block.
    // end of TODO(11.3)
}

/* Adds the counters to the block's bins. All threads of the block call it. */
__device__ void fold(unsigned int *shared_bins)
{
    // TODO(11.4): Let a warp take a value of a byte at a time: its lanes add up their counters with
    //             __reduce_add_sync, and its first lane adds the sum to the bin of that byte, if
    //             it has one.
    // end of TODO(11.4)
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    zero_counters();
    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __syncthreads(); // no thread may count into a counter that another has yet to zero

    const size_t to_boundary = (16 - (size_t)text % 16) % 16;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(text + head);
    const size_t num_words = (length - head) / sizeof(uint4);

    size_t i = thread;
    for (; i + (LOADS - 1) * threads < num_words; i += LOADS * threads) {
        uint4 word[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            word[k] = words[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            count_word(word[k]);
    }
    for (; i < num_words; i += threads) // fewer than LOADS are left for this thread
        count_word(words[i]);

    const size_t tail = head + num_words * sizeof(uint4);
    if (thread < head)
        count(text[thread]);
    if (thread < length - tail)
        count(text[tail + thread]);

    __syncthreads(); // no thread may read the counters while another still counts
    fold(shared_bins);
    __syncthreads(); // no thread may read shared_bins while another still folds into them
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
