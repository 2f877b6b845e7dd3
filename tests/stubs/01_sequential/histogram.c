/* 1. The sequential histogram: one loop, one character at a time.
 *
 * No GPU yet, so text and bins lie in the host's memory. All chapters that
 * follow compute exactly this. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "histogram.h"

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX) { /* one bin might have to count them all */
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    for (size_t i = 0; i < length; i++) {
        // TODO(1.1): Add one to the bin of character i, unless bin_of gives -1.
        // end of TODO(1.1)
    }
}
