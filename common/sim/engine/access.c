/* access.c - a warp's access, before it happens: whose memory is it, what does
 * it cost, and may it be touched at all. */
#include <stdio.h>

#include "engine/engine.h"

static sim_observer *observer;
static void *observer_context;

void sim_observe(sim_observer *function, void *context)
{
    observer = function;
    observer_context = context;
}

/* The allocations that instructions used last: most use one all the time. */
enum { REMEMBERED_BITS = 6, REMEMBERED = 1 << REMEMBERED_BITS };
static const struct sim_allocation *remembered[REMEMBERED];

void sim_access_start(void)
{
    for (int i = 0; i < REMEMBERED; i++)
        remembered[i] = NULL;
}

/* One access after the other, by all lanes: as most loads and stores are. No branch in the loop,
 * so that compilers make vector instructions of it. */
static bool is_run(const struct warp *warp, uint32_t mask, unsigned int bytes)
{
    uintptr_t expected = warp->address[0], differs = 0;
    if (mask != UINT32_MAX)
        return false;
    for (int i = 0; i < WARP; i++, expected += bytes)
        differs |= warp->address[i] ^ expected;
    return differs == 0;
}

static struct extent extent_of(const struct warp *warp, uint32_t mask, unsigned int bytes)
{
    uintptr_t first = warp->address[__builtin_ctz(mask)];
    if (is_run(warp, mask, bytes))
        return (struct extent){first, first + WARP * bytes, first, true};
    struct extent e = {first, first, first, false};
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        uintptr_t a = warp->address[__builtin_ctz(rest)];
        e.low = a < e.low ? a : e.low;
        e.high = a > e.high ? a : e.high;
        e.odd |= a;
    }
    e.high += bytes;
    return e;
}

/* Whether all of [low, high) lies in an allocation that is live. */
static bool holds(const struct sim_allocation *allocation, uintptr_t low, uintptr_t high)
{
    return low >= allocation->base && high <= allocation->base + allocation->bytes &&
           !allocation->freed_at;
}

/* The live allocation that holds [low, high) and may be touched, or NULL. */
static const struct sim_allocation *in_one_allocation(uintptr_t pc, uintptr_t low, uintptr_t high)
{
    const struct sim_allocation **memory = &remembered[sim_hash(pc, REMEMBERED_BITS)];
    if (*memory && holds(*memory, low, high))
        return *memory;
    const struct sim_allocation *found = sim_memory_find(low);
    if (!found || !holds(found, low, high) || !sim_may_touch(sim_running->device, found))
        return NULL;
    *memory = found;
    return found;
}

/* Whether [low, high) lies in one variable of the warp's own block. */
static bool in_one_shared_variable(const struct warp *warp, uintptr_t low, uintptr_t high)
{
    size_t offset = low - (uintptr_t)warp->block->shared;
    if (offset >= SHARED_SLOT)
        return false;
    const struct shared_variable *variable = sim_find_shared(warp->block->launch, offset);
    return variable && offset + (high - low) <= variable->offset + variable->size;
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

/* For sim_observe: who watches gets shared memory as offsets. */
static struct sim_event event_of(const struct warp *warp, uint32_t mask, struct stop stop,
                                 enum sim_space space, struct cost cost)
{
    struct sim_event event = {.space = space,
                              .active = mask,
                              .cost = cost.in_event,
                              .unused = cost.unused,
                              .used = cost.used,
                              .least = cost.least,
                              .loads = cost.loads,
                              .least_loads = cost.least_loads};
    event.access = (enum sim_access)stop.reason;
    event.atomic = atomic_of(warp, mask, stop);
    event.bytes = stop.bytes;
    event.block = warp->block->linear;
    event.warp = warp->number;
    event.kernel = warp->block->launch->request->name;
    event.device = warp->block->launch->device;
    event.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    uintptr_t base = space == SIM_SHARED ? (uintptr_t)warp->block->shared : 0;
    for (int i = 0; i < WARP; i++)
        event.address[i] = mask >> i & 1 ? warp->address[i] - base : 0;
    const struct shared_variable *variable =
        space == SIM_SHARED
            ? sim_find_shared(warp->block->launch, event.address[__builtin_ctz(mask)])
            : NULL;
    event.shared = variable ? variable->name : NULL;
    return event;
}

static void announce(const struct warp *warp, uint32_t mask, struct stop stop, enum sim_space space,
                     struct cost cost)
{
    const struct sim_event event = event_of(warp, mask, stop, space, cost);
    observer(&event, observer_context);
}

static void announce_refused(const struct warp *warp, unsigned int lane, struct stop stop,
                             bool shared)
{
    const struct sim_event event =
        event_of(warp, 1u << lane, stop, shared ? SIM_SHARED : SIM_GLOBAL, (struct cost){0});
    sim_tell_refused(warp, &event);
}

/* One lane's access is outside everything it may use: report, stop the launch. */
static void refuse(struct warp *warp, unsigned int lane, struct stop stop, bool misaligned)
{
    static const char *const verbs[] = {"read", "write", "atomic", "atomic"};
    uintptr_t a = warp->address[lane];
    bool shared = a - (uintptr_t)warp->block->shared < SHARED_SLOT;
    misaligned &= !sim_is_never_set(a);
    char kind[64], element[300], misfit[400];
    snprintf(kind, sizeof kind, "Invalid __%s__ %s of size %u bytes",
             shared                 ? "shared"
             : sim_is_lane_stack(a) ? "local"
                                    : "global",
             verbs[stop.reason], stop.bytes);
    if (sim_telling_steps)
        announce_refused(warp, lane, stop, shared);
    struct sim_outside outside = sim_describe_outside(warp, lane, stop.bytes);
    const struct sim_allocation *at = sim_memory_find(a);
    if (misaligned) {
        sim_describe_address(warp->block, at, a, 1, element, sizeof element);
        snprintf(misfit, sizeof misfit, "%s is misaligned: address 0x%zx is no multiple of %u",
                 element, (size_t)a, stop.bytes);
    }
    sim_report(CHECK_MEMORY, &warp->lane[lane], sim_lane_pc(warp, lane), kind,
               misaligned ? misfit : outside.what,
               misaligned ? "use a narrower type, or start at an aligned address" : outside.advice);
    if (at && at->freed_at && !misaligned)
        sim_report_names(at->freed_at);
    sim_stop_launch(warp->block->launch,
                    misaligned ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress);
}

/* Checks accesses that are in bounds: of shared memory when `allocation` is NULL. */
static void check(struct warp *warp, uint32_t mask, struct stop stop,
                  const struct sim_allocation *allocation)
{
    if (sim_checks(CHECK_RACE))
        sim_race_step(warp, mask, stop, allocation);
    if (sim_checks(CHECK_INIT))
        sim_init_step(warp, mask, stop, allocation);
}

/* gcc calls 16 bytes at a multiple of 8 aligned; the card takes two accesses, of 8 bytes. */
static bool is_of_two(const struct warp *warp, uint32_t mask, struct stop stop)
{
    size_t element;
    return stop.bytes == 16 && stop.reason != STOP_ATOMIC &&
           sim_type_at(warp->address[__builtin_ctz(mask)], &element) == 8 && element >= 16;
}

/* The costs are those of the whole request, so they are counted after all lanes passed. */
static void count(struct warp *warp, uint32_t mask, struct stop stop, enum sim_space space,
                  struct extent extent)
{
    struct launch *launch = warp->block->launch;
    if (stop.flags & ACCESS_UNCOUNTED)
        return;
    if (space == SIM_GLOBAL && is_of_two(warp, mask, stop)) {
        stop.bytes = 8;
        extent.run = false;
        extent.high -= 8;
        count(warp, mask, stop, space, extent);
        for (int i = 0; i < WARP; i++)
            warp->address[i] += 8;
        extent.low += 8;
        extent.high += 8;
        count(warp, mask, stop, space, extent);
        for (int i = 0; i < WARP; i++)
            warp->address[i] -= 8;
        return;
    }
    struct cost cost = space == SIM_SHARED ? sim_count_shared(launch, warp, mask, stop, extent)
                                           : sim_count_global(launch, warp, mask, stop, extent);
    if (launch->clock)
        sim_clock_charge(warp, mask, stop, space, cost);
    if (observer)
        announce(warp, mask, stop, space, cost);
}

/* The lanes do not all lie in one variable or allocation: sort them one by one. */
static void sort_lanes(struct warp *warp, uint32_t mask, struct stop stop)
{
    uint32_t shared = 0, global = 0;
    unsigned int bytes = stop.bytes;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        uintptr_t a = warp->address[i];
        const struct sim_allocation *allocation = in_one_allocation(0, a, a + bytes);
        bool in_shared = !allocation && in_one_shared_variable(warp, a, a + bytes);
        if (!allocation && !in_shared) {
            if (stop.reason == STOP_LOAD && sim_is_constant(a, a + bytes))
                continue;
            refuse(warp, i, stop, false);
            return;
        }
        check(warp, 1u << i, stop, allocation);
        shared |= in_shared ? 1u << i : 0;
        global |= in_shared ? 0 : 1u << i;
    }
    if (shared)
        count(warp, shared, stop, SIM_SHARED, extent_of(warp, shared, bytes));
    if (global)
        count(warp, global, stop, SIM_GLOBAL, extent_of(warp, global, bytes));
}

static void refuse_misaligned(struct warp *warp, uint32_t mask, struct stop stop)
{
    while (!(warp->address[__builtin_ctz(mask)] & (stop.bytes - 1)))
        mask &= mask - 1;
    refuse(warp, (unsigned int)__builtin_ctz(mask), stop, true);
}

static uint32_t any_in_shared(const struct warp *warp, uint32_t mask)
{
    uint32_t shared = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (warp->address[__builtin_ctz(rest)] - (uintptr_t)warp->block->shared < SHARED_SLOT)
            shared |= rest & -rest;
    return shared;
}

/* atomicAdd of float2 and float4: nvcc warns, and makes a trap of it. */
static void refuse_shared(struct warp *warp, uint32_t mask, struct stop stop)
{
    unsigned int lane = (unsigned int)__builtin_ctz(mask);
    char kind[64], element[300], detail[400];
    snprintf(kind, sizeof kind, "Invalid __shared__ atomic of size %u bytes", stop.bytes);
    sim_describe_address(warp->block, NULL, warp->address[lane], stop.bytes, element,
                         sizeof element);
    snprintf(detail, sizeof detail,
             "there is no atomicAdd of float%u on shared memory, where %s is", stop.bytes / 4,
             element);
    if (sim_telling_steps)
        announce_refused(warp, lane, stop, true);
    sim_report(CHECK_MEMORY, &warp->lane[lane], sim_lane_pc(warp, lane), kind, detail,
               "add the floats one by one, or add to global memory");
    sim_stop_launch(warp->block->launch, cudaErrorLaunchFailure);
}

/* The lanes of `mask` whose access has another size than `stop` says: where parts of
 * structs are copied, addresses decide how wide the parts are. */
static uint32_t other_sizes(const struct warp *warp, uint32_t mask, struct stop stop)
{
    uint32_t others = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (warp->stop[__builtin_ctz(rest)].bytes != stop.bytes)
            others |= rest & -rest;
    return others;
}

/* Almost always all lanes are in one variable or one allocation: two comparisons of the
 * lowest and the highest address prove it for all. */
void sim_access_step(struct warp *warp, uint32_t mask, struct stop stop)
{
    unsigned int bytes = stop.bytes;
    uint32_t others = stop.flags & ACCESS_COPY ? other_sizes(warp, mask, stop) : 0;
    if (others) {
        mask &= ~others;
        sim_access_step(warp, others, warp->stop[__builtin_ctz(others)]);
        if (warp->block->launch->error)
            return;
    }
    uintptr_t pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    struct extent e = extent_of(warp, mask, bytes);
    const struct sim_allocation *allocation;
    if (e.odd & (bytes - 1) && (e.odd & 7 || !is_of_two(warp, mask, stop))) {
        refuse_misaligned(warp, mask, stop);
    } else if (stop.flags & SIM_GLOBAL_ONLY && stop.reason == STOP_ATOMIC &&
               any_in_shared(warp, mask)) {
        refuse_shared(warp, any_in_shared(warp, mask), stop);
    } else if (in_one_shared_variable(warp, e.low, e.high)) {
        check(warp, mask, stop, NULL);
        count(warp, mask, stop, SIM_SHARED, e);
    } else if ((allocation = in_one_allocation(pc, e.low, e.high))) {
        check(warp, mask, stop, allocation);
        count(warp, mask, stop, SIM_GLOBAL, e);
    } else {
        sort_lanes(warp, mask, stop);
    }
}
