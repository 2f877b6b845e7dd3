/* count_slice.h - counts a slice of a text on the current device, into sums that outlive it: the kernel of
 * chapter 13, whose sums have 64 bits here, whose slices may be longer, and which takes fewer
 * instructions. Given code of chapters 60 and 61. */
#ifndef COUNT_SLICE_H
#define COUNT_SLICE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "cuda_check.h"
#include "device.h"

enum {
    SLICE_THREADS = 1024,
    SLICE_LOADS = 4,
    SLICE_LANES = 32,
    SLICE_ROWS = 256, // one for each value of a byte
    ROW_BITS = 7,     // a row has 2^7 bytes, a counter of 4 for each lane
};

/* The longest slice, 16 GiB. It has 2^30 words of 16 bytes, whose numbers are of 32 bits; and if one block
 * had to count it all, its 32 columns would hold 2^29 each. */
#define LONGEST_SLICE ((size_t)1 << 34)

/* Counts a character in this lane's column of the table, in the row that begins `row` bytes behind its begin.
 * The lane's part is or-ed in, by the instruction that masks the row. That is three instructions for each
 * character, where an index into an array takes four: a card that counts for long is limited by its power. */
__device__ static void count_in_row(unsigned int row, unsigned char *counters)
{
    // Atomic, because the same lane of another warp may add to this counter now.
    atomicAdd((unsigned int *)(counters + (row | threadIdx.x % SLICE_LANES * sizeof(unsigned int))),
              1);
}

/* Counts the four characters that a 32-bit word holds, each moved to where it is a number of bytes. */
__device__ static void count_four(unsigned int four, unsigned char *counters)
{
    const unsigned int row = 0xffu << ROW_BITS;
    count_in_row(four << ROW_BITS & row, counters);
    count_in_row(four >> (8 - ROW_BITS) & row, counters);
    count_in_row(four >> (16 - ROW_BITS) & row, counters);
    count_in_row(four >> (24 - ROW_BITS) & row, counters);
}

/* Counts the 16 characters of a word. */
__device__ static void count_word(uint4 word, unsigned char *counters)
{
    count_four(word.x, counters);
    count_four(word.y, counters);
    count_four(word.z, counters);
    count_four(word.w, counters);
}

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

/* Adds the rows of the table to the sums, one thread to a row. All threads of the block call
 * it together. */
__device__ static void fold(const uint4 (*table)[SLICE_LANES / 4], unsigned long long *sums)
{
    __syncthreads(); // no thread may read a counter while another still counts into it
    const unsigned int row = threadIdx.x;
    if (row >= SLICE_ROWS)
        return;
    unsigned long long sum = 0; // of a row: a counter has 32 bits, and there are 32 of them
#pragma unroll
    for (unsigned int k = 0; k < SLICE_LANES / 4; k++) {
        const uint4 four = table[row][(row + k) % (SLICE_LANES / 4)];
        sum += (unsigned long long)four.x + four.y + four.z + four.w;
    }
    const int bin = bin_of((unsigned char)row);
    // Atomic, because other blocks, and rows of the same bin, may add to it now.
    if (bin >= 0)
        atomicAdd(&sums[bin], sum);
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
    uint4 ring[SLICE_LOADS];
    load_first(words, num_words, thread, threads, ring); // on their way while the table is zeroed

    __shared__ uint4
        table[SLICE_ROWS][SLICE_LANES / 4]; // zeroed and folded by fours, counted by ones
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

/* Adds to d_sums[bin_of(c)] one for every counted character c of a slice. The work is put into the
 * stream, which belongs to the current device, and behind what is there; nobody waits for it.
 *
 * d_text   device pointer to `length` bytes, each 0 to 255; need not be aligned
 * length   at most LONGEST_SLICE, and 0 does nothing; more ends the program with one line
 * d_sums   device pointer to NUM_BINS sums of 64 bits, which the caller has zeroed before the first slice;
 *          several streams may add to the same sums */
static void count_slice(const unsigned char *d_text, size_t length, unsigned long long *d_sums,
                        cudaStream_t stream)
{
    if (length > LONGEST_SLICE) {
        fprintf(stderr, "count_slice: %zu characters; a slice has at most %zu\n", length,
                LONGEST_SLICE);
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
