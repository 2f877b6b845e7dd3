/* order.h - what each lane knows of the accesses of others: happens_before.c and publish.c. */
#ifndef SIM_ORDER_H
#define SIM_ORDER_H

#include "memory/memory.h"

/* Accesses of the lanes in `lanes` of warp `warp` (numbered in the launch), at `time`. */
struct epoch {
    uint32_t warp, lanes, time;
};

/* Of a warp, and of a block: when what lanes know was last made new. Times are steps of one clock. */
struct warp_order {
    uint32_t full_time; /* of the last __syncwarp of all its lanes */
    uint32_t fence_time;
    uint64_t fence_step;
    uint32_t time[WARP];           /* of each lane */
    bool has_rows;                 /* some lanes have met without the others: sim_order_row */
    struct lane_order *lane[WARP]; /* NULL until the lane fences or acquires */
};
struct block_order {
    uint32_t barrier_time;
    struct block_knowledge *knowledge; /* NULL until one of its lanes does */
};
extern struct warp_order sim_warp_order[MOST_WARPS];
extern struct block_order sim_block_order[MOST_WARPS]; /* by the block's slot */
static inline struct warp_order *sim_order_of(const struct warp *warp)
{
    return &sim_warp_order[warp->at];
}
static inline struct block_order *sim_order_of_block(const struct block *block)
{
    return &sim_block_order[block->slot];
}
static inline uint32_t sim_barrier_time(const struct block *block)
{
    return sim_block_order[block->slot].barrier_time;
}
/* All lanes know of what was before. */
extern uint32_t sim_grid_time;

/* Returns whether time begins anew: then accesses of earlier launches are to be forgotten. */
bool sim_order_start_launch(struct launch *launch);
/* Nobody fences any more. */
void sim_order_end_launch(void);
void sim_order_start_block(struct block *block);
/* All lanes of a block met; all lanes of the grid; the lanes in `mask` of a warp, which counts at __syncwarp. */
void sim_order_barrier(struct block *block);
void sim_order_grid_barrier(struct launch *launch);
void sim_order_intrinsic(struct warp *warp, uint32_t mask, enum sim_warp_intrinsic operation,
                         uint64_t *result);
void sim_order_fence(struct lane *lane, enum sim_fence scope);
/* The lane stored to, or loaded from, `address` with an atomic or a volatile access.
 * `updates`: a read-modify-write, which keeps what others published there. */
void sim_order_release(struct lane *lane, uintptr_t address, bool block_scope, bool updates);
void sim_order_acquire(struct lane *lane, uintptr_t address, bool block_scope);
/* The lane read it relaxed: it acquires when it fences, or at the next barrier. */
void sim_order_read_relaxed(struct lane *lane, uintptr_t address);
/* Whether a fence was executed in this launch: before that, none of the two does anything;
 * and in any launch so far. */
extern bool sim_fences_used, sim_fences_ever_used;
/* Whether there was a fence, or a release, of block scope in this launch. */
extern bool sim_narrow_releases;
/* What counts when something is handed over by a flag:
 * ORDER_USUAL   a fence before the write, of a scope that holds both; the read needs none
 * ORDER_STRICT  the letter of PTX: each has a fence of its own thread, too
 * ORDER_ANY_SCOPE, ORDER_LOOSE   whatever the scopes; whether or not there are fences: what
 *               the program seems to rely on */
enum sim_order_rule { ORDER_USUAL, ORDER_STRICT, ORDER_ANY_SCOPE, ORDER_LOOSE };
/* Those of the epoch's lanes whose access `lane` of `warp` does not know of. */
uint32_t sim_order_unordered(const struct warp *warp, unsigned int lane, struct epoch epoch,
                             enum sim_order_rule rule);
/* The same, but for what came by way of flags: cheaper. */
uint32_t sim_order_unordered_simply(const struct warp *warp, unsigned int lane, struct epoch epoch);
/* Whether the lane publishes what it knows when it writes to a flag: a fence came before, its
 * own or one that a barrier made known; of device scope. */
bool sim_order_fenced(const struct warp *warp, unsigned int lane, bool device);
/* Whether the lane learned anything by way of a fence and a flag. */
bool sim_order_learned(const struct warp *warp, unsigned int lane);
/* The time now; launches have times of their own. */
uint32_t sim_order_clock(void);

#endif
