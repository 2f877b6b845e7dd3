/* causes.h - the likeliest cause of a wrong result. */
#ifndef CAUSES_H
#define CAUSES_H

#include <stddef.h>
#include <stdint.h>

#include "oracle.h"

/* What is known of a result that is wrong. */
struct difference {
    const struct input *input;
    const struct oracle *oracle;
    double bound;                       /* by which a float may be off */
    const unsigned char *held;          /* the result after the call */
    const unsigned char *again;         /* the same after a call on another schedule, or NULL */
    unsigned char before[16];           /* what it held before the call */
    uint64_t blocks, threads_per_block; /* of the last launch, or 0 */
    char *cause;
    size_t size;
};

/* Writes a sentence into `cause`. */
void find_cause(struct difference *difference);

#endif
