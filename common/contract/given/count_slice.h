/* count_slice.h - counts a slice of a text on the current device, into sums that outlive it: the kernel of chapter 13,
 * with sums of 64 bits and longer slices. Given code of chapters 60 and 61. */
#ifndef COUNT_SLICE_H
#define COUNT_SLICE_H

#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"
#include "device.h"
#include "slice_table.h"

enum { SLICE_THREADS = 1024, SLICE_LOADS = 4 };

/* The longest slice, 16 GiB. It has 2^30 words of 16 bytes, whose numbers are of 32 bits; and if one block
 * had to count it all, its 32 columns would hold 2^29 each. */
#define LONGEST_SLICE ((size_t)1 << 34)

/* Sends for the first words of a thread, as many as there are: i, i + threads and so on. Nothing
 * waits here: a thread waits when it first uses what a load brings. */
__device__ static void load_first(const uint4 *words, unsigned int num_words, unsigned int i,
                                  unsigned int threads, uint4 ring[SLICE_LOADS])
{
#pragma unroll
    for (int k = 0; k < SLICE_LOADS; k++)
        if (i + k * threads < num_words)
            ring[k] = words[i + k * threads];
}

/* Counts all words of a thread, whose first SLICE_LOADS are in the ring. */
__device__ static void count_words(const uint4 *words, unsigned int num_words, unsigned int i,
                                   unsigned int threads, uint4 ring[SLICE_LOADS],
                                   unsigned char *counters)
{
    for (; i < num_words; i += SLICE_LOADS * threads)
#pragma unroll
        for (int k = 0; k < SLICE_LOADS; k++) {
            const unsigned int here = i + k * threads; // the word in ring[k], if there is one
            const unsigned int ahead = here + SLICE_LOADS * threads;
            const uint4 word = ring[k];
            if (ahead < num_words)
                ring[k] = words[ahead];
            if (here < num_words)
                count_word(word, counters);
        }
}

__global__ static void __launch_bounds__(SLICE_THREADS, 1)
    count_slice_kernel(const unsigned char *text, size_t length, unsigned long long *sums)
{
    const unsigned int threads = gridDim.x * blockDim.x;
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t to_boundary = (16 - (size_t)text % 16) % 16;
    const size_t head = to_boundary < length ? to_boundary : length;
    const uint4 *words = (const uint4 *)(text + head);
    const unsigned int num_words = (unsigned int)((length - head) / sizeof(uint4));
    uint4 ring[SLICE_LOADS]; // whose words are on their way while the table is zeroed
    load_first(words, num_words, thread, threads, ring);
    // It is zeroed and folded by fours, and counted into by ones.
    __shared__ uint4 table[SLICE_ROWS][SLICE_LANES / 4];
    for (unsigned int k = threadIdx.x; k < SLICE_ROWS * SLICE_LANES / 4; k += blockDim.x)
        table[k / (SLICE_LANES / 4)][k % (SLICE_LANES / 4)] = make_uint4(0, 0, 0, 0);
    unsigned char *counters = (unsigned char *)table;
    __syncthreads(); // no thread may count into what another has yet to zero
    count_words(words, num_words, thread, threads, ring, counters);

    const size_t tail = head + num_words * sizeof(uint4);
    if (thread < head)
        count_in_row((unsigned int)text[thread] << ROW_BITS, counters);
    if (thread < length - tail)
        count_in_row((unsigned int)text[tail + thread] << ROW_BITS, counters);

    fold(table, sums);
}

/* Adds to d_sums[bin_of(c)] one for every counted character c of a slice. The work is put into the stream, which
 * belongs to the current device, behind what is there; nobody waits for it.
 *
 * d_text   device pointer to `length` bytes, each 0 to 255; need not be aligned
 * length   at most LONGEST_SLICE, and 0 does nothing; more ends the program with one line
 * d_sums   device pointer to NUM_BINS sums of 64 bits, which the caller has zeroed before the first slice;
 *          several streams may add to the same sums */
static void count_slice(const unsigned char *d_text, size_t length, unsigned long long *d_sums,
                        cudaStream_t stream)
{
    if (length > LONGEST_SLICE) {
        fprintf(stderr, "count_slice: %zu characters; at most %zu fit\n", length, LONGEST_SLICE);
        exit(1);
    }
    if (length == 0)
        return;
    const size_t characters_per_block = SLICE_THREADS * sizeof(uint4);
    size_t blocks = (length + characters_per_block - 1) / characters_per_block;
    const size_t most = device_has(cudaDevAttrMultiProcessorCount); // a block each: they stay
    if (blocks > most)
        blocks = most;
    count_slice_kernel<<<(unsigned int)blocks, SLICE_THREADS, 0, stream>>>(d_text, length, d_sums);
    CHECK(cudaGetLastError());
}

#endif
