/* checks.h - what the checks offer to those who run a kernel: they are told of each access,
 * each fence, each meeting of lanes, and each byte that the host writes. */
#ifndef SIM_CHECKS_H
#define SIM_CHECKS_H

#include "checks/order/order.h"
#include "checks/taken.h"
#include "memory/memory.h"

extern const struct observer sim_racecheck, sim_initcheck;

/* beside.c: launches of other streams, which nothing orders with the one that is about to run */
void sim_race_beside_none(void);
/* One of them ran from `first` to `last`. */
void sim_race_beside(uint32_t first, uint32_t last);
/* Where a launch that ran then touched one of these bytes, in whole words, or only stored to
 * it; 0 when it did not. */
uintptr_t sim_shadow_met(uintptr_t at, size_t bytes, uint32_t first, uint32_t last, bool stores);

/* initcheck.c */
/* cudaMemset and cudaMemcpy; a variable that a block meets for the first time. */
void sim_init_host_writes(const void *address, size_t bytes);
void sim_init_host_copies(const void *to, const void *from, size_t bytes);
/* The first of these bytes that nothing has written, counted from 0; `bytes`: there is none. */
size_t sim_init_unwritten(const void *address, size_t bytes);
/* Whether any of these bytes was written, or is none of device memory. */
bool sim_init_any(const void *address, size_t bytes);
void sim_init_fresh_shared(const struct block *block, size_t offset, size_t bytes);

/* These bytes of a block's shared memory count as written from now on, or as not written. */
void sim_init_mark_shared(const struct block *block, size_t offset, size_t bytes, bool written);

/* begun_copies.c: asynchronous copies of a lane into shared memory, in groups that it commits. */
void sim_copies_start_block(struct block *block);
void sim_copy_begun(struct lane *lane, uintptr_t to, size_t bytes);
void sim_copies_committed(struct lane *lane);
/* The lane has waited for all groups but the last `prior`. */
void sim_copies_waited(struct lane *lane, size_t prior);
/* Whether a lane of the block has begun to copy this byte, and has not waited. */
bool sim_copy_is_begun(const struct block *block, size_t offset);

/* guesses.c */
/* Whether loads wait to be judged; then, when their lanes have gone on to their next stops,
 * sim_cas_decide does it. */
extern bool sim_cas_undecided;
void sim_cas_decide(const struct warp *warp);

/* explain.c: keeps what lanes do, while sim_explaining. */
extern bool sim_explaining;
void sim_explain_access(struct lane *lane, uintptr_t address, unsigned int bytes,
                        enum stop_reason reason, uintptr_t pc);

/* leakcheck.c */
/* From the first allocation on: what is not freed when the program ends is reported. */
void sim_leak_watch(void);

#endif
