/* joint_histogram.h - the function of chapter 71: pairs of coordinates that add fractions of 1 to 16 bins. */
#ifndef JOINT_HISTOGRAM_H
#define JOINT_HISTOGRAM_H

#include <stddef.h>

/* A bin is a sum of floats. */
#ifndef OPERATION
#define OPERATION float_sum
#endif
#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most bins of a side, and how many of them a coordinate touches. */
#define MOST_SIDE_BINS 32768
#define TOUCHED_BINS 4

/* Spreads each pair (x, y) over 4 x 4 bins. Coordinates are in bins. With t = x - floor(x), bin floor(x) + i of
 * the x side has the weight w_i(t) of a cubic B-spline:
 *
 *   w_0 = (1 - t)^3 / 6    w_1 = (3 t^3 - 6 t^2 + 4) / 6    w_2 = (-3 t^3 + 3 t^2 + 3 t + 1) / 6    w_3 = t^3 / 6
 *
 * and the y side likewise. The pair adds w_i(x) w_j(y) to bin [(floor(y) + j) * x_bins + floor(x) + i].
 *
 * A pair is counted if 0 <= floor(x) <= x_bins - 4 and 0 <= floor(y) <= y_bins - 4. So a negative coordinate,
 * however small, is not counted, and -0.0 is counted as 0.0. On an edge, where x is a whole number, t is 0. A
 * NaN or an infinity in x or y is not counted. With fewer than 4 bins on a side no pair is counted.
 *
 * d_x, d_y        device pointers to `length` floats each, aligned as a float; only read; they do not overlap
 *                 d_bins
 * length          in pairs, 0 to 2^32 - 1; without pairs each bin becomes 0
 * x_bins, y_bins  0 to MOST_SIDE_BINS; with 0 nothing is written, and d_bins may be NULL
 * d_bins          device pointer to y_bins rows of x_bins floats; what they hold before does not matter
 *
 * A bin is off by at most 8 x 2^-k for each pair that touches it, and is then rounded to a float. Here k is 19 for
 * up to 2^20 pairs, one less for each doubling of that, and at least 16. The pairs are counted exactly: before
 * the bins are rounded to floats, they add up to the number of pairs that are counted.
 *
 * More pairs or bins are refused: one line on standard error, nothing is touched, and the program exits with
 * status 1. The same input has the same output, bit for bit, on every grid and schedule. Returns when the kernels
 * have been launched; cudaDeviceSynchronize waits for the result. A CUDA call that fails ends the program with
 * one line on standard error.
 *
 * Source of the weights: the uniform cubic B-spline, as in J. P. W. Pluim, J. B. A. Maintz, M. A. Viergever,
 * "Mutual-information-based registration of medical images: a survey", IEEE Transactions on Medical Imaging, 2003. */
void joint_histogram(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                     unsigned int y_bins, float *d_bins);

/* The exercise of chapter 71, which no other chapter has. Gathers from a table what joint_histogram() scatters to bins:
 * the slope of a pair that is counted is the derivative by x of the sum of w_i(x) w_j(y) d_table[bin] over its 16
 * bins, that is, the sum of w_i'(x) w_j(y) d_table[bin]. That of a pair which is not counted is 0.
 *
 * d_table   device pointer to y_bins rows of x_bins floats; only read
 * d_slopes  device pointer to `length` floats; what they hold before does not matter; they do not overlap d_table
 *
 * A slope is off by at most 2^-20 times the sum of the magnitudes of its 16 terms. All else is as above. */
void joint_slopes(const float *d_x, const float *d_y, size_t length, unsigned int x_bins,
                  unsigned int y_bins, const float *d_table, float *d_slopes);

#ifdef __cplusplus
}
#endif

#endif
