/* hypotheses.h - which units would have to be left out, so that an output were what it is. */
#ifndef HYPOTHESES_H
#define HYPOTHESES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract.h"

/* A kernel of so many blocks and threads, and the number of something that is left out. */
struct hypothesis {
    uint64_t length, blocks, threads, number;
};
struct hypothesis hypothesis_of(const struct difference *difference, uint64_t number);

/* Whether unit i is kept, by a hypothesis. */
typedef bool keeps_unit(size_t i, const void *hypothesis);
keeps_unit keep_prefix;                      /* so many units */
keeps_unit keep_but_block, keep_but_section; /* all but those of a block, by threads or in a row */
keeps_unit keep_lane_0;                      /* one of each warp */
keeps_unit keep_warp_0;                      /* of each block */
keeps_unit keep_full_warps;                  /* of each block */
keeps_unit keep_halves;                      /* what a tree keeps that drops an odd one */

/* Whether the output is that of the units that are kept, and any is left out: each contract has its own. */
bool holds_without(const struct difference *difference, keeps_unit *keeps, uint64_t number);
/* Causes of it: a block whose units are left out, and the end of the input. */
cause_of_output block_missing, tail_dropped;

#endif
