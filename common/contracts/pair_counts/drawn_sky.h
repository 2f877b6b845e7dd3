/* drawn_sky.h - the points whose pairs a test has counted, drawn from a seed; and how they, the edges and the
 * counters are laid out in a call.
 *
 * A unit of the input is a point, a float4: the data, then the random sets. The outputs are words of 8 bytes: the
 * counters of DD, DR and RR, then the edges, two in a word, which a kernel only reads. */
#ifndef DRAWN_SKY_H
#define DRAWN_SKY_H

#include "to_run.h"

extern const struct contract pair_counts_contract;

/* The numbers that a call has besides, and that an input is drawn with. */
enum { NUMBER_OF_SETS, NUMBER_OF_BINS };

/* Floats of a point, and bytes of a word. */
enum { COMPONENTS = 4, WORD = sizeof(uint64_t) };

enum pair_kind { DD, DR, RR, PAIR_KINDS };

/* Where the outputs begin, in words. The longest input has as many sets of 255 points as there can be. */
struct outputs {
    size_t points, sets, bins, counters; /* `counters`: those of DD, as many as those of DR or RR */
    size_t edges, end;
};

static inline struct outputs sky_outputs(size_t length, const uint64_t *more)
{
    enum { FEW_POINTS = 255 }; /* 2^32 - 1 is a multiple of it */
    const size_t sets = length == UINT32_MAX && more[NUMBER_OF_SETS] == 0
                            ? UINT32_MAX / FEW_POINTS - 1
                            : more[NUMBER_OF_SETS];
    const size_t bins = more[NUMBER_OF_BINS], edges = PAIR_KINDS * (bins + 2);
    return (struct outputs){length / (sets + 1), sets, bins, bins + 2, edges, edges + bins / 2 + 1};
}

/* Points are uniform on the sphere; or the data lie in clusters a few arc minutes wide; or points are ends of the
 * three axes, with distances 0, 2 and 4 and edges there; or multiples of 1/8, not on the sphere, with edges on
 * distances and equal edges; or one point again and again. A case has so many points in a set. Counters begin at
 * numbers that are drawn, many of them near a multiple of 2^32. */
enum sky { SKY_UNIFORM, SKY_CLUSTERS, SKY_AXES, SKY_LATTICE, SKY_EQUAL, SKY_KINDS };

void input_set_edge(struct input *input, size_t edge, float value);

/* Draws one, to be freed. */
struct input sky_drawn(const struct drawn_case *drawn, uint64_t seed);

#endif
