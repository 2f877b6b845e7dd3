/* baselines.h - what a chapter's kernel is measured against, in the same run: reading alone and an
 * empty launch (roofline.cu), CUB and Thrust (baselines.cu, a library of its own, since it
 * takes long to compile). */
#ifndef BASELINES_H
#define BASELINES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All take device pointers and queue their work on the default stream. A CUDA
 * error ends the program with one line. */

/* The roofline: reads every byte of the text once and does nothing else worth
 * speaking of. `sink` holds 4 bytes; they are written only if all the text's words
 * cancel out, which keeps the compiler from dropping the loads. */
void read_only(const unsigned char *text, size_t length, unsigned int *sink);

/* A kernel that does nothing: what a launch costs. */
void empty_launch(void);

/* CUB's DeviceHistogram over NUM_BINS bins, as a user would call it. The first
 * call for a length allocates its scratch memory, which is not part of the cost. */
void cub_histogram(const unsigned char *text, size_t length, unsigned int *bins);

/* Thrust: copy, sort, reduce_by_key; up to 256 distinct bytes and their counts.
 * Counts every byte value; which of them belong to a bin is left to the reader, and
 * `bins` is not used. thrust_release gives back the memory of the copy. */
void thrust_histogram(const unsigned char *text, size_t length, unsigned int *bins);
void thrust_release(void);

#ifdef __cplusplus
}
#endif

#endif
