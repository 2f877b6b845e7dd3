/* tsan_interface.c - where compiled kernels enter the simulator: the TSan interface.
 *
 * The compiler, told to instrument for ThreadSanitizer, calls __tsan_read4(p)
 * before it loads four bytes from p, and so on. We take the place of its
 * runtime. On the host these functions do next to nothing. */
#include <string.h>

#include "device/next_call.h"
#include "engine/engine.h"
#include "sim.h"

/* A volatile access is how programs pass flags. */
static void touch_flag(struct lane *lane, uintptr_t address, struct stop stop)
{
    if (stop.reason == STOP_STORE)
        sim_order_release(lane, address, false, false);
    else if (lane->relaxed)
        sim_order_read_relaxed(lane, address);
    else
        sim_order_acquire(lane, address, false);
}

/* Who reads a volatile word waits for the device. */
static void touch_from_host(uintptr_t address, struct stop stop, struct place place)
{
    bool writes = stop.reason == STOP_STORE;
    sim_host_fault(address, place.pc, true, writes);
    if (writes)
        sim_init_host_writes((const void *)address, stop.bytes);
    if (sim_host_watch && !(stop.flags & ACCESS_VOLATILE))
        sim_host_watch(address, stop.bytes, place.pc, writes);
}

static sim_host_load_observer *host_loads;
static void *host_loads_context;

void sim_observe_host_loads(sim_host_load_observer *observer, void *context)
{
    host_loads = observer;
    host_loads_context = context;
}

/* The lane stops before it touches `bytes` at `address`. Its own stack is local
 * memory, which no other lane can see: no need to stop. */
static inline void touch(uintptr_t address, struct stop stop, struct place place)
{
    struct lane *lane = sim_lane;
    if (!lane) {
        if (host_loads && stop.reason == STOP_LOAD)
            host_loads(address, host_loads_context);
        if (address - sim_arena_base < sim_arena_bytes)
            touch_from_host(address, stop, place);
        return;
    }
    if (address - lane->stack_low < STACK_BYTES)
        return;
#ifdef __clang__ /* calls the aligned function for 16 bytes at a multiple of 8, too */
    if (stop.bytes == 16) {
        stop.flags |= ACCESS_COPY;
        if (address % 16 == 8) {
            stop.bytes = 8;
            touch(address, stop, place);
            touch(address + 8, stop, place);
            return;
        }
    }
#endif
    sim_lane_arrive(lane, stop, address, place);
    sim_lane_wait(lane);
    if (stop.flags & ACCESS_VOLATILE && sim_fences_used)
        touch_flag(lane, address, stop);
    if (stop.flags & ACCESS_VOLATILE)
        lane->relaxed = false;
    if (sim_explaining)
        sim_explain_access(lane, address, stop.bytes, (enum stop_reason)stop.reason, place.pc);
}

/* The widest access that the hardware would use for a part of a copied struct. */
static uint8_t chunk(uintptr_t address, size_t bytes)
{
    uintptr_t aligned = address | bytes | 16;
    return (uint8_t)(aligned & -aligned);
}

/* Of what a struct of so many bytes begins at a multiple, as far as nvcc knows: in global memory by
 * its type, in shared memory by its size, too. */
static uintptr_t alignment_of(uintptr_t address, size_t bytes)
{
    const struct launch *launch = sim_lane->warp->block->launch;
    size_t offset = address - (uintptr_t)sim_lane->warp->block->shared, element, alignment;
    if (offset < SHARED_SLOT) {
        const struct shared_variable *variable = sim_find_shared(launch, offset);
        return variable && variable->element >= bytes ? variable->element : 0;
    }
    alignment = sim_type_at(address, &element);
    return element >= bytes ? alignment : 0;
}

/* The compiler knows that these are not aligned: it takes apart what must be. What is stored is copied from `from`,
 * so that each part is there when the lane comes to the next; NULL: nobody knows, and the compiler stores all
 * behind the last. */
static inline void touch_parts(uintptr_t address, size_t bytes, struct stop stop,
                               struct place place, const unsigned char *from)
{
    const uintptr_t alignment = sim_lane ? alignment_of(address, bytes) : 0;
    stop.flags |= ACCESS_COPY;
    for (; bytes; address += stop.bytes, bytes -= stop.bytes) {
        stop.bytes = chunk(address | alignment, bytes);
        touch(address, stop, place);
        if (from) {
            memcpy((void *)address, from, stop.bytes);
            from += stop.bytes;
        }
    }
}

/* Of the functions that kernels call before they load. */
void __tsan_read1(void *p);
void __tsan_read2(void *p);
void __tsan_read4(void *p);
void __tsan_read8(void *p);
void __tsan_read16(void *p);
void __tsan_unaligned_read2(void *p);
void __tsan_unaligned_read4(void *p);
void __tsan_unaligned_read8(void *p);
void __tsan_unaligned_read16(void *p);
void __tsan_read_range(void *p, size_t bytes);

/* For `*to = *from` of a structure gcc calls for the store first, then for the load, and copies at last. A card loads
 * before it stores, and what is stored is to be seen when the lane has gone on from the store. So the store is
 * kept until the lane has been to the load. */
static bool finds_load(uintptr_t pc)
{
    static void (*const loads[])(void *) = {
        __tsan_read1,           __tsan_read2,           __tsan_read4,
        __tsan_read8,           __tsan_read16,          __tsan_unaligned_read2,
        __tsan_unaligned_read4, __tsan_unaligned_read8, __tsan_unaligned_read16};
    const uintptr_t next = sim_next_call(pc);
    bool is_load = next == (uintptr_t)__tsan_read_range;
    for (size_t i = 0; next && i < sizeof loads / sizeof *loads && !is_load; i++)
        is_load = next == (uintptr_t)loads[i];
    return is_load;
}

/* The same, remembered: a kernel asks at each store, for the same few places. */
static inline bool is_copied(uintptr_t pc)
{
    enum { BITS = 8 };
    static struct {
        uintptr_t pc;
        bool is_copied;
    } places[1 << BITS];
    const size_t slot = sim_hash(pc, BITS);
    if (__builtin_expect(places[slot].pc != pc, false)) {
        places[slot].is_copied = finds_load(pc);
        places[slot].pc = pc;
    }
    return places[slot].is_copied;
}

/* The store that is kept. No other lane runs before this one comes to the load. */
static _Thread_local struct kept_store {
    uintptr_t address;
    struct stop stop;
    struct place place;
    bool in_parts;
} kept;
extern _Thread_local size_t sim_kept_bytes; /* 0: none; entry.h looks at it */
_Thread_local size_t sim_kept_bytes;

static bool keeps(uintptr_t address, size_t bytes, struct stop stop, struct place place,
                  bool in_parts)
{
    if (stop.reason != STOP_STORE || !sim_lane || !is_copied(place.pc))
        return false;
    kept = (struct kept_store){address, stop, place, in_parts};
    sim_kept_bytes = bytes;
    return true;
}

static void touch_kept(const struct kept_store *store, size_t bytes, uintptr_t from)
{
    const bool overlap = store->address - from < bytes || from - store->address < bytes;
    if (store->in_parts)
        touch_parts(store->address, bytes, store->stop, store->place,
                    overlap ? NULL : (const unsigned char *)from);
    else
        touch(store->address, store->stop, store->place);
}

/* The lane's next access, in parts or whole; then the store that was kept for it. */
static void touch_next(uintptr_t address, size_t bytes, struct stop stop, struct place place,
                       bool in_parts)
{
    const struct kept_store store = kept;
    const size_t stored = sim_kept_bytes;
    if (keeps(address, bytes, stop, place, in_parts))
        return;
    sim_kept_bytes = 0; /* other lanes run while this one waits */
    if (in_parts)
        touch_parts(address, bytes, stop, place, NULL);
    else
        touch(address, stop, place);
    if (stored > 0)
        touch_kept(&store, stored, address);
}

static inline void touch_range(uintptr_t address, size_t bytes, enum stop_reason reason,
                               struct place place)
{
    const bool is_local = sim_lane && address - sim_lane->stack_low < STACK_BYTES;
    if (!is_local || sim_kept_bytes > 0)
        touch_next(address, bytes, (struct stop){.reason = (uint8_t)reason}, place, true);
}

/* __tsan_NAME: one access; or as many as an address that is not aligned asks for. */
#define WHOLE(NAME, REASON, BYTES, FLAGS)                                                          \
    void __tsan_##NAME(void *p);                                                                   \
    void __tsan_##NAME(void *p)                                                                    \
    {                                                                                              \
        touch((uintptr_t)p, (struct stop){REASON, {BYTES}, FLAGS}, HERE);                          \
    }
#ifdef SIM_ENTRIES
/* The same for the accesses that kernels make all the time: see machine/entry.h. */
static __attribute__((noinline)) void *stop_slowly(uintptr_t address, struct stop stop)
{
    void *stack_pointer = sim_lane->stack_pointer;
    touch_next(address, stop.bytes, stop, sim_place_of_entry(sim_lane), false);
    return stack_pointer;
}

static inline void *stop_at(uintptr_t address, struct stop stop)
{
    struct lane *lane = sim_lane;
    const bool is_copy =
        stop.reason == STOP_STORE ? is_copied(sim_place_of_entry(lane).pc) : sim_kept_bytes > 0;
    if (__builtin_expect(sim_explaining || is_copy, false))
        return stop_slowly(address, stop);
    sim_lane_arrive(lane, stop, address, sim_place_of_entry(lane));
    return sim_hand_over(lane);
}

/* The same functions on the host: how many bytes are touched is asked of what is written. */
#define ON_HOST(NAME, REASON, BYTES)                                                               \
    void NAME(void *p);                                                                            \
    void NAME(void *p)                                                                             \
    {                                                                                              \
        touch((uintptr_t)p, (struct stop){REASON, {BYTES}, 0}, HERE);                              \
    }
ON_HOST(sim_host_reads, STOP_LOAD, 1)
ON_HOST(sim_host_writes1, STOP_STORE, 1)
ON_HOST(sim_host_writes2, STOP_STORE, 2)
ON_HOST(sim_host_writes4, STOP_STORE, 4)
ON_HOST(sim_host_writes8, STOP_STORE, 8)
ON_HOST(sim_host_writes16, STOP_STORE, 16)

#define ENTRY(NAME, REASON, BYTES, HOST, LOCAL)                                                    \
    void *sim_stop_##NAME(uintptr_t address);                                                      \
    void *sim_stop_##NAME(uintptr_t address)                                                       \
    {                                                                                              \
        return stop_at(address, (struct stop){REASON, {BYTES}, 0});                                \
    }                                                                                              \
    SIM_ENTRY("__tsan_" #NAME, "sim_stop_" #NAME, HOST, LOCAL);
#define READ(BYTES) ENTRY(read##BYTES, STOP_LOAD, BYTES, "sim_host_reads", SIM_ENTRY_LOCAL_LOAD)
#define WRITE(BYTES)                                                                               \
    ENTRY(write##BYTES, STOP_STORE, BYTES, "sim_host_writes" #BYTES, SIM_ENTRY_LOCAL)
#else
#define READ(BYTES) WHOLE(read##BYTES, STOP_LOAD, BYTES, 0)
#define WRITE(BYTES) WHOLE(write##BYTES, STOP_STORE, BYTES, 0)
#endif
#define PARTS(NAME, REASON, BYTES, FLAGS)                                                          \
    void __tsan_##NAME(void *p);                                                                   \
    void __tsan_##NAME(void *p)                                                                    \
    {                                                                                              \
        touch_next((uintptr_t)p, BYTES, (struct stop){REASON, {0}, FLAGS}, HERE, true);            \
    }
#define ACCESSES(BYTES)                                                                            \
    WHOLE(volatile_read##BYTES, STOP_LOAD, BYTES, ACCESS_VOLATILE)                                 \
    WHOLE(volatile_write##BYTES, STOP_STORE, BYTES, ACCESS_VOLATILE)                               \
    PARTS(unaligned_read##BYTES, STOP_LOAD, BYTES, 0)                                              \
    PARTS(unaligned_write##BYTES, STOP_STORE, BYTES, 0)                                            \
    PARTS(unaligned_volatile_read##BYTES, STOP_LOAD, BYTES, ACCESS_VOLATILE)                       \
    PARTS(unaligned_volatile_write##BYTES, STOP_STORE, BYTES, ACCESS_VOLATILE)                     \
    void __tsan_read_write##BYTES(void *p);                                                        \
    void __tsan_read_write##BYTES(void *p)                                                         \
    {                                                                                              \
        touch((uintptr_t)p, (struct stop){STOP_LOAD, {BYTES}, 0}, HERE);                           \
        touch((uintptr_t)p, (struct stop){STOP_STORE, {BYTES}, 0}, HERE);                          \
    }

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
READ(1)
READ(2)
READ(4)
READ(8)
WRITE(1)
WRITE(2)
WRITE(4)
WRITE(8)
#ifdef __clang__ /* see touch */
WHOLE(read16, STOP_LOAD, 16, 0)
WHOLE(write16, STOP_STORE, 16, 0)
#else
READ(16)
WRITE(16)
#endif

/* gcc copies structs so. */
void __tsan_read_range(void *p, size_t bytes)
{
    touch_range((uintptr_t)p, bytes, STOP_LOAD, HERE);
}

void __tsan_write_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes)
{
    touch_range((uintptr_t)p, bytes, STOP_STORE, HERE);
}

/* Called at each basic block (-fsanitize-coverage=trace-pc): see engine/reconvergence.c. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    struct lane *lane = sim_lane;
    if (!lane)
        return;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    uintptr_t frame = (uintptr_t)__builtin_dwarf_cfa();
    uintptr_t latch = lane->code_at;
    bool back = pc <= latch && frame == lane->code_frame;
    lane->code_at = pc;
    lane->code_frame = frame;
    lane->entered++;
    if (back) /* at the end, so that the usual case saves no registers */
        sim_go_round(lane, pc, latch, frame);
}

/* Called by constructors that the compiler generates, and for virtual tables. */
void __tsan_init(void);
void __tsan_init(void)
{
}
void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
    (void)pc;
}
void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}
void __tsan_vptr_update(void **p, void *value);
void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    touch((uintptr_t)p, (struct stop){STOP_STORE, {sizeof *p}, 0}, HERE);
}
void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
    touch((uintptr_t)p, (struct stop){STOP_LOAD, {sizeof *p}, 0}, HERE);
}

/* Calls to memset, memcpy, memmove, malloc and free in a .cu file are redirected
 * to these (simcc renames the symbols), for they are not instrumented. */
static void copy_in_kernel(unsigned char *to, const unsigned char *from, size_t bytes,
                           struct place place)
{
    for (uint8_t part; bytes; to += part, from += part, bytes -= part) {
        part = chunk((uintptr_t)to | (uintptr_t)from, bytes);
        touch((uintptr_t)from, (struct stop){STOP_LOAD, {part}, ACCESS_COPY}, place);
        unsigned char held[16];
        memcpy(held, from, part);
        touch((uintptr_t)to, (struct stop){STOP_STORE, {part}, ACCESS_COPY}, place);
        memcpy(to, held, part);
    }
}

static sim_host_copy_observer *host_copies;
static void *host_copies_context;

void sim_observe_host_copies(sim_host_copy_observer *observer, void *context)
{
    host_copies = observer;
    host_copies_context = context;
}

void sim_host_touches(const void *memory, size_t bytes, struct place place, bool writes)
{
    if (bytes == 0 || (uintptr_t)memory - sim_arena_base >= sim_arena_bytes)
        return;
    sim_thrust_touches(sim_memory_find((uintptr_t)memory), place.pc, true);
    if (writes)
        sim_init_host_writes(memory, bytes);
    if (sim_host_watch)
        sim_host_watch((uintptr_t)memory, bytes, place.pc, writes);
}

/* Whether a copy of host code is to be made. */
static bool host_copies_itself(void *to, const void *from, size_t bytes, struct place place)
{
    sim_host_touches(to, bytes, place, true);
    sim_host_touches(from, bytes, place, false);
    return !host_copies || host_copies(to, from, bytes, host_copies_context);
}

void *sim_memcpy(void *to, const void *from, size_t bytes);
void *sim_memcpy(void *to, const void *from, size_t bytes)
{
    if (!sim_lane)
        return host_copies_itself(to, from, bytes, HERE) ? memcpy(to, from, bytes) : to;
    copy_in_kernel(to, from, bytes, HERE);
    return to;
}

void *sim_memmove(void *to, const void *from, size_t bytes);
void *sim_memmove(void *to, const void *from, size_t bytes)
{
    if (!sim_lane)
        return host_copies_itself(to, from, bytes, HERE) ? memmove(to, from, bytes) : to;
    if ((uintptr_t)to - (uintptr_t)from >= bytes) { /* no overlap that a forward copy spoils */
        copy_in_kernel(to, from, bytes, HERE);
        return to;
    }
    for (size_t i = bytes; i-- > 0;)
        copy_in_kernel((unsigned char *)to + i, (const unsigned char *)from + i, 1, HERE);
    return to;
}

void *sim_memset(void *to, int value, size_t bytes);
void *sim_memset(void *to, int value, size_t bytes)
{
    if (!sim_lane) {
        sim_host_touches(to, bytes, HERE, true);
        return memset(to, value, bytes);
    }
    unsigned char *next = to;
    for (uint8_t part; bytes; next += part, bytes -= part) {
        part = chunk((uintptr_t)next, bytes);
        touch((uintptr_t)next, (struct stop){STOP_STORE, {part}, ACCESS_COPY}, HERE);
        memset(next, value, part);
    }
    return to;
}
