/* checks.h - what the checks offer to those who run a kernel: they are told of each access,
 * each fence, each meeting of lanes, and each byte that the host writes. */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "memory/memory.h"

/* order/happens_before.c and order/publish.c: what each lane knows of the others. */

/* Accesses of the lanes in `lanes` of warp `warp` (numbered in the launch), at `time`. */
struct epoch {
    uint32_t warp, lanes, time;
};

void sim_order_start_launch(struct launch *launch);
void sim_order_start_block(struct block *block);
/* All lanes of a block met; all lanes of the grid; the lanes in `mask` of a warp. */
void sim_order_barrier(struct block *block);
void sim_order_grid_barrier(struct launch *launch);
void sim_order_collective(struct warp *warp, uint32_t mask);
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

/* racecheck.c */
/* Compares the accesses of the lanes in `mask`, which wait at `stop`, with those before, and
 * remembers them: in shared memory when `allocation` is NULL. */
void sim_race_step(struct warp *warp, uint32_t mask, struct stop stop,
                   const struct sim_allocation *allocation);

/* beside.c: launches of other streams, which nothing orders with the one that is about to run */
/* The time now; launches have times of their own. */
uint32_t sim_order_clock(void);
void sim_race_beside_none(void);
/* One of them ran from `first` to `last`. */
void sim_race_beside(uint32_t first, uint32_t last);
/* Where a launch that ran then touched one of these bytes, in whole words, or only stored to
 * it; 0 when it did not. */
uintptr_t sim_shadow_met(uintptr_t at, size_t bytes, uint32_t first, uint32_t last, bool stores);

/* initcheck.c */
/* Looks for bytes that nothing wrote, in shared memory when `allocation` is NULL;
 * remembers what is stored. */
void sim_init_step(const struct warp *warp, uint32_t mask, struct stop stop,
                   const struct sim_allocation *allocation);
/* cudaMemset and cudaMemcpy; a variable that a block meets for the first time. */
void sim_init_host_writes(const void *address, size_t bytes);
void sim_init_host_copies(const void *to, const void *from, size_t bytes);
/* The first of these bytes that nothing has written, counted from 0; `bytes`: there is none. */
size_t sim_init_unwritten(const void *address, size_t bytes);
void sim_init_fresh_shared(const struct block *block, size_t offset, size_t bytes);

/* cas_loops.c */
/* Whether loads wait to be judged; then, when their lanes have gone on to their next stops,
 * sim_cas_decide does it. */
extern bool sim_cas_undecided;
void sim_cas_decide(const struct warp *warp);
/* The launch is over: what still waits is a race. */
void sim_cas_end_launch(void);

/* explain.c: keeps what lanes do, while sim_explaining. */
extern bool sim_explaining;
void sim_explain_access(struct lane *lane, uintptr_t address, unsigned int bytes,
                        enum stop_reason reason, uintptr_t pc);

/* leakcheck.c */
/* From the first allocation on: what is not freed when the program ends is reported. */
void sim_leak_watch(void);

#endif
