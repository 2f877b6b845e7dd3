/* causes.h - the likeliest cause of a wrong count. */
#ifndef CAUSES_H
#define CAUSES_H

#include "verify.h"

/* A wrong result beside the right one. */
struct difference {
    const struct verify_result *result;
    unsigned int expected[MOST_BINS];
    unsigned long long expected_sum, counted_sum;
    unsigned int wrong; /* bins that differ */
    unsigned short bin_of_byte[256];
    char *cause;
    size_t size;
};

/* Writes a sentence about the difference into its `cause`. */
void find_cause(struct difference *d);

#endif
