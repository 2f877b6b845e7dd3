/* exact_pairs.h - how many pairs each counter should get, in doubles of the same floats.
 *
 * Right kernels round a distance as they like, so that a pair near an edge may be counted on either side of it. Of
 * each edge the oracle knows how many pairs are nearer than 2^-20 of their distance. By so many may differ what is
 * counted from the edge on; the sum of all counters is exact, and so is a pair of which no order rounds. */
#ifndef EXACT_PAIRS_H
#define EXACT_PAIRS_H

#include "drawn_sky.h"

struct oracle {
    struct outputs at;
    size_t length;
    float *points, *edges;
    uint64_t *before;    /* the words of the output, before the call */
    uint64_t *added;     /* to each counter of DD, DR, RR */
    uint64_t *near_edge; /* of each counter but the first of a kind: pairs near the edge below it */
    uint64_t not_counted[PAIR_KINDS]; /* pairs whose distance is NaN */
};

struct oracle *oracle_of(const struct input *input);
void oracle_free(struct oracle *oracle);

/* How a pair is counted: by its number of edges, and how near to one it may be of either side. Each has the
 * signature of counter_exactly; UINT32_MAX: not at all. */
typedef uint32_t counter_of_pair(const struct oracle *oracle, const float *p, const float *q);
counter_of_pair counter_exactly;
/* The distance as a double: of what a float cannot hold infinity. */
double oracle_chord(const float *p, const float *q);
/* Counts all pairs anew into added and near_edge, of which the second takes pairs up to `lost` farther from an edge. */
void oracle_count(struct oracle *oracle, counter_of_pair *counter, double lost);

/* How many outputs are wrong; *first is the first of them. */
size_t oracle_wrong(const struct oracle *oracle, const unsigned char *held, size_t *first);
bool oracle_may_hold(const struct oracle *oracle, size_t output, const unsigned char *held);
/* By how much all counters of a kind together are off; and which kind an output is of, PAIR_KINDS for edges. */
int64_t oracle_off(const struct oracle *oracle, const unsigned char *held, enum pair_kind kind);
enum pair_kind oracle_kind(const struct oracle *oracle, size_t output);
void oracle_name(const struct oracle *oracle, size_t output, char *name, size_t size);
/* What an output should hold, and what it does: for sentences. */
void oracle_say(const struct oracle *oracle, size_t output, const unsigned char *held, char *should,
                char *holds, size_t size);

#endif
