/* access.c - a warp's access, before it happens: whose memory is it, and may it be touched at all.
 * Observers are told what it is then, and what it costs is their business (observers.c). */
#include <stdio.h>

#include "engine/engine.h"

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

static void tell_refused(struct warp *warp, unsigned int lane, struct stop stop, bool shared)
{
    const struct warp_access access = {
        .warp = warp, .mask = 1u << lane, .stop = stop, .space = shared ? SIM_SHARED : SIM_GLOBAL};
    SIM_TELL(warp->block->launch, lane_is_refused, &access);
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
    tell_refused(warp, lane, stop, shared);
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

/* Accesses that are in bounds: of shared memory when `allocation` is NULL. */
static void check(struct warp *warp, uint32_t mask, struct stop stop,
                  const struct sim_allocation *allocation)
{
    const struct warp_access access = {.warp = warp,
                                       .mask = mask,
                                       .stop = stop,
                                       .space = allocation ? SIM_GLOBAL : SIM_SHARED,
                                       .allocation = allocation};
    SIM_TELL(warp->block->launch, lanes_touch, &access);
}

/* gcc calls 16 bytes at a multiple of 8 aligned; the card takes two accesses, of 8 bytes. */
static bool is_of_two(const struct warp *warp, uint32_t mask, struct stop stop)
{
    size_t element;
    return stop.bytes == 16 && stop.reason != STOP_ATOMIC &&
           sim_type_at(warp->address[__builtin_ctz(mask)], &element) == 8 && element >= 16;
}

/* The costs are those of the whole request, so they are counted after all lanes passed. */
static void request(struct warp *warp, uint32_t mask, struct stop stop, enum sim_space space,
                    struct extent extent)
{
    if (stop.flags & ACCESS_UNCOUNTED)
        return;
    if (space == SIM_GLOBAL && is_of_two(warp, mask, stop)) {
        stop.bytes = 8;
        extent.run = false;
        extent.high -= 8;
        request(warp, mask, stop, space, extent);
        for (int i = 0; i < WARP; i++)
            warp->address[i] += 8;
        extent.low += 8;
        extent.high += 8;
        request(warp, mask, stop, space, extent);
        for (int i = 0; i < WARP; i++)
            warp->address[i] -= 8;
        return;
    }
    struct warp_access access = {
        .warp = warp, .mask = mask, .stop = stop, .space = space, .extent = extent};
    SIM_TELL(warp->block->launch, warp_requests, &access);
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
        request(warp, shared, stop, SIM_SHARED, extent_of(warp, shared, bytes));
    if (global)
        request(warp, global, stop, SIM_GLOBAL, extent_of(warp, global, bytes));
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
    tell_refused(warp, lane, stop, true);
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
        request(warp, mask, stop, SIM_SHARED, e);
    } else if ((allocation = in_one_allocation(pc, e.low, e.high))) {
        check(warp, mask, stop, allocation);
        request(warp, mask, stop, SIM_GLOBAL, e);
    } else {
        sort_lanes(warp, mask, stop);
    }
}
