/* 1, further: one table for all values of a byte, and the bins at the end.
 *
 * The loop decides nothing: each byte has a counter. bin_of is asked once for each value of a byte,
 * and no bin is written before the text has been read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "histogram.h"

enum { BYTES = 256 };

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX) { /* one bin might have to count them all */
        fprintf(stderr, "histogram: %zu characters; at most 4294967295 can be counted\n", length);
        exit(1);
    }
    unsigned int table[BYTES] = {0};
    for (size_t i = 0; i < length; i++)
        table[text[i]]++;
    for (int byte = 0; byte < BYTES; byte++) {
        const int bin = bin_of((unsigned char)byte);
        if (bin >= 0)
            bins[bin] += table[byte];
    }
}
