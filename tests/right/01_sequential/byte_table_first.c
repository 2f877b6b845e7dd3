/* Style: counts bytes in a table of 256, and asks for the bin of each byte once at the end. */
#include <stdio.h>
#include <stdlib.h>
#include "binning.h"
#include "histogram.h"

static void tally(unsigned tally_of[256], const unsigned char *s, size_t n)
{
    while (n-- > 0) tally_of[s[n]] += 1u;   /* backwards, which makes no difference */
}

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    unsigned counts[256] = { 0 };
    if (length >> 32) {
        fprintf(stderr, "histogram: text too long (%zu)\n", length);
        exit(1);
    }
    tally(counts, text, length);
    for (int c = 0; c < 256; c++)
        if (bin_of((unsigned char) c) != -1)
            bins[bin_of((unsigned char) c)] += counts[c];
}
