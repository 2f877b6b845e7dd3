/* verify.c - the independent count: see verify.h. */
#include "verify.h"

void verify_count(const unsigned char *text, size_t length, unsigned int *bins)
{
    uint64_t counts[MOST_BINS];
    letters_count(text, 0, length, counts);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        bins[bin] = (unsigned int)counts[bin];
}
