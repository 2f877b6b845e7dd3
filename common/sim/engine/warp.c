/* warp.c - one step of a warp: which lanes go on together, and until where. */
#include "engine/clock.h"

enum {
    QUIET_STEPS = 64,      /* steps without a change to memory before we look for spinning */
    STREAK_LIMIT = 1 << 16 /* steps after which waiting lanes get a turn in any case */
};

/* Lets the lanes in `mask` run, one after another, each to its next stop. Who is
 * first is drawn; but stores go in the order in which the checks saw them, and by the clock
 * atomics in the order of the lanes, as on the card (docs/results/h200/yields.csv). */
static void run_lanes(struct warp *warp, uint32_t mask, enum stop_reason reason)
{
    const struct launch *launch = warp->block->launch;
    uint32_t first = mask & (UINT32_MAX << (sim_random(warp->block->launch) & 31));
    if (!first || reason == STOP_STORE || (launch->clock && reason == STOP_ATOMIC))
        first = mask;
    if (__builtin_expect(sim_telling_steps, false)) {
        sim_run_and_tell(warp, first, mask & ~first, reason);
        return;
    }
    if (reason == STOP_ATOMIC && warp->deferred) {
        sim_carry_out_all(warp, first);
        sim_carry_out_all(warp, mask & ~first);
    }
    sim_run_lanes(warp, first, mask & ~first);
}

/* One of the candidates, drawn, and those that wait at the same place, whatever their rounds. */
static uint32_t any_together(const struct warp *warp, uint32_t candidates)
{
    uint32_t drawn = sim_random(warp->block->launch), chosen = 0, rest = candidates;
    for (drawn %= (uint32_t)__builtin_popcount(candidates); drawn; drawn--)
        rest &= rest - 1;
    unsigned int one = (unsigned int)__builtin_ctz(rest);
    for (rest = candidates; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (warp->key[i] == warp->key[one])
            chosen |= 1u << i;
    }
    return chosen;
}

/* Chooses the lanes that go on together: those that are behind. The others wait
 * for them, which is how a diverged warp meets again.
 * Lanes that spin step back, or a lock that a waiting lane holds is never freed. */
static uint32_t choose_lanes(struct warp *warp)
{
    struct waits *waits = sim_waits_of(warp);
    if (sim_all_together(warp)) {
        waits->streak = 0;
        return warp->runnable;
    }
    sim_leave_loops(warp, warp->runnable);
    uint32_t calm = 0;
    for (uint32_t rest = warp->runnable; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (waits->spin[i] <= SPIN_PATIENCE)
            calm |= 1u << i;
    }
    if (++waits->streak > STREAK_LIMIT) {
        waits->streak = 0;
        return sim_lanes_at_edge(warp, warp->runnable, false);
    }
    const uint32_t trying = warp->block->launch->clock ? sim_lanes_that_try(warp, calm) : 0;
    if (trying)
        return trying;
    if (calm == 0) { /* everybody spins: take turns, first those whose wait may be over */
        uint32_t hopeful = warp->runnable & ~sim_stuck_lanes(warp);
        return any_together(warp, hopeful && waits->streak % 16 ? hopeful : warp->runnable);
    }
    return sim_lanes_at_edge(warp, calm, true);
}

/* Loads that come back to the same few addresses, while memory stays as it is,
 * are the sign of a lane that waits for another. */
static void notice_spinning(struct warp *warp, uint32_t mask)
{
    struct waits *waits = sim_waits_of(warp);
    for (; mask; mask &= mask - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(mask);
        uintptr_t address = warp->address[i];
        if (address == waits->recent[0][i] || address == waits->recent[1][i]) {
            sim_note_spin(warp, i);
        } else {
            waits->spin[i] = 0;
            waits->recent[1][i] = waits->recent[0][i];
            waits->recent[0][i] = address;
            sim_launch_waits.idle = 0;
        }
    }
}

/* A store, or an atomic that changes something, is progress for all; a load is progress as
 * long as it does not come back to the same places. */
static void note_progress(struct warp *warp, uint32_t mask, enum stop_reason reason)
{
    struct waits *waits = sim_waits_of(warp);
    sim_launch_waits.idle++;
    if (reason == STOP_STORE) {
        waits->quiet = 0;
        sim_launch_waits.idle = 0;
        waits->spins = false;
        for (; mask; mask &= mask - 1)
            waits->spin[__builtin_ctz(mask)] = 0;
    } else if (reason == STOP_LOAD && ++waits->quiet > QUIET_STEPS) {
        notice_spinning(warp, mask);
    }
}

/* Choose, access, run: first the access of the lanes that are behind is checked and counted,
 * as one request; then these lanes carry it out and run to their next stops. */
bool sim_warp_step(struct warp *warp)
{
    struct launch *launch = warp->block->launch;
    if (!warp->runnable)
        return false;
    uint32_t mask = choose_lanes(warp);
    struct stop stop = warp->stop[__builtin_ctz(mask)];
    const bool swaps = launch->clock && stop.reason == STOP_ATOMIC && stop.flags & ACCESS_COMPARES;
    const struct spot spot =
        swaps ? sim_spot_of(warp, (unsigned int)__builtin_ctz(mask)) : (struct spot){0};
    launch->steps++;
    launch->accesses += (unsigned int)__builtin_popcount(mask);
    if (is_access(stop)) {
        note_progress(warp, mask, (enum stop_reason)stop.reason);
        if (__builtin_expect(sim_suspects, false))
            sim_watch_suspect(warp, mask);
        sim_access_step(warp, mask, stop);
        if (launch->error)
            return false;
        if (sim_launch_waits.spins && stop.reason == STOP_LOAD)
            sim_note_seen(warp, mask);
    }
    run_lanes(warp, mask, (enum stop_reason)stop.reason);
    if (sim_cas_undecided)
        sim_cas_decide(warp);
    if (launch->clock)
        sim_note_tries(warp, mask, swaps, spot);
    if (warp->intrinsic)
        sim_complete_intrinsics(warp);
    return warp->runnable != 0 && !launch->error;
}

bool sim_warp_spin(struct warp *warp)
{
    enum { REALLY_EVERY = 16 };
    if (!sim_warp_is_stuck(warp) || !sim_all_together(warp) ||
        ++sim_clock_of(warp)->spun % REALLY_EVERY == 0)
        return false;
    struct launch *launch = warp->block->launch;
    launch->steps++;
    sim_launch_waits.idle++;
    sim_access_step(warp, warp->runnable, warp->stop[__builtin_ctz(warp->runnable)]);
    if (sim_telling_steps)
        sim_tell_unchanged(warp, warp->runnable);
    return true;
}
