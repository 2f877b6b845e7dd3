/* warp.c - one step of a warp: which lanes go on together, and until where. */
#include "checks.h"

_Thread_local struct lane *sim_lane;
static void *scheduler_stack;

enum {
    SPIN_PATIENCE = 16,    /* unproductive accesses before a lane lets others go first */
    QUIET_STEPS = 64,      /* steps without a change to memory before we look for spinning */
    STREAK_LIMIT = 1 << 16 /* steps after which waiting lanes get a turn in any case */
};

void sim_lane_wait(struct lane *lane)
{
    struct warp *warp = lane->warp;
    if (lane->step)
        sim_explain_stored(lane);
    if (lane->suspect)
        sim_race_after_store(lane);
    if (!warp->pending) {
        warp->pending = warp->pending_after;
        warp->pending_after = 0;
    }
    if (!warp->pending) {
        sim_lane = NULL;
        sim_fiber_switch(&lane->stack_pointer, scheduler_stack);
        return;
    }
    struct lane *next = &warp->lane[__builtin_ctz(warp->pending)];
    warp->pending &= warp->pending - 1;
    sim_lane = next;
    sim_fiber_switch(&lane->stack_pointer, next->stack_pointer);
}

void sim_lane_stands(struct lane *lane, uint32_t info, uintptr_t address, uintptr_t pc,
                     uintptr_t frame)
{
    struct warp *warp = lane->warp;
    unsigned int i = lane->number;
    uint64_t depth = (lane->stack_top - frame) >> 4;
    warp->key[i] = (0xffff - depth) << 48 | (pc & 0xffffffffffffu);
    warp->info[i] = info;
    warp->address[i] = address;
}

void sim_make_runnable(struct warp *warp, uint32_t lanes)
{
    warp->runnable |= lanes;
    if (lanes)
        sim_warp_ready(warp);
}

/* Lets the lanes in `mask` run, one after another, each to its next stop. Who is
 * first is drawn; but stores go in the order in which the checks saw them. */
static void run_lanes(struct warp *warp, uint32_t mask, enum stop stop)
{
    warp->runnable &= ~mask;
    uint32_t first = mask & (UINT32_MAX << (sim_random(warp->block->launch) & 31));
    if (!first || stop == STOP_STORE)
        first = mask;
    struct lane *lane = &warp->lane[__builtin_ctz(first)];
    warp->group = mask;
    warp->pending = first & (first - 1);
    warp->pending_after = mask & ~first;
    sim_lane = lane;
    sim_fiber_switch(&scheduler_stack, lane->stack_pointer);
}

static bool all_stand_together(const struct warp *warp)
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

/* The lanes that stand at the first place of those where `candidates` stand, in the
 * order of the program; or at the last. */
static uint32_t lanes_at_edge(const struct warp *warp, uint32_t candidates, bool first)
{
    unsigned int best = (unsigned int)__builtin_ctz(candidates);
    uint32_t chosen = 1u << best;
    for (uint32_t rest = candidates & (candidates - 1); rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        int order = 0;
        if (warp->key[i] != warp->key[best] || warp->rounds[i] != warp->rounds[best])
            order = sim_program_order(warp, i, best);
        if (order == 0) {
            chosen |= 1u << i;
        } else if ((order < 0) == first) {
            best = i;
            chosen = 1u << i;
        }
    }
    return chosen;
}

/* Chooses the lanes that go on together: those that are behind. The others wait
 * for them, which is how a diverged warp meets again.
 * Lanes that spin step back, or a lock that a waiting lane holds is never freed. */
static uint32_t choose_lanes(struct warp *warp)
{
    if (all_stand_together(warp)) {
        warp->streak = 0;
        return warp->runnable;
    }
    sim_leave_loops(warp, warp->runnable);
    uint32_t calm = 0;
    for (uint32_t rest = warp->runnable; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (warp->lane[i].spin <= SPIN_PATIENCE)
            calm |= 1u << i;
    }
    if (++warp->streak > STREAK_LIMIT) {
        warp->streak = 0;
        return lanes_at_edge(warp, warp->runnable, false);
    }
    if (calm == 0) { /* everybody spins: take turns */
        for (uint32_t rest = warp->runnable; rest; rest &= rest - 1)
            warp->lane[__builtin_ctz(rest)].spin = 0;
        return lanes_at_edge(warp, warp->runnable, warp->streak & 1);
    }
    return lanes_at_edge(warp, calm, true);
}

/* Loads that come back to the same few addresses, while memory stays as it is,
 * are the sign of a lane that waits for another. */
static void notice_spinning(struct warp *warp, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(mask);
        struct lane *lane = &warp->lane[i];
        uintptr_t address = warp->address[i];
        if (address == lane->recent[0] || address == lane->recent[1]) {
            lane->spin++;
        } else {
            lane->spin = 0;
            lane->recent[1] = lane->recent[0];
            lane->recent[0] = address;
            warp->block->launch->idle = 0;
        }
    }
}

static void note_progress(struct warp *warp, uint32_t mask, enum stop stop)
{
    struct launch *launch = warp->block->launch;
    launch->idle++;
    if (stop == STOP_STORE) {
        warp->quiet = 0;
        launch->idle = 0;
        for (; mask; mask &= mask - 1)
            warp->lane[__builtin_ctz(mask)].spin = 0;
    } else if (stop == STOP_LOAD && ++warp->quiet > QUIET_STEPS) {
        notice_spinning(warp, mask);
    }
}

bool sim_warp_step(struct warp *warp)
{
    struct launch *launch = warp->block->launch;
    if (!warp->runnable)
        return false;
    uint32_t mask = choose_lanes(warp);
    uint32_t info = warp->info[__builtin_ctz(mask)];
    launch->steps++;
    launch->accesses += (unsigned int)__builtin_popcount(mask);
    if (info_stop(info) <= STOP_ATOMIC) {
        note_progress(warp, mask, info_stop(info));
        sim_access_step(warp, mask, info);
        if (launch->error)
            return false;
    }
    run_lanes(warp, mask, info_stop(info));
    if (sim_swap_waits)
        sim_swap_decide(warp);
    if (warp->collective)
        sim_complete_collectives(warp);
    return warp->runnable != 0;
}

#define HERE (uintptr_t) __builtin_return_address(0), (uintptr_t)__builtin_frame_address(0)

void sim_yield(void)
{
    struct lane *lane = sim_lane_for("__nanosleep", (uintptr_t)__builtin_return_address(0));
    sim_lane_stands(lane, STOP_RESUME, 0, HERE);
    lane->warp->runnable |= 1u << lane->number;
    sim_lane_wait(lane);
}

/* Memory is sequentially consistent here: a fence has nothing to wait for. It
 * only says what the lane wants to be seen. */
void sim_fence(enum sim_fence scope)
{
    if (sim_lane && sim_checks(CHECK_RACE))
        sim_clock_fence(sim_lane, scope);
}

long long sim_clock(void)
{
    return (long long)sim_running->steps;
}

void sim_trap(void)
{
    sim_report(sim_lane, (uintptr_t)__builtin_return_address(0), "__trap() was called",
               "the kernel stops here by its own wish", "see the condition that led to it");
    sim_stop_launch(sim_running, 719);
    __builtin_unreachable();
}
