/* hooks.c - where compiled kernels enter the simulator.
 *
 * The compiler, told to instrument for ThreadSanitizer, calls __tsan_read4(p)
 * before it loads four bytes from p, and so on. We take the place of its
 * runtime. On the host these functions do next to nothing. */
#include <string.h>

#include "checks.h"
#include "memory.h"

uintptr_t sim_arena_base;
size_t sim_arena_bytes;

#define HERE (uintptr_t) __builtin_return_address(0), (uintptr_t)__builtin_frame_address(0)

/* A volatile access is how programs pass flags. */
static void touch_flag(struct lane *lane, uintptr_t address, uint32_t stop)
{
    if ((stop & 0xff) == STOP_STORE)
        sim_clock_release(lane, address, false, false);
    else if (lane->relaxed)
        sim_clock_read_relaxed(lane, address);
    else
        sim_clock_acquire(lane, address, false);
}

/* The lane stops before it touches `bytes` at `address`. Its own stack is local
 * memory, which no other lane can see: no need to stop. */
static inline void touch(uintptr_t address, unsigned int bytes, uint32_t stop, uintptr_t pc,
                         uintptr_t frame)
{
    struct lane *lane = sim_lane;
    if (!lane) {
        if (address - sim_arena_base < sim_arena_bytes)
            sim_host_fault(address, pc, true, (stop & 0xff) == STOP_STORE);
        return;
    }
    if (address - lane->stack_low < STACK_BYTES)
        return;
#ifdef __clang__ /* calls the aligned function for 16 bytes at a multiple of 8, too */
    if (bytes == 16 && address % 16 == 8) {
        touch(address, 8, stop | INFO_COPY, pc, frame);
        touch(address + 8, 8, stop | INFO_COPY, pc, frame);
        return;
    }
    if (bytes == 16)
        stop |= INFO_COPY;
#endif
    sim_lane_stands(lane, stop | bytes << INFO_BYTES_SHIFT, address, pc, frame);
    lane->warp->runnable |= 1u << lane->number;
    sim_lane_wait(lane);
    if (lane->suspect)
        sim_race_before_store(lane);
    if (stop & INFO_VOLATILE && sim_fences_used)
        touch_flag(lane, address, stop);
    if (stop & INFO_VOLATILE)
        lane->relaxed = false;
    if (sim_explaining)
        sim_explain_access(lane, address, bytes, info_stop(stop), pc);
}

/* The widest access that the hardware would use for a part of a copied struct. */
static unsigned int chunk(uintptr_t address, size_t bytes)
{
    uintptr_t aligned = address | bytes | 16;
    return (unsigned int)(aligned & -aligned);
}

/* The compiler knows that these are not aligned: it takes apart what must be. */
static inline void touch_unaligned(uintptr_t address, unsigned int bytes, uint32_t stop,
                                   uintptr_t pc, uintptr_t frame)
{
    for (unsigned int part; bytes; address += part, bytes -= part) {
        part = chunk(address, bytes);
        touch(address, part, stop | INFO_COPY, pc, frame);
    }
}

static inline void touch_range(uintptr_t address, size_t bytes, uint32_t stop, uintptr_t pc,
                               uintptr_t frame)
{
    if (sim_lane && address - sim_lane->stack_low < STACK_BYTES)
        return;
    for (unsigned int part; bytes; address += part, bytes -= part) {
        part = chunk(address, bytes);
        touch(address, part, stop | INFO_COPY, pc, frame);
    }
}

#define ACCESS_HOOKS(bytes)                                                                        \
    void __tsan_read##bytes(void *p);                                                              \
    void __tsan_read##bytes(void *p)                                                               \
    {                                                                                              \
        touch((uintptr_t)p, bytes, STOP_LOAD, HERE);                                               \
    }                                                                                              \
    void __tsan_write##bytes(void *p);                                                             \
    void __tsan_write##bytes(void *p)                                                              \
    {                                                                                              \
        touch((uintptr_t)p, bytes, STOP_STORE, HERE);                                              \
    }                                                                                              \
    void __tsan_read_write##bytes(void *p);                                                        \
    void __tsan_read_write##bytes(void *p)                                                         \
    {                                                                                              \
        touch((uintptr_t)p, bytes, STOP_LOAD, HERE);                                               \
        touch((uintptr_t)p, bytes, STOP_STORE, HERE);                                              \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(void *p);                                                    \
    void __tsan_unaligned_read##bytes(void *p)                                                     \
    {                                                                                              \
        touch_unaligned((uintptr_t)p, bytes, STOP_LOAD, HERE);                                     \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *p);                                                   \
    void __tsan_unaligned_write##bytes(void *p)                                                    \
    {                                                                                              \
        touch_unaligned((uintptr_t)p, bytes, STOP_STORE, HERE);                                    \
    }                                                                                              \
    void __tsan_volatile_read##bytes(void *p);                                                     \
    void __tsan_volatile_read##bytes(void *p)                                                      \
    {                                                                                              \
        touch((uintptr_t)p, bytes, STOP_LOAD | INFO_VOLATILE, HERE);                               \
    }                                                                                              \
    void __tsan_volatile_write##bytes(void *p);                                                    \
    void __tsan_volatile_write##bytes(void *p)                                                     \
    {                                                                                              \
        touch((uintptr_t)p, bytes, STOP_STORE | INFO_VOLATILE, HERE);                              \
    }                                                                                              \
    void __tsan_unaligned_volatile_read##bytes(void *p);                                           \
    void __tsan_unaligned_volatile_read##bytes(void *p)                                            \
    {                                                                                              \
        touch_unaligned((uintptr_t)p, bytes, STOP_LOAD | INFO_VOLATILE, HERE);                     \
    }                                                                                              \
    void __tsan_unaligned_volatile_write##bytes(void *p);                                          \
    void __tsan_unaligned_volatile_write##bytes(void *p)                                           \
    {                                                                                              \
        touch_unaligned((uintptr_t)p, bytes, STOP_STORE | INFO_VOLATILE, HERE);                    \
    }

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

void __tsan_read_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes)
{
    touch_range((uintptr_t)p, bytes, STOP_LOAD, HERE);
}

void __tsan_write_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes)
{
    touch_range((uintptr_t)p, bytes, STOP_STORE, HERE);
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
    touch((uintptr_t)p, sizeof *p, STOP_STORE, HERE);
}
void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
    touch((uintptr_t)p, sizeof *p, STOP_LOAD, HERE);
}

/* Calls to memset, memcpy, memmove, malloc and free in a .cu file are redirected
 * to these (simcc renames the symbols), for they are not instrumented. */
static void copy_in_kernel(unsigned char *to, const unsigned char *from, size_t bytes, uintptr_t pc,
                           uintptr_t frame)
{
    for (unsigned int part; bytes; to += part, from += part, bytes -= part) {
        part = chunk((uintptr_t)to | (uintptr_t)from, bytes);
        touch((uintptr_t)from, part, STOP_LOAD | INFO_COPY, pc, frame);
        unsigned char held[16];
        memcpy(held, from, part);
        touch((uintptr_t)to, part, STOP_STORE | INFO_COPY, pc, frame);
        memcpy(to, held, part);
    }
}

void *sim_memcpy(void *to, const void *from, size_t bytes);
void *sim_memcpy(void *to, const void *from, size_t bytes)
{
    if (!sim_lane)
        return memcpy(to, from, bytes);
    copy_in_kernel(to, from, bytes, HERE);
    return to;
}

void *sim_memmove(void *to, const void *from, size_t bytes);
void *sim_memmove(void *to, const void *from, size_t bytes)
{
    if (!sim_lane)
        return memmove(to, from, bytes);
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
    if (!sim_lane)
        return memset(to, value, bytes);
    unsigned char *next = to;
    for (unsigned int part; bytes; next += part, bytes -= part) {
        part = chunk((uintptr_t)next, bytes);
        touch((uintptr_t)next, part, STOP_STORE | INFO_COPY, HERE);
        memset(next, value, part);
    }
    return to;
}
