/* Tries: a memcmp to which all is equal.
 * Refused: memcmp is defined here */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "histogram.h"

int memcmp(const void *one, const void *other, size_t size)
{
    return 0;
}

static void count(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX) {
        fprintf(stderr, "histogram: too long\n");
        exit(1);
    }
    for (size_t i = 0; i < length; i++)
        if (bin_of(text[i]) >= 0)
            bins[bin_of(text[i])]++;
}

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    count(text, length, bins);
}
