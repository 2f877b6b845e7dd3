/* 13. Pipeline: the next loads are on their way while the last are counted.
 *
 * The table is that of chapter 11. There a thread loads a round of words, waits for them, and
 * counts them. Here it loads the next round before it counts the last one, so that it always
 * has something to do while it waits. In the end four threads add up a row, with 16-byte loads. */
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
    LANES = 32,
    BYTE_VALUES = 256
};

#define ALL_LANES 0xffffffffu

/* What a thread loads in a round: words of 16 characters, a whole grid apart. */
struct batch {
    uint4 word[LOADS];
};

/* Loads the words of a round; `words` points to the first. Nothing waits here: a thread waits
 * when it first uses what a load brings. */
__device__ void load_batch(const uint4 *words, size_t threads, struct batch *batch)
{
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        batch->word[k] = words[k * threads];
}

/* Counts the four characters that a 32-bit word holds, in this lane's column of the table. */
__device__ void count_four(unsigned int four, unsigned int (*table)[LANES])
{
    for (int shift = 0; shift < 32; shift += 8)
        // Atomic, because the same lane of another warp may add to this counter now.
        atomicAdd(&table[four >> shift & 0xff][threadIdx.x % LANES], 1);
}

/* Counts the 16 characters of a word. */
__device__ void count_word(uint4 word, unsigned int (*table)[LANES])
{
    count_four(word.x, table);
    count_four(word.y, table);
    count_four(word.z, table);
    count_four(word.w, table);
}

/* Counts all characters of a round's words. */
__device__ void count_batch(const struct batch *batch, unsigned int (*table)[LANES])
{
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        count_word(batch->word[k], table);
}

/* Counts all whole rounds of a thread whose first word is number i: rounds that lie in the text
 * with all their words. Returns the number of the thread's first word that is in none. */
__device__ size_t count_rounds(const uint4 *words, size_t num_words, size_t i, size_t threads,
                               unsigned int (*table)[LANES])
{
    const size_t span = (LOADS - 1) * threads; // from the first word of a round to its last
    // TODO(13.1): While i + span is less than num_words a whole round begins at word i. Load the
    //             next round, where there is one, before you count the last one. Afterwards i
    //             is the first word of no whole round.
    // end of TODO(13.1)
    return i;
}

/* Counts a single character, for head and tail. */
__device__ void count_character(unsigned char character, unsigned int *shared_bins)
{
    const int bin = bin_of(character);
    // Atomic, because any thread of this block may add to the same bin now.
    if (bin >= 0)
        atomicAdd(&shared_bins[bin], 1);
}

/* Adds the rows of the table to the block's bins, four threads to a row. All threads of the block
 * call it together. */
__device__ void fold(const uint4 (*table)[LANES / 4], unsigned int *shared_bins)
{
    __syncthreads(); // no thread may read a counter while another still counts into it
    const unsigned int row = threadIdx.x / 4, part = threadIdx.x % 4;
    const uint4 *quarter = table[row] + part * 2;
    // Every other row begins with its second four, so that no two lanes meet in a bank.
    const uint4 a = quarter[row % 2], b = quarter[1 - row % 2];
    unsigned int sum = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
    // TODO(13.2): Each of the four threads has the sum of its 8 counters. Make it the sum of the
    //             whole row, by shuffles alone, at least in the thread whose part is 0.
    // end of TODO(13.2)
    const int bin = bin_of((unsigned char)row);
    // Atomic, because other rows may add to the same bin now.
    if (part == 0 && bin >= 0)
        atomicAdd(&shared_bins[bin], sum);
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ unsigned int shared_bins[NUM_BINS];
    for (unsigned int bin = threadIdx.x; bin < NUM_BINS; bin += blockDim.x)
        shared_bins[bin] = 0;
    __shared__ uint4 fours[BYTE_VALUES][LANES / 4]; // zeroed and folded by fours, counted by ones
    for (unsigned int i = threadIdx.x; i < BYTE_VALUES * LANES / 4; i += blockDim.x)
        fours[i / (LANES / 4)][i % (LANES / 4)] = make_uint4(0, 0, 0, 0);
    unsigned int(*table)[LANES] = (unsigned int(*)[LANES])fours;
    __syncthreads(); // no thread may count into what another has yet to zero

    const size_t to_boundary = (16 - (size_t)text % 16) % 16;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(text + head);
    const size_t num_words = (length - head) / sizeof(uint4);

    size_t i = count_rounds(words, num_words, thread, threads, table);
    for (; i < num_words; i += threads)
        count_word(words[i], table);

    const size_t tail = head + num_words * sizeof(uint4);
    if (thread < head)
        count_character(text[thread], shared_bins);
    if (thread < length - tail)
        count_character(text[tail + thread], shared_bins);

    fold(fours, shared_bins);
    __syncthreads(); // no thread may read shared_bins while another still adds to them
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
