/* lane.c - lanes that wait and lanes that run: how one hands over to the next. */
#include "machine/machine.h"

_Thread_local struct lane *sim_lane;
struct launch *sim_running;
void *sim_engine_stack;

void sim_lane_watch(struct lane *lane)
{
    lane->warp->watched |= 1u << lane->number;
}

static void will_store(struct lane *lane)
{
    if (lane->warp->watched >> lane->number & 1)
        SIM_TELL(sim_running, before_store, lane);
}

void sim_lane_has_stored(struct lane *lane)
{
    const uint32_t bit = 1u << lane->number;
    if (!(lane->warp->watched & bit))
        return;
    lane->warp->watched &= ~bit;
    SIM_TELL(sim_running, after_store, lane);
}

void *sim_hand_over_slowly(struct lane *lane)
{
    struct warp *warp = lane->warp;
    if (warp->watched)
        sim_lane_has_stored(lane);
    if (!warp->pending) {
        warp->pending = warp->pending_after;
        warp->pending_after = 0;
    }
    if (!warp->pending) {
        sim_lane = NULL;
        return sim_engine_stack;
    }
    struct lane *next = &warp->lane[__builtin_ctz(warp->pending)];
    warp->pending &= warp->pending - 1;
    sim_lane = next;
    if (warp->watched)
        will_store(next);
    return next->stack_pointer;
}

void sim_lane_wait(struct lane *lane)
{
    sim_fiber_switch(&lane->stack_pointer, sim_hand_over(lane));
}

void sim_run_lanes(struct warp *warp, uint32_t first, uint32_t then)
{
    struct lane *lane = &warp->lane[__builtin_ctz(first)];
    warp->group = first | then;
    warp->pending = first & (first - 1);
    warp->pending_after = then;
    sim_lane = lane;
    if (warp->watched)
        will_store(lane);
    sim_fiber_switch(&sim_engine_stack, lane->stack_pointer);
}

void sim_warp_ready(struct warp *warp)
{
    struct block *block = warp->block;
    block->runnable |= 1u << warp->number;
    if (!block->listed) {
        block->listed = true;
        block->listed_at = block->launch->ready_count;
        block->launch->ready[block->launch->ready_count++] = block;
    }
}

void sim_make_runnable(struct warp *warp, uint32_t lanes)
{
    warp->runnable |= lanes;
    if (lanes)
        sim_warp_ready(warp);
}

/* A lane of a stopped launch waits for ever: its stack is simply used again. */
void sim_stop_launch(struct launch *launch, cudaError_t error)
{
    launch->error = error;
    if (sim_lane) {
        struct warp *warp = sim_lane->warp;
        warp->runnable &= ~(1u << sim_lane->number | warp->pending | warp->pending_after);
        warp->pending = warp->pending_after = 0;
        sim_lane_wait(sim_lane);
    }
}
