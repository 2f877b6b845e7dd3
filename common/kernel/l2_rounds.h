/* l2_rounds.h - how the rounds of global atomics spread over the L2 cache.
 *
 * A round is what `l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum` counts: one pass
 * over a sector of 32 bytes that serves at most one lane for each address in it. The
 * L2 cache consists of slices. On an H200 a stripe of 256 bytes lies in one of them,
 * its neighbors in others, and a slice does one round at a time. */
#ifndef L2_ROUNDS_H
#define L2_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/table.h"
#include "sim.h"

enum { STRIPE_BYTES = 256, SECTOR_BYTES = 32 };

/* Rounds by stripe; all zero before the first. */
struct l2_rounds {
    struct sim_table table; /* struct stripe */
    size_t used;
};
struct stripe {
    uint64_t number; /* address / STRIPE_BYTES */
    uint64_t rounds;
};

/* Adds the rounds of one global atomic of a warp. Ends the program with one line when
 * there is no memory. */
void l2_rounds_add(struct l2_rounds *l2_rounds, const struct sim_event *event);
/* The same table for other numbers than those of stripes, which are not 0: adds to one. */
void l2_rounds_count(struct l2_rounds *l2_rounds, uintptr_t number, uint64_t rounds);
/* How many of the numbers have more than `rounds`. */
uint64_t l2_rounds_above(const struct l2_rounds *l2_rounds, uint64_t rounds);
/* The rounds of the stripe that has most; 0 when there were none. */
uint64_t l2_rounds_busiest(const struct l2_rounds *l2_rounds);
void l2_rounds_free(struct l2_rounds *l2_rounds);

#endif
