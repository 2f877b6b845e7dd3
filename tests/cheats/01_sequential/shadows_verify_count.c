/* Tries: a count of its own in the place of the judge's.
 * Refused: verify_count is defined here */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "histogram.h"

void verify_count(const unsigned char *text, size_t length, unsigned int *bins)
{
    for (int bin = 0; bin < NUM_BINS; bin++)
        bins[bin] = 0;
}

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX)
        exit(1);
}
