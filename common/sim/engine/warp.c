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

/* Nearly always true, so it has to be quick: one pass without a branch, which compilers turn
 * into vector instructions. */
static bool all_wait_together(const struct warp *warp)
{
    unsigned int first = (unsigned int)__builtin_ctz(warp->runnable);
    uint64_t key = warp->key[first], rounds = warp->rounds[first], differs = 0;
    if (warp->runnable == UINT32_MAX) {
        for (int i = 0; i < WARP; i++)
            differs |= (warp->key[i] ^ key) | (warp->rounds[i] ^ rounds);
    } else {
        for (uint32_t rest = warp->runnable; rest; rest &= rest - 1) {
            int i = __builtin_ctz(rest);
            differs |= (warp->key[i] ^ key) | (warp->rounds[i] ^ rounds);
        }
    }
    return differs == 0;
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
    if (all_wait_together(warp)) {
        warp->streak = 0;
        return warp->runnable;
    }
    sim_leave_loops(warp, warp->runnable);
    uint32_t calm = 0;
    for (uint32_t rest = warp->runnable; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (warp->spin[i] <= SPIN_PATIENCE)
            calm |= 1u << i;
    }
    if (++warp->streak > STREAK_LIMIT) {
        warp->streak = 0;
        return sim_lanes_at_edge(warp, warp->runnable, false);
    }
    const uint32_t trying = warp->block->launch->clock ? sim_lanes_that_try(warp, calm) : 0;
    if (trying)
        return trying;
    if (calm == 0) { /* everybody spins: take turns, first those whose wait may be over */
        uint32_t hopeful = warp->runnable & ~sim_stuck_lanes(warp);
        return any_together(warp, hopeful && warp->streak % 16 ? hopeful : warp->runnable);
    }
    return sim_lanes_at_edge(warp, calm, true);
}

/* Loads that come back to the same few addresses, while memory stays as it is,
 * are the sign of a lane that waits for another. */
static void notice_spinning(struct warp *warp, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(mask);
        uintptr_t address = warp->address[i];
        if (address == warp->recent[0][i] || address == warp->recent[1][i]) {
            sim_note_spin(warp, i);
        } else {
            warp->spin[i] = 0;
            warp->recent[1][i] = warp->recent[0][i];
            warp->recent[0][i] = address;
            warp->block->launch->idle = 0;
        }
    }
}

/* A store, or an atomic that changes something, is progress for all; a load is progress as
 * long as it does not come back to the same places. */
static void note_progress(struct warp *warp, uint32_t mask, enum stop_reason reason)
{
    struct launch *launch = warp->block->launch;
    launch->idle++;
    if (reason == STOP_STORE) {
        warp->quiet = 0;
        launch->idle = 0;
        warp->spins = false;
        for (; mask; mask &= mask - 1)
            warp->spin[__builtin_ctz(mask)] = 0;
    } else if (reason == STOP_LOAD && ++warp->quiet > QUIET_STEPS) {
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
        if (__builtin_expect(launch->suspect != NULL, false))
            sim_watch_suspect(warp, mask);
        sim_access_step(warp, mask, stop);
        if (launch->error)
            return false;
        if (launch->spins && stop.reason == STOP_LOAD)
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
    if (!sim_warp_is_stuck(warp) || !all_wait_together(warp) ||
        ++warp->clock->spun % REALLY_EVERY == 0)
        return false;
    struct launch *launch = warp->block->launch;
    launch->steps++;
    launch->idle++;
    sim_access_step(warp, warp->runnable, warp->stop[__builtin_ctz(warp->runnable)]);
    if (sim_telling_steps)
        sim_tell_unchanged(warp, warp->runnable);
    return true;
}
