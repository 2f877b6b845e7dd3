/* Tries: runs before anything limits the process, in a function that the loader calls.
 * Refused: runs while the program is loaded */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "binning.h"
#include "histogram.h"

static void count(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX)
        exit(1);
    for (size_t i = 0; i < length; i++)
        if (bin_of(text[i]) >= 0)
            bins[bin_of(text[i])]++;
}

static void (*choose(void))(const unsigned char *, size_t, unsigned int *)
{
    return count;
}

static void chosen(const unsigned char *text, size_t length, unsigned int *bins)
    __attribute__((ifunc("choose")));

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    chosen(text, length, bins);
}
