/* verify.h - the independent count on the CPU, and why bins may differ from it. */
#ifndef VERIFY_H
#define VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"
#include "letters.h"

struct oracle {
    unsigned int bins[MOST_BINS];
};

/* Counts a text without bin_of and without any kernel. bins: num_bins() counters,
 * set, not added to. */
void verify_count(const unsigned char *text, size_t length, unsigned int *bins);

/* Of a difference whose oracle is that count: whether the bins that are held are right; and in words which
 * bins are not, expected and counted, and the cause. */
bool bins_are_right(struct difference *difference);
void explain_bins(const struct difference *difference, char *message, size_t size);

/* The same of bins of which no more is known. If they are wrong, `explanation` says all that. */
struct verify_result {
    const char *input;         /* a description: "the text of 33 characters" */
    const unsigned char *text; /* in host memory */
    size_t length;
    const unsigned int *counted; /* num_bins() */
};
bool verify_is_right(const struct verify_result *result, char *explanation, size_t size);

#endif
