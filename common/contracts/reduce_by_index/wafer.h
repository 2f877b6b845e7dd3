/* wafer.h - keys as Parboil's histo has them, drawn from two normal distributions.
 *
 * That program counts the positions of a beam on a silicon wafer in 4,096 rows of 256 bins. Most fall near one
 * place, and most rows stay empty. No byte of its input is here: the distributions alone are imitated. */
#ifndef WAFER_H
#define WAFER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define WAFER_FUNCTION __host__ __device__ static inline
#else
#define WAFER_FUNCTION static inline
#endif

enum {
    WAFER_ROWS = 4096,
    WAFER_COLUMNS = 256,
    WAFER_BINS = WAFER_ROWS * WAFER_COLUMNS,
    WAFER_KEYS = 996 * 1040, /* the published input has so many */
    WAFER_WORDS = 12         /* random words for a key */
};

/* A whole number, 0 or more, from a normal distribution around `middle` with a deviation of half as much as
 * `halves`. The sum of twelve random numbers of 16 bits is nearly normal, with a mean of 393,210 and a deviation
 * of 65,536. All is in integers, so that each machine draws the same. */
WAFER_FUNCTION int wafer_place(const uint32_t words[WAFER_WORDS / 2], int middle, int halves)
{
    enum { MEAN = 393210, DEVIATION_BITS = 16 };
    int sum = -MEAN;
    for (int i = 0; i < WAFER_WORDS / 2; i++)
        sum += (int)(words[i] & 0xffff) + (int)(words[i] >> 16);
    const int doubled = ((2 * middle + 1) << DEVIATION_BITS) + halves * sum; /* the 1 rounds */
    return doubled < 0 ? 0 : doubled >> (DEVIATION_BITS + 1);
}

/* The key that these random words stand for, below `range`: a bin of the wafer where that is WAFER_BINS, else
 * the one that is as far along. */
WAFER_FUNCTION uint32_t wafer_key(const uint32_t words[WAFER_WORDS], size_t range)
{
    enum { ROW = 1919, ROW_HALVES = 48, COLUMN = 128, COLUMN_HALVES = 57 };
    const int row = wafer_place(words, ROW, ROW_HALVES);
    const int column = wafer_place(words + WAFER_WORDS / 2, COLUMN, COLUMN_HALVES);
    const int bin = row * WAFER_COLUMNS + (column < WAFER_COLUMNS ? column : WAFER_COLUMNS - 1);
    return (uint32_t)((uint64_t)bin * range / WAFER_BINS);
}

#endif
