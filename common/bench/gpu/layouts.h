/* layouts.h - kernels of chapters with what they fix left open: who reads what, and how many blocks
 * there are. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LAYOUT_THREADS = 256 }; /* of a block */

/* By sections each thread has a connected part of the text, by strides every n-th unit of it, n
 * the number of threads. */
enum layout { SECTIONS, STRIDES };

/* All take device pointers and queue their work on the default stream. A CUDA error ends the
 * program with one line. */

/* Adds up the text's bytes, or its whole 16-byte words, a thread its own sum, and does nothing with
 * the sums. `sink` holds 4 bytes; they are written only for one sum of a thread, which
 * keeps the compiler from dropping the loads. */
void read_bytes(enum layout layout, const unsigned char *text, size_t length, unsigned int *sink,
                unsigned int blocks);
void read_words(enum layout layout, const unsigned char *text, size_t length, unsigned int *sink,
                unsigned int blocks);

/* A histogram with a private copy of the bins for each block, in shared memory. The caller has
 * zeroed the bins. */
void count_in_shared(enum layout layout, const unsigned char *text, size_t length,
                     unsigned int *bins, unsigned int blocks);
/* The same with the copies in global memory, by strides. `copies` has room for blocks x NUM_BINS
 * counters, which are zeroed first. */
void count_in_global(const unsigned char *text, size_t length, unsigned int *bins,
                     unsigned int *copies, unsigned int blocks);

#ifdef __cplusplus
}
#endif

#endif
