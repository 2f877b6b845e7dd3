/* split_barrier.c - cuda::barrier: a thread arrives, goes on, and waits later.
 *
 * The barrier is 8 bytes of the program's memory. Each call is an access to them, which the
 * checks see as an atomic and the counters do not: the hardware has a unit of its own for it.
 * To arrive publishes what the thread knows, to have waited acquires what all who arrived in
 * that phase knew. So whoever reads without having waited, races. */
#include <stdio.h>
#include <string.h>

#include "engine/engine.h"

enum { PENDING = (1 << 20) - 1 };
/* A phase ends when `pending` arrivals have come; the next one expects `expected`. */
struct state {
    uint64_t pending : 20, expected : 20, phase : 24;
};
_Static_assert(sizeof(struct state) == 8, "a barrier has 8 bytes");

static struct state state_of(const void *barrier)
{
    struct state state;
    memcpy(&state, barrier, sizeof state);
    return state;
}

/* The running lane stops here as at an atomic. */
static void stop_at(struct lane *lane, void *barrier, unsigned int scope, struct place place)
{
    struct stop stop = {STOP_ATOMIC, {sizeof(struct state)}, (uint16_t)(scope | ACCESS_UNCOUNTED)};
    sim_lane_arrive(lane, stop, (uintptr_t)barrier, place);
    sim_lane_wait(lane);
}

/* Each phase has a flag of its own, for whoever arrives early in the next one tells nothing to
 * those that still wait for this one. */
static uintptr_t flag_of(const void *barrier, uint64_t phase)
{
    return (uintptr_t)barrier + phase % sizeof(struct state);
}

static void publish(struct lane *lane, const void *barrier, struct state state, unsigned int scope)
{
    bool in_block = scope & SIM_SCOPE_BLOCK;
    if (!sim_checks(CHECK_RACE))
        return;
    sim_order_fence(lane, in_block ? SIM_FENCE_BLOCK : SIM_FENCE_DEVICE);
    sim_order_release(lane, flag_of(barrier, state.phase), in_block,
                      state.pending != state.expected);
}

static void wake_block(struct block *block, uintptr_t barrier)
{
    for (unsigned int w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        uint32_t woken = 0;
        for (uint32_t rest = warp->live; rest; rest &= rest - 1) {
            int i = __builtin_ctz(rest);
            if (warp->stop[i].reason != STOP_PHASE || warp->address[i] != barrier)
                continue;
            warp->stop[i] = (struct stop){.reason = STOP_RESUME};
            woken |= 1u << i;
        }
        if (woken)
            sim_make_runnable(warp, woken);
    }
}

static void wake(const struct launch *launch, uintptr_t barrier)
{
    for (size_t b = 0; b < launch->resident_count; b++)
        if (launch->resident[b]->live)
            wake_block(launch->resident[b], barrier);
}

static void report_surplus(struct lane *lane, struct state state, unsigned int count, uintptr_t pc)
{
    char detail[160];
    snprintf(detail, sizeof detail,
             "%u arrive, and of the %u that the barrier expects in a phase only %u are missing",
             count, (unsigned int)state.expected, (unsigned int)state.pending);
    sim_report(CHECK_SYNC, lane, pc, "Barrier error: more arrivals than the barrier expects",
               detail, "give init() the number of threads that arrive in each phase");
    sim_stop_launch(sim_running, cudaErrorLaunchFailure);
}

/* Returns the phase in which the lane arrived. */
uint64_t sim_barrier_arrive(void *barrier, unsigned int count, int drops, unsigned int scope)
{
    struct place here = HERE;
    struct lane *lane = sim_lane;
    if (lane)
        stop_at(lane, barrier, scope, here);
    struct state state = state_of(barrier);
    uint64_t phase = state.phase;
    if (lane && count > state.pending)
        report_surplus(lane, state, count, here.pc);
    if (lane)
        publish(lane, barrier, state, scope);
    state.pending = (state.pending - count) & PENDING;
    state.expected = (state.expected - (drops ? count : 0)) & PENDING;
    if (state.pending == 0) {
        state.pending = state.expected;
        state.phase++;
    }
    memcpy(barrier, &state, sizeof state);
    if (lane) {
        sim_waits_of(lane->warp)->spin[lane->number] = 0;
        sim_launch_waits.idle = 0;
    }
    if (lane && state.phase != phase)
        wake(lane->warp->block->launch, (uintptr_t)barrier);
    return phase;
}

static bool is_over(const void *barrier, uint64_t phase, unsigned int how)
{
    uint64_t differs = state_of(barrier).phase ^ phase;
    return how & SIM_WAIT_PARITY ? differs & 1 : differs != 0;
}

int sim_barrier_wait(void *barrier, uint64_t phase, unsigned int how, unsigned int scope)
{
    struct place here = HERE;
    struct lane *lane = sim_lane;
    if (!lane)
        return is_over(barrier, phase, how);
    stop_at(lane, barrier, scope, here);
    while (!is_over(barrier, phase, how)) {
        if (how & SIM_WAIT_ASKS) {
            sim_waits_of(lane->warp)->spin[lane->number]++;
            return 0;
        }
        sim_lane_arrive(lane, (struct stop){.reason = STOP_PHASE}, (uintptr_t)barrier, here);
        sim_lane_blocks(lane);
        sim_lane_wait(lane);
    }
    if (how & SIM_WAIT_PARITY)
        phase = (uint64_t)state_of(barrier).phase - 1;
    if (sim_checks(CHECK_RACE))
        sim_order_acquire(lane, flag_of(barrier, phase), scope & SIM_SCOPE_BLOCK);
    return 1;
}
