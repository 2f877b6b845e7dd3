/* lane.c - lanes that wait and lanes that run: how one hands over to the next. */
#include "machine/machine.h"

_Thread_local struct lane *sim_lane;
struct launch *sim_running;
static void *engine_stack; /* of the fiber that called sim_run_lanes */

void sim_lane_arrive(struct lane *lane, struct stop stop, uintptr_t address, struct place place)
{
    struct warp *warp = lane->warp;
    unsigned int i = lane->number;
    uint64_t depth = (lane->stack_top - place.frame) >> 4;
    warp->key[i] = (0xffff - depth) << 48 | (place.pc & 0xffffffffffffu);
    warp->stop[i] = stop;
    warp->address[i] = address;
}

/* From lane to lane directly, not by way of the engine: half as many switches. */
void sim_lane_wait(struct lane *lane)
{
    struct warp *warp = lane->warp;
    if (lane->after_store)
        lane->after_store(lane);
    if (!warp->pending) {
        warp->pending = warp->pending_after;
        warp->pending_after = 0;
    }
    if (!warp->pending) {
        sim_lane = NULL;
        sim_fiber_switch(&lane->stack_pointer, engine_stack);
        return;
    }
    struct lane *next = &warp->lane[__builtin_ctz(warp->pending)];
    warp->pending &= warp->pending - 1;
    sim_lane = next;
    sim_fiber_switch(&lane->stack_pointer, next->stack_pointer);
}

void sim_run_lanes(struct warp *warp, uint32_t first, uint32_t then)
{
    struct lane *lane = &warp->lane[__builtin_ctz(first)];
    warp->group = first | then;
    warp->runnable &= ~warp->group;
    warp->pending = first & (first - 1);
    warp->pending_after = then;
    sim_lane = lane;
    sim_fiber_switch(&engine_stack, lane->stack_pointer);
}

void sim_warp_ready(struct warp *warp)
{
    struct block *block = warp->block;
    block->runnable |= 1u << warp->number;
    if (!block->listed) {
        block->listed = true;
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
        sim_lane->warp->pending = sim_lane->warp->pending_after = 0;
        sim_lane_wait(sim_lane);
    }
}
