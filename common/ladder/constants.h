/* constants.h - what the model goes by, measured on an NVIDIA H200 by tests/ladder/card/measure_constants.cu and sweep.cu. Other cards get the same
 * times, of which nothing is measured there: only their ratios decide, and shared memory, cache and multiprocessors
 * are asked of the device. */
#ifndef LADDER_CONSTANTS_H
#define LADDER_CONSTANTS_H

/* Of each operation: picoseconds for an element in a pass in shared memory, in buckets, and for a sector of an
 * atomic in the cache, and in bins that are up to twice the cache; so many bins for each element are read and written in
 * the time that the elements need; and elements a multiprocessor, fewer than which take less time straight to the bins
 * than in buckets. Several passes, and the last three columns, are told from the sweep's cells.
 *        operation  pass  buckets  sector  beyond  many bins  few */
#define LADDER_CONSTANTS(ROW)                                                                      \
    ROW(count, 0.85, 3.5, 9.8, 20, 16, 16384)                                                      \
    ROW(count_64, 0.85, 3.5, 9.8, 20, 8, 16384)                                                    \
    ROW(saturate, 0.85, 3.5, 13.4, 20, 16, 16384)                                                  \
    ROW(sum_u32, 1.8, 7.9, 10.3, 20, 4, 24576)                                                     \
    ROW(sum_f32, 3.1, 13, 10.3, 20, 8, 12288)                                                      \
    ROW(powers, 8.5, 15.5, 15.9, 24, 4, 3072)                                                      \
    ROW(minmax, 2.7, 10.8, 13.9, 26, 1.75, 16384)                                                  \
    ROW(argmax, 3.0, 8.7, 7.8, 20, 1.75, 24576)

/* A sector of bins that are more than twice the cache takes so many times as long as beyond it. */
#define FAR_TIMES 3.0
/* Picoseconds: of what else buckets of counts, those of values, and others, take however few elements there are; of a
 * byte of the bins, read and written; and of an atomic on an address on which others wait. */
#define COUNT_BUCKETS_PS 36e6
#define VALUE_BUCKETS_PS 50e6
#define OTHERS_PS 12e6
#define BIN_BYTE_PS 0.9
#define SAME_ADDRESS_PS 735.0
/* So many floats are added to one bin one by one, at most. */
#define MOST_ROUNDED 12000.0
/* Elements for each multiprocessor, fewer than which ... */
enum {
    FEW = 512, /* ... are combined in the cache in 50 us at most, even if all have one key */
    ONE_A_THREAD = 1024, /* ... are summed before tables in shared memory would be cleared, */
    FEW_SUMS = 128,      /* ... or small tables, */
    FEW_BINS = 1024,     /* of fewer bins than this */
    FEW_FLOATS = 4096,   /* ... (of floats this, because in tables they wait for each other) */
    FEW_MAXIMA = 4096,   /* ... do so if a maximum has four of them for each bin */
    SHORT = 2048,        /* ... are not looked at by a sample */
    SOME = 16384,        /* ... go straight to bins that are far more, unseen */
    MANY = 65536, /* ... have no sums of hot floats for each thread, which take time to add up */
    VERY_FEW_ELEMENTS = 2048, /* of all */
};
/* Going straight to the bins must be expected to take less than this part of the time in buckets. */
#define LADDER_DIRECT_GAIN 0.8

#endif
