/* 13. Pipeline: the next loads are on their way while the last are counted.
 *
 * The table is that of chapter 11. There a thread loads four words, waits for them, and counts
 * them. Here its four words are a ring: each is replaced by the one four further on before it is
 * counted, so that a thread always has something to do while it waits. In the end a thread adds
 * up a row, with 16-byte loads. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h" // CHECK(call): a call that fails ends the program with one line
#include "histogram.h"

enum {
    THREADS_PER_BLOCK = 768,
    BLOCKS_PER_MULTIPROCESSOR = 1,
    LOADS = 4,
    LANES = 32,
    BYTE_VALUES = 256
};

/* Counts a character in this lane's column of the table. */
__device__ void count(unsigned int character, unsigned int (*counters)[LANES])
{
    // Atomic, because the same lane of another warp may add to this counter now.
    atomicAdd(&counters[character][threadIdx.x % LANES], 1);
}

/* Counts the four characters that a 32-bit word holds. */
__device__ void count_four(unsigned int four, unsigned int (*counters)[LANES])
{
    for (int shift = 0; shift < 32; shift += 8)
        count(four >> shift & 0xff, counters);
}

/* Counts the 16 characters of a word. */
__device__ void count_word(uint4 word, unsigned int (*counters)[LANES])
{
    count_four(word.x, counters);
    count_four(word.y, counters);
    count_four(word.z, counters);
    count_four(word.w, counters);
}

/* Sends for the first words of a thread, as many as there are: i, i + threads and so on. Nothing
 * waits here: a thread waits when it first uses what a load brings. */
__device__ void load_first(const uint4 *words, unsigned int num_words, unsigned int i,
                           unsigned int threads, uint4 ring[LOADS])
{
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (i + k * threads < num_words)
            ring[k] = words[i + k * threads];
}

/* Counts all words of a thread, whose first LOADS are in the ring. */
__device__ void count_words(const uint4 *words, unsigned int num_words, unsigned int i,
                            unsigned int threads, uint4 ring[LOADS],
                            unsigned int (*counters)[LANES])
{
    for (; i < num_words; i += LOADS * threads)
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const unsigned int here = i + k * threads; // the word in ring[k], if there is one
            // TODO(13.1): Count word number here, if there is one. While it is counted, the word
            //             LOADS * threads further on, if there is one, must be on its way, to
            //             take its place in the ring.
            // end of TODO(13.1)
        }
}

/* Adds the rows of the table to the final bins, one thread to a row. All threads of the block call
 * it together. */
__device__ void fold(const uint4 (*table)[LANES / 4], unsigned int *bins)
{
    __syncthreads(); // no thread may read a counter while another still counts into it
    const unsigned int row = threadIdx.x;
    if (row >= BYTE_VALUES)
        return;
    unsigned int sum = 0;
    // TODO(13.2): Add up the 32 counters of the row, four with each load. A load of a warp is served
    //             for eight lanes at a time: let these eight never want the same bank.
    // end of TODO(13.2)
    const int bin = bin_of((unsigned char)row);
    // Atomic, because other blocks, and rows of the same bin, may add to it now.
    if (bin >= 0)
        atomicAdd(&bins[bin], sum);
}

__global__ void __launch_bounds__(THREADS_PER_BLOCK, BLOCKS_PER_MULTIPROCESSOR)
    histogram_kernel(const unsigned char *text, size_t length, unsigned int *bins)
{
    const unsigned int threads = gridDim.x * blockDim.x;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;

    const size_t to_boundary = (16 - (size_t)text % 16) % 16;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(text + head);
    // At most 2^28 of them, so that their numbers need 32 bits.
    const unsigned int num_words = (unsigned int)((length - head) / sizeof(uint4));
    uint4 ring[LOADS];
    load_first(words, num_words, thread, threads, ring); // on their way while the table is zeroed

    __shared__ uint4 table[BYTE_VALUES][LANES / 4]; // zeroed and folded by fours, counted by ones
    for (unsigned int k = threadIdx.x; k < BYTE_VALUES * LANES / 4; k += blockDim.x)
        table[k / (LANES / 4)][k % (LANES / 4)] = make_uint4(0, 0, 0, 0);
    unsigned int(*counters)[LANES] = (unsigned int(*)[LANES])table;
    __syncthreads(); // no thread may count into what another has yet to zero

    count_words(words, num_words, thread, threads, ring, counters);

    const size_t tail = head + num_words * sizeof(uint4);
    if (thread < head)
        count(text[thread], counters);
    if (thread < length - tail)
        count(text[tail + thread], counters);

    fold(table, bins);
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
