/* exact_pairs.h - how many pairs each counter should get, in doubles of the same floats.
 *
 * Right kernels round a distance as they like, so that a pair near an edge may be counted on either side of it. Of
 * each edge the oracle knows how many pairs are nearer than 2^-20 of their distance. By so many may differ what is
 * counted from the edge on; the sum of all counters is exact, and so is a pair of which no order rounds. */
#ifndef EXACT_PAIRS_H
#define EXACT_PAIRS_H

#include "contract.h"
#include "drawn_sky.h"

struct oracle {
    struct outputs at;
    struct input input;  /* a copy */
    uint64_t *added;     /* to each counter of DD, DR, RR */
    uint64_t *near_edge; /* of each counter but the first of a kind: pairs near the edge below it */
    uint64_t not_counted[PAIR_KINDS]; /* pairs whose distance is NaN */
};

/* How a pair is counted; UINT32_MAX: not at all. */
typedef uint32_t counter_of_pair(const struct oracle *oracle, const float *p, const float *q);
counter_of_pair counter_exactly;
/* The distance; where a float cannot hold it infinity. And how many edges are at most that; of a NaN UINT32_MAX. */
double chord_between(const float *p, const float *q);
uint32_t edges_up_to(const struct oracle *oracle, double distance);
float edge_of(const struct oracle *oracle, size_t edge);
/* The same with another rule, which has lost so much of each distance. */
struct oracle *oracle_by(const struct input *input, counter_of_pair *counter, double lost);

/* See contract.h. */
bool oracle_compare(struct difference *difference);
/* By how much a counter is off. */
int64_t counter_off(const struct oracle *oracle, size_t i, uint64_t holds);

#endif
