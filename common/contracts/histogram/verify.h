/* verify.h - the independent count on the CPU. */
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

extern const struct contract histogram_contract;
extern const struct causes causes_of_characters;

#endif
