/* pair_counts.h - the function of chapter 72: bins whose key is computed of two points. */
#ifndef PAIR_COUNTS_H
#define PAIR_COUNTS_H

#include <stddef.h>

/* A counter is a bin, an unsigned long long. */
#ifndef OPERATION
#define OPERATION wide_sum
#endif
#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __CUDACC__
typedef struct float4 float4;
#endif

/* The most bins, and the most points of a set: at 2^22 a set has 2.6 x 10^13 pairs. */
#define MOST_BINS 1024
#define MOST_POINTS 4194304

/* Counts pairs of points by their distance, for the angular correlation of data and random points. Of two points
 * p and q the distance is the squared chord, in floats:
 *
 *   s = (p.x - q.x)^2 + (p.y - q.y)^2 + (p.z - q.z)^2
 *
 * which is 4 sin^2(angle / 2) where both lie on the unit sphere. They need not lie there, and w is not looked at.
 * A pair adds 1 to counter b when b of the edges are at most s: to counter 0 below the first edge, to counter b
 * from edge b - 1 on and below edge b, to counter bins + 1 from the last edge on. So a distance that is an edge
 * belongs to the bin above it.
 *
 * d_data    device pointer to `points` points, aligned to 16 bytes; only read
 * d_random  device pointer to `sets` sets of `points` points, one behind the other, aligned to 16 bytes; only
 *           read, and not at all without sets
 * points    of a set, 0 to MOST_POINTS; with 0 nothing is added
 * sets      random sets, 0 or more; points x (sets + 1) is at most 2^32 - 1
 * d_edges   device pointer to `bins` + 1 floats in rising order; only read. Equal ones are allowed: the bin
 *           between them stays empty. So are negative ones and infinity. A NaN is reached by no distance, so it
 *           stands behind all others
 * bins      0 to MOST_BINS; with 0 there is one edge, and two counters
 * d_dd      device pointer to bins + 2 counters, to which the pairs i < j of data are added
 * d_dr      the same for each data point with each point of each set
 * d_rr      the same for the pairs i < j of each set
 *
 * Points that are equal have distance 0, and are counted. A distance that is infinite is counted like others; one
 * that is NaN, of a point with a NaN or of two infinite ones, is not counted. A distance may be rounded as it
 * comes: of s, the sum of three squares of floats, up to 2^-20 of it. Counters have 64 bits, and nothing is lost.
 * More points or bins are refused: one line on standard error, nothing is touched, and the program exits with
 * status 1.
 *
 * Returns when the kernels have been launched; cudaDeviceSynchronize waits for the result. A CUDA call that fails
 * ends the program with one line on standard error. */
void pair_counts(const float4 *d_data, const float4 *d_random, size_t points, size_t sets,
                 const float *d_edges, unsigned int bins, unsigned long long *d_dd,
                 unsigned long long *d_dr, unsigned long long *d_rr);

#ifdef __cplusplus
}
#endif

#endif
