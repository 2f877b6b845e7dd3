/* waiting.h - lanes that wait for others: who spins, who holds which lock, and what a reader is
 * told of a launch that does not end. */
#ifndef SIM_WAITING_H
#define SIM_WAITING_H

#include "checks/checks.h"

/* spinning.c */
enum { SPIN_PATIENCE = 16 }; /* unproductive accesses before a lane lets others go first */
/* The lane made one more in a row. */
void sim_note_spin(struct warp *warp, unsigned int lane);
/* The lanes, which come back to the same words, are about to load. */
void sim_note_seen(struct warp *warp, uint32_t lanes);
/* Whether a lane would do again what it did in vain, in the same memory: its atomicCAS would fail,
 * its atomicExch or its load find what it has found before. */
bool sim_lane_is_stuck(const struct warp *warp, unsigned int lane);
uint32_t sim_stuck_lanes(const struct warp *warp);
/* Whether all of its lanes that can go on are. */
bool sim_warp_is_stuck(const struct warp *warp);
/* The next ready warp that is not, from *warp of block *at in launch->ready on; false: none. */
bool sim_find_free_warp(const struct launch *launch, size_t *at, unsigned int *warp);

/* taken.c, retaken.c */
/* The lane's atomicCAS or atomicExch has put `new` in the place of `old`. */
void sim_note_taken(struct warp *warp, unsigned int lane, uint64_t old, uint64_t new);
void sim_note_retaken(struct lane *lane, const struct taken *taken);
/* These lanes are about to make an access, and one may be under suspicion: launch->suspect. */
void sim_watch_suspect(struct warp *warp, uint32_t lanes);
void sim_drop_suspect(struct launch *launch);
/* A lock that a lane takes for ever; NULL when nothing is sure. */
const struct taken *sim_retaken(const struct launch *launch, const struct lane **lane);
/* The block has ended: what its threads have left in global memory is kept until the launch has. */
void sim_keep_taken(struct launch *launch, const struct block *block);
void sim_end_taken(struct launch *launch);
/* Who holds a lock. */
struct holder {
    const struct lane *lane; /* NULL when its block has ended */
    struct sim_index thread, block;
    struct taken taken;
};
/* Whether a thread has changed the word, and what it left is there. */
bool sim_find_holder(const struct launch *launch, uintptr_t address, struct holder *holder);

/* hang.c, deadlock.c, divergent_warp.c: a launch that does not end is stopped, and its reader told why. */
/* Nobody can go on. */
void sim_stop_standstill(struct launch *launch);
/* The budget is spent, nothing has changed for a long time, or one lock is taken for ever; else
 * nothing happens. */
void sim_stop_endless(struct launch *launch);
/* Whether blocks have not started because those that run hold all the room on the device. */
bool sim_lacks_room(const struct launch *launch);
/* Reports threads that wait for a lock, or for a word as if it were one, and who holds it. False:
 * there are none. */
bool sim_report_lock(const struct launch *launch);
/* The same of a lock that a thread takes for ever. */
bool sim_report_retaken(const struct launch *launch);
/* Reports a lane that waits at a warp intrinsic for one that waits elsewhere; false
 * when there is none. */
bool sim_report_divergent_warp(const struct launch *launch);

#endif
