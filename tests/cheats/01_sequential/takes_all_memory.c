/* Tries: takes memory until the machine has none.
 * Refused: of memory */
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
    for (size_t taken = 0; taken < (size_t)1 << 40; taken += 1 << 24) {
        char *memory = malloc(1 << 24);
        for (size_t i = 0; memory && i < 1 << 24; i += 4096)
            memory[i] = 1;
    }
    count(text, length, bins);
}
