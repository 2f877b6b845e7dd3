/* k_means.h - the function of chapter 70: bins whose key is computed, and whose value is a vector. */
#ifndef K_MEANS_H
#define K_MEANS_H

#include <stddef.h>

/* A centroid is a bin of `dimensions` sums of floats. */
#ifndef OPERATION
#define OPERATION float_sum
#endif
#include "operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The label of a point without a cluster, and the most dimensions. */
#define NO_CLUSTER 0xffffffffu
#define MOST_DIMENSIONS 512

/* Groups points around centroids, a step at a time. In a step
 *
 *   each point p gets the label of the centroid c with the least sum of (p[i] - c[i])^2, in floats; of equal
 *   ones that with the smaller number;
 *   each centroid becomes the mean of its points; one without points stays where it is, bit for bit.
 *
 * The steps end after `steps`, or after one in which at most `may_change` labels have changed. Before the
 * first step each label is NO_CLUSTER. A distance that is NaN or infinite, as a float, is that of no cluster:
 * a point with a NaN or an infinity keeps NO_CLUSTER and moves no centroid, a centroid with one gets no point.
 *
 * d_points     device pointer to `length` rows of `dimensions` floats, aligned as a float; only read
 * length       in points, 0 to 2^32 - 1
 * dimensions   floats of a point, 1 to MOST_DIMENSIONS
 * d_centroids  device pointer to `clusters` rows of `dimensions` floats: in, the start; out, the end. Each
 *              mean is off by at most 2^-22 times the largest magnitude of a coordinate
 * clusters     0 to 2^31 - 1; without any, each label is NO_CLUSTER
 * steps        most steps; with 0 the centroids stay, and labels and counts say that nobody is assigned
 * may_change   labels that may change in the last step
 * d_labels     device pointer to `length` labels, those of the last step, or NULL
 * d_counts     device pointer to `clusters` numbers of points with these labels, or NULL
 * d_steps      device pointer to one number, of the steps that were made, or NULL
 *
 * The outputs do not overlap, and what the last three hold before does not matter. More points or dimensions
 * are refused: one line on standard error, nothing is touched, and the program exits with status 1.
 *
 * The same input has the same output, bit for bit, on every grid and schedule. Returns when the kernels have
 * been launched, and does not wait between steps; cudaDeviceSynchronize waits for the result. A CUDA call
 * that fails ends the program with one line on standard error. */
void k_means(const float *d_points, size_t length, unsigned int dimensions, float *d_centroids,
             unsigned int clusters, unsigned int steps, size_t may_change, unsigned int *d_labels,
             unsigned int *d_counts, unsigned int *d_steps);

#ifdef __cplusplus
}
#endif

#endif
