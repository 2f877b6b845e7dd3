/* histogram.h - the one function that every chapter implements. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds to d_bins[bin_of(c)] one for every counted character c of a text.
 *
 * d_text  device pointer to `length` bytes, each 0 to 255; need not be aligned
 * length  in bytes, 0 to 2^32 - 1; a longer text is refused: one line on
 *         standard error, no bin is touched, and the program exits with status 1
 * d_bins  device pointer to NUM_BINS counters, which the caller has zeroed
 *
 * In chapter 1, which is plain C, both are host pointers. Returns when the
 * kernel has been launched; cudaDeviceSynchronize waits for the result. A CUDA
 * call that fails ends the program with one line on standard error. */
void histogram(const unsigned char *d_text, size_t length, unsigned int *d_bins);

#ifdef __cplusplus
}
#endif

#endif
