/* oracle.h - what the bins should hold: counted one element after the other, without the contract's
 * functions.
 *
 * Integers, argmax and minmax are right bit for bit. Floats are added in any order (float_sum.h): of n
 * values that came to a bin, the earlier contents are one more, none passes through more than n additions. A
 * power v^i of vector_sum has i - 1 roundings of its own: gamma(n + i - 1). A product that is added without
 * being rounded before (FMA) has fewer. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "elements.h"
#include "float_sum.h"
#include "hypotheses.h"
#include "operations.h"

enum { FLOATS_OF_VECTOR = 8 };

struct oracle {
    enum operation operation;
    size_t num_bins, parts; /* floats of a bin, or 0 */
    unsigned char *bins;    /* what they should hold; of floats what they held before */
    uint64_t *came;         /* elements to each bin */
    struct float_sum *sums; /* num_bins x parts, of those to which any came */
    double most_error;      /* the input's */
};

/* What is right where elements come to other bins, for a hypothesis: to none with num_bins or more. */
typedef uint64_t oracle_bin(const struct input *input, size_t i, const void *context);
struct oracle *oracle_with(const struct input *input, oracle_bin *bin_of_element,
                           const void *context);
/* To the last bin; modulo num_bins; by 16 bits of the key. What these do to a batch is not asked. */
oracle_bin clamped_bin, wrapped_bin, short_bin;
/* To their own bin, or to none: the context is a struct left_out. */
struct left_out {
    keeps_unit *keeps;
    struct hypothesis hypothesis;
};
oracle_bin bin_if_kept;

/* Whether one float of a bin may be that. Of vector_sum oracle_say tells of the first of the parts that is wrong:
 * "sum[3] = 1.5". */
bool oracle_agrees_in(const struct oracle *oracle, size_t bin, size_t part,
                      const unsigned char *held);

/* How far a float of a bin may be off. */
double oracle_bound(const struct oracle *oracle, size_t bin, size_t part);

#endif
