/* text.h - what the host and the kernel that counts texts share. C and CUDA C. */
#ifndef LADDER_TEXT_H
#define LADDER_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "ladder.h"

enum {
    LADDER_TEXT_THREADS = 768,
    LADDER_TEXT_PART =
        1 << 30, /* bytes of a launch: a multiple of 16, so that parts are aligned alike */
};

/* Of each value of a byte its bin, or -1. */
struct ladder_byte_bins {
    int16_t bin[256];
};

/* The counts that are added to. */
struct ladder_counts {
    void *counts;
    unsigned int num_bins, bits;
};

#pragma GCC visibility push(hidden) /* known within the library alone */

#ifdef __cplusplus
extern "C"
#endif
    cudaError_t
    ladder_count_text(const unsigned char *text, size_t length,
                      const struct ladder_byte_bins *bin_of, const struct ladder_counts *counts,
                      unsigned int multiprocessors, cudaStream_t stream);

#pragma GCC visibility pop

#endif
