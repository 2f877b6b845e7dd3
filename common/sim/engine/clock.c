/* clock.c - the schedule for counting: every warp has a clock, and the one whose clock is least
 * goes next.
 *
 * How often a compare-and-swap loop or a lock tries depends on when the others come. So all blocks
 * are resident that the card would hold, an access takes as long as it takes there, and what is
 * served one after the other has a queue: the shared memory of a multiprocessor, and a slice of the
 * L2 cache. The figures are those of docs/results/h200/latencies.csv and micro.csv; what is not from
 * there is said. Times are in hundredths of a cycle of 1,980 MHz.
 *
 * Multiprocessors meet in global memory alone. So each has a heap of its warps, and goes on alone
 * until its next warp is at an access to global memory that comes later than what another one has to
 * do: its warps stay in the machine's cache meanwhile. */
#include <stdlib.h>

#include "engine/clock.h"

/* -- the queues of warps -- */

static bool before(struct queued_warp a, struct queued_warp b)
{
    return a.at != b.at ? a.at < b.at : a.warp->id < b.warp->id;
}

static void push(struct multiprocessor *home, struct warp *warp)
{
    struct queued_warp *grown = sim_grow(home->heap, &home->room, home->count + 1, sizeof *grown);
    if (!grown) {
        sim_stop_launch(warp->block->launch, cudaErrorMemoryAllocation);
        return;
    }
    home->heap = grown;
    const struct queued_warp added = {sim_clock_of(warp)->at, warp};
    size_t i = home->count++;
    for (; i > 0 && before(added, grown[(i - 1) / 2]); i = (i - 1) / 2)
        grown[i] = grown[(i - 1) / 2];
    grown[i] = added;
    warp->block->launch->clock->queued[warp->block->slot] |= 1u << warp->number;
}

static struct warp *pop(struct multiprocessor *home)
{
    struct queued_warp *heap = home->heap, first = heap[0], last = heap[--home->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < home->count; i = child) {
        if (child + 1 < home->count && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], last))
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    first.warp->block->launch->clock->queued[first.warp->block->slot] &=
        ~(1u << first.warp->number);
    return first.warp;
}

static uint64_t key_of(const struct clock *clock, unsigned int place)
{
    if (place >= clock->count)
        return UINT64_MAX;
    const struct multiprocessor *one = &clock->multiprocessors[clock->heap[place]];
    return one->count ? one->heap[0].at : UINT64_MAX;
}

static void sift_down(struct clock *clock, unsigned int place)
{
    for (unsigned int child; (child = 2 * place + 1) < clock->count; place = child) {
        child += key_of(clock, child + 1) < key_of(clock, child);
        if (key_of(clock, place) <= key_of(clock, child))
            return;
        const unsigned int number = clock->heap[place];
        clock->heap[place] = clock->heap[child];
        clock->heap[child] = number;
    }
}

/* The warps of the block that can go on and did not before, not earlier than `at`. */
static void collect(struct block *block, uint64_t at)
{
    uint32_t woken = block->runnable & ~block->launch->clock->queued[block->slot];
    for (; woken; woken &= woken - 1) {
        struct warp *warp = &block->warps[__builtin_ctz(woken)];
        sim_clock_of(warp)->at = later(sim_clock_of(warp)->at, at);
        push(home_of(warp), warp);
    }
}

void sim_clock_collect(struct launch *launch)
{
    struct clock *clock = launch->clock;
    for (size_t b = 0; b < launch->resident_count; b++)
        if (launch->resident[b]->live)
            collect(launch->resident[b], clock->now);
    for (unsigned int place = clock->count / 2 + 1; place--;)
        sift_down(clock, place);
}

bool sim_clock_start(struct launch *launch)
{
    struct clock *clock = calloc(1, sizeof *clock);
    if (!clock)
        return false;
    launch->clock = clock;
    clock->count = sim_options()->multiprocessors;
    clock->multiprocessors = calloc(clock->count, sizeof *clock->multiprocessors);
    clock->heap = calloc(clock->count, sizeof *clock->heap);
    for (unsigned int i = 0; clock->heap && i < clock->count; i++)
        clock->heap[i] = i;
    clock->warps = calloc(launch->resident_limit * launch->warps, sizeof *clock->warps);
    clock->queued = calloc(launch->resident_limit, sizeof *clock->queued);
    return clock->multiprocessors && clock->heap && clock->warps && clock->queued;
}

/* When the last warp has made its last step, and the L2 cache the last atomic, for which nobody may wait. */
static uint64_t end_of(const struct clock *clock)
{
    uint64_t end = clock->end;
    for (unsigned int i = 0; i < SLICES; i++)
        end = clock->slices[i].free ? later(end, clock->slices[i].free + L2_ATOMIC) : end;
    return end;
}

void sim_clock_end(struct launch *launch)
{
    struct clock *clock = launch->clock;
    if (!clock)
        return;
    launch->counters.picoseconds = end_of(clock) * PICOSECONDS / CYCLE;
    for (unsigned int i = 0; clock->multiprocessors && i < clock->count; i++)
        free(clock->multiprocessors[i].heap);
    free(clock->multiprocessors);
    free(clock->heap);
    free(clock->warps);
    free(clock->queued);
    free(clock);
    launch->clock = NULL;
}

/* -- whose turn it is -- */

/* Whether a lane that may be next is at an access to global memory. */
static bool wants_global(const struct warp *warp, bool *loads)
{
    bool wants = false;
    *loads = true;
    for (uint32_t rest = warp->runnable; rest; rest &= rest - 1) {
        const unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (!is_access(warp->stop[i]) ||
            warp->address[i] - (uintptr_t)warp->block->shared < SHARED_SLOT)
            continue;
        wants = true;
        *loads = *loads && warp->stop[i].reason == STOP_LOAD;
    }
    return wants;
}

/* One step, and when the warp is ready for the next. */
static void step(struct multiprocessor *home, struct warp *warp)
{
    struct launch *launch = warp->block->launch;
    uint64_t *issue = &home->issue[warp->number % 4];
    launch->clock->now = sim_clock_of(warp)->at;
    sim_clock_of(warp)->done = sim_clock_of(warp)->at;
    if (!sim_warp_spin(warp)) {
        sim_need_stacks(warp);
        if (!is_access(warp->stop[__builtin_ctz(warp->runnable)]))
            sim_clock_of(warp)->done += INTRINSIC;
        sim_warp_step(warp);
    }
    *issue = later(*issue, sim_clock_of(warp)->at) + INSTRUCTIONS;
    sim_clock_of(warp)->at = later(sim_clock_of(warp)->done, *issue) + COMPUTING;
    if (sim_clock_of(warp)->fence >
        FENCE_OF_BLOCK) /* waits for what its multiprocessor has asked for */
        sim_clock_of(warp)->at = later(sim_clock_of(warp)->at, home->back);
    sim_clock_of(warp)->at += sim_clock_of(warp)->fence;
    sim_clock_of(warp)->fence = 0;
    launch->clock->end = later(launch->clock->end, sim_clock_of(warp)->at);
}

void sim_clock_turn(struct launch *launch, void (*block_rests)(struct block *))
{
    struct clock *clock = launch->clock;
    struct multiprocessor *home = &clock->multiprocessors[clock->heap[0]];
    const uint64_t left = key_of(clock, 1), right = key_of(clock, 2);
    const uint64_t others = left < right ? left : right;
    for (int steps = 0; steps < STEPS && home->count && !launch->error; steps++) {
        bool loads;
        const uint64_t at = home->heap[0].at;
        if (at > others && wants_global(home->heap[0].warp, &loads) &&
            (!loads || at - others > AHEAD))
            break;
        struct warp *warp = pop(home);
        struct block *block = warp->block;
        step(home, warp);
        if (launch->error)
            return;
        if (!warp->runnable)
            block->runnable &= ~(1u << warp->number);
        sim_open_block_barrier(block);
        if (!block->runnable)
            block_rests(block);
        collect(block, sim_clock_of(warp)->at);
    }
    sift_down(clock, 0);
}
