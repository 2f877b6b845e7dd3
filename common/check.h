/* check.h - the independent count on the CPU, and why a result may differ from it. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "binning.h"

/* Counts a text without bin_of and without any kernel. bins: NUM_BINS counters,
 * set, not added to. */
void check_count(const unsigned char *text, size_t length, unsigned int *bins);

/* What is known of a result that may be wrong. */
struct check_result {
    const char *input;         /* a description: "the text of 33 characters" */
    const unsigned char *text; /* in host memory */
    size_t length;
    const unsigned int *counted;            /* NUM_BINS */
    const unsigned int *again;              /* counted on another schedule, or NULL */
    unsigned int blocks, threads_per_block; /* of the last launch, or 0 */
};

/* Whether the bins are right. If not, `explanation` says which input, which bins,
 * expected and counted, and the likeliest cause. */
bool check_is_right(const struct check_result *result, char *explanation, size_t size);

/* A number with thousands separators, "1,048,576". One of 16 buffers that are
 * used in turn: for the arguments of one message. */
const char *grouped(unsigned long long number);

#endif
