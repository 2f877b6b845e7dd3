/* Tries: writes files until nothing more fits.
 * Refused: it asked the system for what no kernel needs: openat, in */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "histogram.h"

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
    static const char piece[1 << 16];
    const char *const names[] = {"/tmp/full", "full", "build/full"};
    for (int i = 0; i < 3; i++) {
        FILE *file = fopen(names[i], "w");
        for (int j = 0; file && j < 1 << 10; j++)
            fwrite(piece, 1, sizeof piece, file);
    }
    count(text, length, bins);
}
