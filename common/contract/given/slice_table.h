/* slice_table.h - a block's table for the characters of a slice: a row for each value of a byte, in it a counter for each
 * lane. Given code of chapters 60 and 61: the columns of chapter 11, with fewer instructions. */
#ifndef SLICE_TABLE_H
#define SLICE_TABLE_H

#include "binning.h"

enum {
    SLICE_LANES = 32,
    SLICE_ROWS = 256, // one for each value of a byte
    ROW_BITS = 7,     // a row has 2^7 bytes, a counter of 4 for each lane
};

/* Counts a character in this lane's column of the table, in the row that begins `row` bytes behind its begin. The lane's
 * part is or-ed in, by the instruction that masks the row: three instructions a character, where an index takes four. */
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

/* Adds the rows of the table to the sums, one thread to a row. All threads of the block call it together. */
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

#endif
