/* charge.c - what an access takes by the clock, and who has to wait for it (clock.c). */
#include "engine/clock.h"

static void charge_shared(struct warp *warp, struct stop stop, struct cost cost)
{
    struct multiprocessor *home = home_of(warp);
    const bool atomic = stop.reason == STOP_ATOMIC;
    const uint64_t begin = later(sim_clock_of(warp)->at, home->shared);
    const uint64_t passes = (uint64_t)(atomic ? SHARED_ATOMIC_PASS : SHARED_PASS) *
                            (atomic ? cost.used : cost.in_event);
    home->shared =
        begin + (uint64_t)SHARED_PASS * ((atomic ? cost.used : cost.in_event) + cost.loads);
    uint64_t takes = SHARED_LOAD;
    if (stop.flags & ACCESS_LOOPS && atomic)
        takes = (uint64_t)SHARED_LOOP * cost.loads;
    else if (stop.flags & ACCESS_COMPARES)
        takes = stop.bytes == 8 ? SHARED_WIDE_CAS : SHARED_CAS;
    else if (atomic)
        takes = SHARED_ATOMIC;
    const bool waits = stop.reason == STOP_LOAD || cost.waits;
    sim_clock_of(warp)->done =
        later(sim_clock_of(warp)->done, waits ? begin + passes + takes : begin);
}

/* Among the allocations, or among the variables: the same in each run, wherever the system has put the program. */
static uintptr_t place_of(uintptr_t address)
{
    return sim_is_variable(address) ? sim_place_of_variable(address) : address - sim_arena_base;
}

/* Sums of floats at one address wait for each other. */
static bool adds_floats(const struct lane_atomic *atomic)
{
    return atomic->operation == SIM_ATOMIC_ADD &&
           (atomic->type == SIM_F32 || atomic->type == SIM_F32X2 || atomic->type == SIM_F32X4);
}

/* How long a round keeps the slice busy that had served `last` before. */
static uint64_t round_of(const struct warp *warp, unsigned int lane, uintptr_t last, bool waits)
{
    if (adds_floats(&warp->atomic[lane]) && warp->address[lane] == last)
        return L2_FLOAT_ROUND;
    return waits ? L2_CAS_ROUND : L2_ROUND;
}

/* The lanes' rounds go to the slices that they want, and each takes its turn there. */
static void charge_atomic(struct warp *warp, uint32_t mask, struct cost cost)
{
    struct launch *launch = warp->block->launch;
    struct clock *clock = launch->clock;
    const uint64_t lanes = (uint64_t)__builtin_popcount(mask);
    const unsigned int side = warp->block->slot % clock->count & 1;
    struct multiprocessor *home = home_of(warp);
    uint64_t done = sim_clock_of(warp)->at;
    for (; mask; mask &= mask - 1) {
        const unsigned int lane = (unsigned int)__builtin_ctz(mask);
        const uintptr_t part = place_of(warp->address[lane]) >> SLICE_BITS;
        const unsigned int number = (unsigned int)sim_hash(part, 6);
        struct slice *slice = &clock->slices[number];
        const uint64_t begin = later(sim_clock_of(warp)->at, slice->free);
        const uint64_t round = round_of(warp, lane, slice->last_address, cost.waits);
        *slice = (struct slice){begin + (round * cost.in_event + lanes - 1) / lanes,
                                warp->address[lane]};
        const uint64_t wait = begin - sim_clock_of(warp)->at,
                       across = (number & 1) == side ? 0 : L2_ACROSS;
        done = later(done, slice->free + L2_ATOMIC + across +
                               (OUT_OF_ORDER * wait >> 8) * (sim_random(launch) >> 24));
    }
    home->back = later(home->back, done);
    if (cost.waits)
        sim_clock_of(warp)->done = later(sim_clock_of(warp)->done, done);
}

/* The warp makes this access, which costs so much. */
static void charge(struct warp_access *access)
{
    struct warp *warp = access->warp;
    const struct stop stop = access->stop;
    const struct cost cost = access->cost;
    if (access->space == SIM_SHARED)
        charge_shared(warp, stop, cost);
    else if (stop.reason == STOP_ATOMIC)
        charge_atomic(warp, access->mask, cost);
    else if (stop.reason == STOP_LOAD && cost.in_event)
        sim_clock_of(warp)->done =
            later(sim_clock_of(warp)->done, sim_clock_of(warp)->at + L2_LOAD);
    if (stop.reason == STOP_ATOMIC && stop.flags & ACCESS_COMPARES)
        sim_clock_of(warp)->done += TRY;
}

static void begin(struct block *block)
{
    struct clock *clock = block->launch->clock;
    clock->queued[block->slot] = 0;
    for (unsigned int w = 0; w < block->warp_count; w++)
        *sim_clock_of(&block->warps[w]) = (struct warp_clock){.at = clock->now};
}

/* docs/results/h200/latencies.csv */
static void fence(struct lane *lane, enum sim_fence scope)
{
    static const unsigned int takes[] = {[SIM_FENCE_BLOCK] = FENCE_OF_BLOCK,
                                         [SIM_FENCE_DEVICE] = FENCE_OF_DEVICE,
                                         [SIM_FENCE_SYSTEM] = FENCE_OF_SYSTEM};
    sim_clock_of(lane->warp)->fence = takes[scope];
}

const struct observer sim_clocking = {
    .block_begins = begin, .warp_requests = charge, .lane_fences = fence};
