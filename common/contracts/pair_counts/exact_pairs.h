/* exact_pairs.h - how many pairs each counter should get, in doubles of the same floats.
 *
 * Right kernels round a distance as they like, so that a pair near an edge may be counted on either side of it. For
 * each edge the oracle knows how many pairs are beyond it, with distances that are 2^-20 less, and more. So many may be
 * counted from the edge on; the sum of all counters is exact, and so is a pair of which no order rounds. */
#ifndef EXACT_PAIRS_H
#define EXACT_PAIRS_H

#include "contract.h"
#include "drawn_sky.h"

/* How a pair is counted: as it should be; below an edge that is its distance; without the last edge; with the first
 * edge alone of each cell of half an octave; without the digits that 2 - 2pq loses of a distance, a few units in the
 * last place of 2; by the root of its distance. */
enum rule { RIGHT, EDGES_BELOW, NO_LAST_EDGE, HALF_OCTAVES, LOST_DIGITS, ROOTS, RULES };

struct oracle {
    struct outputs at;
    enum rule rule;
    struct input input;     /* a copy */
    uint64_t *added;        /* pairs that come to each counter of DD, DR, RR; 0 to an edge */
    uint64_t *least, *most; /* pairs that come to it and to those behind it, of its kind */
    uint64_t not_counted[PAIR_KINDS]; /* pairs whose distance is NaN */
};

/* What should be counted by a rule; contract_forget frees it. */
struct oracle *pairs_by(const struct input *input, enum rule rule);
/* How much an output has grown that holds the bytes `held`. */
uint64_t counter_growth(const struct oracle *oracle, size_t i, const unsigned char *held);

extern const struct causes causes_of_pairs;

#endif
