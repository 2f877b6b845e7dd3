/* pair_totals.h - the counters of a block are cleared, and added to those of all blocks; and what is refused: given code of
 * chapter 72. */
#ifndef PAIR_TOTALS_H
#define PAIR_TOTALS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cells.h"

struct totals {
    unsigned long long *dd, *dr, *rr;
};

__device__ static void clear(struct near *near, unsigned int counters)
{
    for (unsigned int c = threadIdx.x; c < counters; c += TILE)
        near->across[c] = near->within[c] = 0;
    __syncthreads(); // no thread may add to a counter that another has yet to clear
}

/* Adds the counters of a row to those of all blocks. All threads call it together. */
__device__ static void commit(const struct near *near, unsigned int counters, size_t set,
                              const struct totals *totals)
{
    unsigned long long *within = set == 0 ? totals->dd : totals->rr;
    __syncthreads(); // no thread may read a counter to which another still adds
    for (unsigned int c = threadIdx.x; c < counters; c += TILE) {
        // Each protects a counter from other blocks.
        if (near->within[c] > 0)
            atomicAdd(&within[c], (unsigned long long)near->within[c]);
        if (near->across[c] > 0)
            atomicAdd(&totals->dr[c], (unsigned long long)near->across[c]);
    }
    __syncthreads(); // no thread may clear a counter that another has yet to read
}

static void refuse_too_many(size_t points, size_t sets, unsigned int bins)
{
    if (points <= MOST_POINTS && bins <= MOST_BINS && (points == 0 || sets < UINT32_MAX / points))
        return;
    fprintf(stderr,
            "pair_counts: %zu points in each of %zu sets and the data, %u bins; at most %d points, "
            "4294967295 in all, and %d bins can be counted\n",
            points, sets, bins, MOST_POINTS, MOST_BINS);
    exit(1);
}

#endif
