/* access.c - a warp's access, before it happens: whose memory is it, what does
 * it cost, and may it be touched at all. */
#include <stdio.h>

#include "checks.h"

static sim_observer *observer;
static void *observer_context;

void sim_observe(sim_observer *function, void *context)
{
    observer = function;
    observer_context = context;
}

/* The allocations that instructions used last: most use one all the time. */
enum { REMEMBERED = 64 };
static const struct sim_allocation *remembered[REMEMBERED];

void sim_access_start(void)
{
    for (int i = 0; i < REMEMBERED; i++)
        remembered[i] = NULL;
}

struct extent {
    uintptr_t low, high; /* the first byte, and the first behind the last */
    uintptr_t odd;       /* the low bits of all addresses */
};

static struct extent extent_of(const struct warp *warp, uint32_t mask, unsigned int bytes)
{
    uintptr_t first = warp->address[__builtin_ctz(mask)];
    struct extent e = {first, first, first};
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        uintptr_t a = warp->address[__builtin_ctz(rest)];
        e.low = a < e.low ? a : e.low;
        e.high = a > e.high ? a : e.high;
        e.odd |= a;
    }
    e.high += bytes;
    return e;
}

static bool holds(const struct sim_allocation *allocation, uintptr_t low, uintptr_t high)
{
    return low >= allocation->base && high <= allocation->base + allocation->bytes &&
           !allocation->freed_at;
}

/* The live allocation that holds [low, high), or NULL. */
static const struct sim_allocation *in_one_allocation(uintptr_t pc, uintptr_t low, uintptr_t high)
{
    const struct sim_allocation **memory = &remembered[(pc >> 2) % REMEMBERED];
    if (*memory && holds(*memory, low, high))
        return *memory;
    const struct sim_allocation *found = sim_memory_find(low);
    if (!found || !holds(found, low, high))
        return NULL;
    *memory = found;
    return found;
}

static bool in_one_shared_variable(const struct warp *warp, uintptr_t low, uintptr_t high)
{
    size_t offset = low - (uintptr_t)warp->block->shared;
    if (offset >= SHARED_SLOT)
        return false;
    const struct shared_variable *variable = sim_find_shared(warp->block->launch, offset);
    return variable && offset + (high - low) <= variable->offset + variable->size;
}

/* Tables of constants and text in the program itself: a kernel may read them. */
static bool in_program(uintptr_t low, uintptr_t high, enum stop stop)
{
    extern char __executable_start, etext, edata, end;
    (void)etext, (void)edata;
    return stop == STOP_LOAD && low >= (uintptr_t)&__executable_start && high <= (uintptr_t)&end;
}

static void announce(const struct warp *warp, uint32_t mask, uint32_t info, enum sim_space space,
                     unsigned int cost)
{
    struct sim_event event = {.space = space, .active = mask, .cost = cost};
    event.access = (enum sim_access)info_stop(info);
    event.bytes = info_bytes(info);
    event.block = warp->block->linear;
    event.warp = warp->number;
    event.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    uintptr_t base = space == SIM_SHARED ? (uintptr_t)warp->block->shared : 0;
    for (int i = 0; i < WARP; i++)
        event.address[i] = mask >> i & 1 ? warp->address[i] - base : 0;
    observer(&event, observer_context);
}

/* The shared variable that is nearest to an offset, or NULL. */
static const struct shared_variable *nearest_shared(const struct launch *launch, size_t offset)
{
    const struct shared_variable *best = NULL;
    size_t distance = SIZE_MAX;
    for (size_t i = 0; i < launch->shared_count; i++) {
        const struct shared_variable *v = &launch->shared[i];
        size_t d = offset < v->offset ? v->offset - offset : offset - v->offset;
        d = offset >= v->offset && d >= v->size ? d - v->size : d;
        if (d < distance) {
            distance = d;
            best = v;
        }
    }
    return best;
}

static void describe_shared(const struct warp *warp, size_t offset, char *text, size_t size)
{
    const struct shared_variable *v = nearest_shared(warp->block->launch, offset);
    if (!v) {
        snprintf(text, size, "shared memory that no variable of this kernel holds");
        return;
    }
    long long element = (long long)v->element, bytes = (long long)offset - (long long)v->offset;
    long long index = bytes < 0 ? -((element - 1 - bytes) / element) : bytes / element;
    if (v->size < v->element)
        snprintf(text, size, "%s has no elements; this is %s[%lld], in shared memory", v->name,
                 v->name, index);
    else
        snprintf(text, size, "%s has elements 0 to %zu; this is %s[%lld], in shared memory",
                 v->name, v->size / v->element - 1, v->name, index);
}

static void describe_device(const struct sim_allocation *near, uintptr_t a, char *text, size_t size)
{
    char where[160];
    uintptr_t end = near->base + near->bytes;
    const char *how = "after the end of";
    size_t distance = a - end;
    if (a < near->base) {
        how = "before";
        distance = near->base - a;
    } else if (a < end) { /* the access begins inside and ends outside */
        how = "before the end of";
        distance = end - a;
    }
    snprintf(text, size, "address 0x%zx is %zu bytes %s the %zu-byte allocation made at %s",
             (size_t)a, distance, how, near->bytes,
             sim_locate(near->allocated_at, where, sizeof where));
}

static void describe_outside(const struct warp *warp, uintptr_t a, char *text, size_t size)
{
    size_t offset = a - (uintptr_t)warp->block->shared;
    const struct sim_allocation *near = sim_memory_nearest(a), *at = sim_memory_find(a);
    char where[160];
    if (offset < SHARED_SLOT)
        describe_shared(warp, offset, text, size);
    else if (at && at->freed_at)
        snprintf(text, size, "address 0x%zx was freed at %s", (size_t)a,
                 sim_locate(at->freed_at, where, sizeof where));
    else if (sim_is_lane_stack(a))
        snprintf(text, size, "address 0x%zx is a local variable of another thread", (size_t)a);
    else if (a < 4096)
        snprintf(text, size, "address 0x%zx: a null pointer", (size_t)a);
    else if (near && a - sim_arena_base < sim_arena_bytes)
        describe_device(near, a, text, size);
    else
        snprintf(text, size, "address 0x%zx is host memory: a kernel cannot use it", (size_t)a);
}

static const char *advice_outside(uintptr_t a)
{
    if (a - sim_arena_base < sim_arena_bytes || sim_is_shared(a))
        return "compare the index with the number of elements before the access";
    if (a < 4096)
        return "check the pointer that was passed to the kernel";
    return "allocate it with cudaMalloc, copy with cudaMemcpy, and pass the device pointer";
}

/* One lane's access is outside everything it may use: report, stop the launch. */
static void refuse(struct warp *warp, unsigned int lane, uint32_t info, bool misaligned)
{
    static const char *const verbs[] = {"read", "write", "atomic", "atomic"};
    uintptr_t a = warp->address[lane];
    bool shared = a - (uintptr_t)warp->block->shared < SHARED_SLOT;
    char headline[96], detail[400];
    snprintf(headline, sizeof headline, "Invalid __%s__ %s of size %u bytes",
             shared ? "shared" : "global", verbs[info_stop(info)], info_bytes(info));
    if (misaligned)
        snprintf(detail, sizeof detail, "address 0x%zx is misaligned: not a multiple of %u",
                 (size_t)a, info_bytes(info));
    else
        describe_outside(warp, a, detail, sizeof detail);
    sim_report(&warp->lane[lane], sim_lane_pc(warp, lane), headline, detail,
               misaligned ? "use a narrower type, or start at an aligned address"
                          : advice_outside(a));
    sim_stop_launch(warp->block->launch, misaligned ? 716 : 700);
}

/* Checks accesses that are in bounds: of shared memory when `allocation` is NULL. */
static void check(struct warp *warp, uint32_t mask, uint32_t info,
                  const struct sim_allocation *allocation)
{
    enum sim_space space = allocation ? SIM_GLOBAL : SIM_SHARED;
    if (sim_checks(CHECK_RACE))
        sim_race_step(warp, mask, info, space, allocation);
    if (sim_checks(CHECK_INIT))
        sim_init_step(warp, mask, info, allocation);
}

static void count(struct warp *warp, uint32_t mask, uint32_t info, enum sim_space space)
{
    struct launch *launch = warp->block->launch;
    unsigned int cost = space == SIM_SHARED ? sim_count_shared(launch, warp, mask, info)
                                            : sim_count_global(launch, warp, mask, info);
    if (observer)
        announce(warp, mask, info, space, cost);
}

/* The lanes do not all lie in one variable or allocation: sort them one by one. */
static void sort_lanes(struct warp *warp, uint32_t mask, uint32_t info)
{
    uint32_t shared = 0, global = 0;
    unsigned int bytes = info_bytes(info);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        uintptr_t a = warp->address[i];
        const struct sim_allocation *allocation = in_one_allocation(0, a, a + bytes);
        bool in_shared = !allocation && in_one_shared_variable(warp, a, a + bytes);
        if (!allocation && !in_shared) {
            if (in_program(a, a + bytes, info_stop(info)))
                continue;
            refuse(warp, i, info, false);
            return;
        }
        check(warp, 1u << i, info, allocation);
        shared |= in_shared ? 1u << i : 0;
        global |= in_shared ? 0 : 1u << i;
    }
    if (shared)
        count(warp, shared, info, SIM_SHARED);
    if (global)
        count(warp, global, info, SIM_GLOBAL);
}

static void refuse_misaligned(struct warp *warp, uint32_t mask, uint32_t info)
{
    while (!(warp->address[__builtin_ctz(mask)] & (info_bytes(info) - 1)))
        mask &= mask - 1;
    refuse(warp, (unsigned int)__builtin_ctz(mask), info, true);
}

/* The lanes of `mask` whose access has another size than `info` says: where parts of
 * structs are copied, addresses decide how wide the parts are. */
static uint32_t other_sizes(const struct warp *warp, uint32_t mask, uint32_t info)
{
    uint32_t others = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (info_bytes(warp->info[__builtin_ctz(rest)]) != info_bytes(info))
            others |= rest & -rest;
    return others;
}

void sim_access_step(struct warp *warp, uint32_t mask, uint32_t info)
{
    unsigned int bytes = info_bytes(info);
    uint32_t others = info & INFO_COPY ? other_sizes(warp, mask, info) : 0;
    if (others) {
        mask &= ~others;
        sim_access_step(warp, others, warp->info[__builtin_ctz(others)]);
        if (warp->block->launch->error)
            return;
    }
    uintptr_t pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    struct extent e = extent_of(warp, mask, bytes);
    const struct sim_allocation *allocation;
    if (e.odd & (bytes - 1)) {
        refuse_misaligned(warp, mask, info);
    } else if (in_one_shared_variable(warp, e.low, e.high)) {
        check(warp, mask, info, NULL);
        count(warp, mask, info, SIM_SHARED);
    } else if ((allocation = in_one_allocation(pc, e.low, e.high))) {
        check(warp, mask, info, allocation);
        count(warp, mask, info, SIM_GLOBAL);
    } else {
        sort_lanes(warp, mask, info);
    }
}
