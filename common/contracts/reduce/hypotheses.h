/* hypotheses.h - which values would have to be left out, so that the result were what it is. */
#ifndef HYPOTHESES_H
#define HYPOTHESES_H

#include <stdbool.h>

#include "causes.h"

/* A kernel of so many blocks and threads, and the number of something that is left out. */
struct hypothesis {
    uint64_t length, blocks, threads, number;
};

/* Whether the result is that of the values that are kept, and any is left out. */
bool holds(const struct difference *d, oracle_keeps *keeps, uint64_t number);

oracle_keeps keep_prefix; /* so many values */
oracle_keeps keep_but_block,
    keep_but_section;         /* all but those of a block, by threads or in a row */
oracle_keeps keep_lane_0;     /* one of each warp */
oracle_keeps keep_warp_0;     /* of each block */
oracle_keeps keep_full_warps; /* of each block */
oracle_keeps keep_halves;     /* what a tree keeps that drops an odd one */

#endif
