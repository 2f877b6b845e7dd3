/* causes.h - the likeliest cause of a wrong bin. */
#ifndef CAUSES_H
#define CAUSES_H

#include "contract.h"
#include "oracle.h"

/* Writes a sentence into `cause`. */
void find_cause(struct difference *difference);

/* Whether the bins are what they are because elements have the keys of this hypothesis, which may
 * depend on a number: of a block, or of elements. */
bool holds(const struct difference *difference, oracle_bin *bin_of_element, uint64_t number);
oracle_bin clamped_bin, wrapped_bin,
    short_bin;            /* to the last bin; modulo num_bins; 16 bits of it */
oracle_bin bin_of_prefix; /* none from that element on */
oracle_bin bin_but_of_block, bin_but_of_section; /* none where that block reads */

#endif
