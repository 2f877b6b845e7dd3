/* waiting.h - lanes that wait for others: who spins, who holds which lock, and what a reader is
 * told of a launch that does not end.
 *
 * No lane says that it waits: it loads, or tries an atomic, again and again. So progress is
 * counted, on three levels, and what is counted decides who goes next and when to stop.
 *
 * Of a lane, in struct waits of its warp:
 *   recent    the addresses of its last two loads that were new. A load that comes back to one of
 *             them, while memory has stayed as it is, is unproductive.
 *   seen      what was at these addresses then. A lane that would find it again is stuck.
 *   spin      its unproductive accesses in a row. Above SPIN_PATIENCE the lane spins: it steps back
 *             for the lanes of its warp that do not.
 *   clock     where and how often it has looked at the clock: the more often, the faster that goes.
 * Of a lane, in struct tried of its warp (checks/taken.h), since reports ask for it, too:
 *   failed    the address of its last atomic that changed nothing, and in `found` what it found.
 *   in_vain   the lanes of the warp whose last atomic has changed nothing.
 * Of a warp, in struct waits:
 *   quiet     its loads since one of its lanes has changed memory. Only when there are 64 of them
 *             are addresses compared at all: most kernels never pay for that.
 *   spins     a lane of it spins. A warp all of whose lanes are stuck is passed over, 15 times of 16.
 *   streak    its steps in which some lanes were left behind. After 65,536 these get a turn.
 * and in struct warp_clock (engine/clock.h), by the clock:
 *   spun      steps that were counted and not made, since all lanes are stuck.
 * Of the launch, in struct launch_waits:
 *   idle      steps of warps since anything happened: a store, an atomic that changed something, a
 *             load from a new address, a barrier that opened, a thread that began or ended. After
 *             4,096 one more block becomes resident, since others may wait for it; after 2^19 the
 *             launch is stopped.
 *   widened_at  what `idle` was when a block was last added for that.
 *   spins     some warp has spun, sometime: before, nobody has to look for who is stuck.
 *   stuck     no ready warp was free when all were looked at, and nothing has changed since.
 * and in struct launch:
 *   steps     of warps, all of them. The watchdog of faults.c sees by them whether a lane computes
 *             for ever without any access.
 *   accesses  of lanes, which the budget bounds.
 * In retaken.c:
 *   takes     how often words were taken by compare-and-swap or exchange, since a thread has returned
 *             (`takes_live` are the threads that lived then): who takes and frees one lock for ever
 *             stores all the time, and is no idler. */
#ifndef SIM_WAITING_H
#define SIM_WAITING_H

#include "checks/checks.h"

/* Of a warp. */
struct waits {
    unsigned int spin[WARP];
    uintptr_t recent[2][WARP];
    uint64_t seen[2][WARP];
    bool spins;
    unsigned int quiet, streak;
    struct {
        uintptr_t place;           /* where the lane has last read the clock */
        unsigned int reads, quiet; /* there in a row; `quiet` of its warp then */
    } clock[WARP];
};
extern struct waits sim_waits[MOST_WARPS];
static inline struct waits *sim_waits_of(const struct warp *warp)
{
    return &sim_waits[warp->at];
}
/* Of the launch that runs. */
struct launch_waits {
    uint64_t idle, widened_at;
    bool spins, stuck;
    uint64_t clock_ahead; /* of the steps, for those who wait on the clock */
};
extern struct launch_waits sim_launch_waits;
/* All of it is as at first: for a launch that begins, for a warp that does. */
void sim_waits_start(void);
void sim_waits_start_warp(const struct warp *warp);

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

/* The lanes look at the clock, at `pc`: whether this one has done so there before, and nobody has done anything
 * since; the clock then goes ahead, the further the longer the lane looks. */
bool sim_note_clock(const struct lane *lane, uintptr_t pc);

/* retaken.c */
/* The lane has taken a word once more. */
void sim_note_retaken(struct lane *lane, const struct taken *taken);
/* These lanes are about to make an access, and one of the launch may be under suspicion: sim_suspects. */
extern bool sim_suspects;
void sim_watch_suspect(struct warp *warp, uint32_t lanes);
void sim_drop_suspect(void);
/* A lock that a lane takes for ever; NULL when nothing is sure. */
const struct taken *sim_retaken(const struct lane **lane);

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
bool sim_report_retaken(void);
/* Reports a lane that waits at a warp intrinsic for one that waits elsewhere; false
 * when there is none. */
bool sim_report_divergent_warp(const struct launch *launch);

#endif
