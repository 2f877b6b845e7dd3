/* events.c - tells a program that uses sim_observe of each access of a warp. */
#include "engine/engine.h"

bool sim_telling_accesses;
static sim_observer *observer;
static void *observer_context;

void sim_observe(sim_observer *function, void *context)
{
    sim_telling_accesses = function != NULL;
    observer = function;
    observer_context = context;
}

/* All lanes of an instruction do the same. */
static enum sim_atomic atomic_of(const struct warp *warp, uint32_t mask, struct stop stop)
{
    static const uint8_t of_operation[] = {
        [SIM_ATOMIC_ADD] = SIM_ADD,     [SIM_ATOMIC_EXCH] = SIM_EXCHANGE,
        [SIM_ATOMIC_MIN] = SIM_EXTREME, [SIM_ATOMIC_MAX] = SIM_EXTREME,
        [SIM_ATOMIC_INC] = SIM_ADD,     [SIM_ATOMIC_DEC] = SIM_ADD,
        [SIM_ATOMIC_AND] = SIM_BITWISE, [SIM_ATOMIC_OR] = SIM_BITWISE,
        [SIM_ATOMIC_XOR] = SIM_BITWISE, [SIM_ATOMIC_CAS] = SIM_CAS,
    };
    if (stop.reason != STOP_ATOMIC)
        return SIM_NO_ATOMIC;
    return (enum sim_atomic)of_operation[warp->atomic[__builtin_ctz(mask)].operation];
}

/* Shared memory is told as offsets. */
struct sim_event sim_event_of(const struct warp_access *access)
{
    const struct warp *warp = access->warp;
    const struct launch *launch = warp->block->launch;
    const uint32_t mask = access->mask;
    struct sim_event event = {.space = access->space,
                              .active = mask,
                              .cost = access->cost.in_event,
                              .unused = access->cost.unused,
                              .used = access->cost.used,
                              .least = access->cost.least,
                              .loads = access->cost.loads,
                              .least_loads = access->cost.least_loads};
    event.access = (enum sim_access)access->stop.reason;
    event.atomic = atomic_of(warp, mask, access->stop);
    event.bytes = access->stop.bytes;
    event.block = warp->block->linear;
    event.warp = warp->number;
    event.kernel = launch->request->name;
    event.device = launch->device;
    event.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    const uintptr_t base = access->space == SIM_SHARED ? (uintptr_t)warp->block->shared : 0;
    for (int i = 0; i < WARP; i++)
        event.address[i] = mask >> i & 1 ? warp->address[i] - base : 0;
    const struct shared_variable *variable =
        access->space == SIM_SHARED ? sim_find_shared(launch, event.address[__builtin_ctz(mask)])
                                    : NULL;
    event.shared = variable ? variable->name : NULL;
    return event;
}

static void tell(struct warp_access *access)
{
    const struct sim_event event = sim_event_of(access);
    observer(&event, observer_context);
}

const struct observer sim_event_teller = {.warp_requests = tell};
