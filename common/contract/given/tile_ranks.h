/* tile_ranks.h - where the elements of a tile go, by the digits of a warp and of a block: given code of chapter 30. */
#ifndef TILE_RANKS_H
#define TILE_RANKS_H

#include "digits.h"

/* The lanes of the warp with this lane's digit, by a vote for each bit. All lanes call it together. */
__device__ __forceinline__ static unsigned int peers_of(unsigned int digit)
{
    unsigned int peers = ALL_LANES;
#pragma unroll
    for (unsigned int bit = 0; bit <= DIGIT_BITS; bit++) {
        const unsigned int ones = __ballot_sync(ALL_LANES, digit >> bit & 1);
        peers &= digit >> bit & 1 ? ones : ~ones;
    }
    return peers;
}

/* Turns the counts of the warps into where their elements of this thread's digit begin in the tile: digit by digit, and of a
 * digit warp by warp. Returns how many elements the digit has, and where it begins. */
__device__ static unsigned int lay_out(uint16_t (*counts)[DIGITS], unsigned int *sums_of_warps,
                                       unsigned int *begin)
{
    unsigned int number = 0, all;
    for (unsigned int warp = 0; warp < DIGITS / WARP; warp++)
        number += counts[warp][threadIdx.x];
    unsigned int at = *begin = sum_before(number, sums_of_warps, &all);
    for (unsigned int warp = 0; warp < DIGITS / WARP; warp++) {
        const unsigned int count = counts[warp][threadIdx.x];
        counts[warp][threadIdx.x] = (uint16_t)at;
        at += count; // those of the next warp come behind
    }
    return number;
}

#endif
