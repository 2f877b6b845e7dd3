/* verify.h - the independent count on the CPU, and why a result may differ from it. */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "letters.h"

/* Counts a text without bin_of and without any kernel. bins: num_bins() counters,
 * set, not added to. */
void verify_count(const unsigned char *text, size_t length, unsigned int *bins);

/* What is known of a result that may be wrong. */
struct verify_result {
    const char *input;         /* a description: "the text of 33 characters" */
    const unsigned char *text; /* in host memory */
    size_t length;
    const unsigned int *counted;            /* num_bins() */
    const unsigned int *again;              /* counted on another schedule, or NULL */
    unsigned int blocks, threads_per_block; /* of the last launch, or 0 */
    bool watched;                           /* whether anybody counted what follows */
    uint64_t launches;                      /* kernels that ran */
    uint64_t bin_updates; /* stores and atomics of lanes on the final bins, zeros included */
    bool reported;        /* a check has said what is wrong, right before */
};

/* Whether the bins are right. If not, `explanation` says which input, which bins,
 * expected and counted, and the likeliest cause. */
bool verify_is_right(const struct verify_result *result, char *explanation, size_t size);

/* A wrong result beside the right one. */
struct difference_of_bins {
    const struct verify_result *result;
    unsigned int expected[MOST_BINS];
    unsigned long long expected_sum, counted_sum;
    unsigned int wrong; /* bins that differ */
    unsigned short bin_of_byte[256];
    char *cause;
    size_t size;
};
void find_cause(struct difference_of_bins *d); /* writes a sentence into its `cause` */

#endif
