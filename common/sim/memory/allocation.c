/* allocation.c - device memory: see memory.h.
 *
 * One range of addresses is reserved at the start; allocations are cut from it
 * in order. None is used twice before all have been used. Their list is sorted by address; memory of the
 * host that is registered stands in it, too, until it is unregistered. */
#define _GNU_SOURCE
#include "memory/memory.h"
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    GUARD = 64 * 1024 /* between allocations, and never mapped */
};

uintptr_t sim_arena_base;
size_t sim_arena_bytes;

static struct sim_allocation **allocations;
static size_t count, room;
static uintptr_t next_free, free_until; /* what is given out next, up to what is live */
static size_t in_use[SIM_MOST_DEVICES]; /* with pinned memory */
static struct sim_device_memory of_device[SIM_MOST_DEVICES];
static bool is_open, is_full;
static uint64_t closings; /* how often memory was closed to the host */

static size_t mapped_bytes(const struct sim_allocation *a)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE); /* 4 KiB; 16 or 64 on some arm64 machines */
    return (a->bytes + page - 1) / page * page;
}

/* 16 TB of addresses; where the machine allows fewer, half of that, and half again. On both sides
 * nobody has memory, so that the same index of a shared or local array always misses the device's,
 * wherever the system puts them: an int reaches 8 GB of words. */
static bool reserve_arena(void)
{
    const size_t far = (size_t)1 << 34;
    for (size_t bytes = (size_t)1 << 44; !sim_arena_base && bytes >= (size_t)1 << 32; bytes >>= 1) {
        const size_t gap = far < bytes / 4 ? far : bytes / 4;
        void *base =
            mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED)
            continue;
        sim_arena_base = (uintptr_t)base + gap;
        sim_arena_bytes = bytes - 2 * gap;
        next_free = sim_arena_base + GUARD;
        free_until = sim_arena_base + sim_arena_bytes;
    }
    return sim_arena_base != 0;
}

size_t sim_memory_total(void)
{
    const size_t h200 = (size_t)143771 << 20; /* nvidia-smi: 143771 MiB */
    size_t machine = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return machine < h200 && !is_full ? machine : h200;
}

void sim_set_full_memory(int full)
{
    is_full = full != 0;
}

size_t sim_memory_available(unsigned int device)
{
    return sim_memory_total() - in_use[device];
}

struct sim_device_memory sim_device_memory(unsigned int device)
{
    return of_device[device];
}

void sim_reset_device_memory(unsigned int device)
{
    of_device[device].most = of_device[device].bytes;
}

static void note_use(const struct sim_allocation *a)
{
    struct sim_device_memory *device = &of_device[a->device];
    in_use[a->device] += a->bytes;
    if (a->kind == SIM_DEVICE_MEMORY)
        device->bytes += a->bytes;
    if (device->bytes > device->most)
        device->most = device->bytes;
}

bool sim_memory_reserved(void)
{
    return reserve_arena();
}

static struct sim_allocation *new_entry(void)
{
    struct sim_allocation **grown = sim_grow(allocations, &room, count + 1, sizeof *grown);
    if (!grown)
        return NULL;
    allocations = grown;
    return malloc(sizeof **allocations);
}

/* Puts the entry where its address belongs: at the end, but for memory of the host. */
static void insert(struct sim_allocation *a)
{
    size_t i = count++;
    for (; i && allocations[i - 1]->base > a->base; i--)
        allocations[i] = allocations[i - 1];
    allocations[i] = a;
}

/* When all addresses have been given out: those of memory that was freed, between what is live, are used again, and
 * what was freed there is forgotten. Returns false where no gap is large enough. */
static bool reuse_addresses(size_t mapped)
{
    uintptr_t begin = sim_arena_base + GUARD;
    for (size_t i = 0; i <= count; i++) {
        const bool is_end = i == count;
        const bool is_ours = !is_end && allocations[i]->base - sim_arena_base < sim_arena_bytes;
        if (!is_end && (!is_ours || allocations[i]->freed_at))
            continue;
        const uintptr_t end = is_end ? sim_arena_base + sim_arena_bytes : allocations[i]->base;
        if (end - begin >= mapped + 2 * GUARD) {
            size_t kept = 0;
            for (size_t k = 0; k < count; k++) /* the entries stay where others may point to them */
                if (!allocations[k]->freed_at || allocations[k]->base < begin ||
                    allocations[k]->base >= end)
                    allocations[kept++] = allocations[k];
            count = kept;
            next_free = begin;
            free_until = end;
            return true;
        }
        if (!is_end)
            begin = allocations[i]->base + mapped_bytes(allocations[i]) + GUARD;
    }
    return false;
}

void *sim_memory_allocate(size_t bytes, enum sim_memory_kind kind, unsigned int device,
                          uintptr_t pc)
{
    if (!reserve_arena() || bytes > sim_memory_available(device))
        return NULL;
    struct sim_allocation *a = new_entry();
    if (!a)
        return NULL;
    *a = (struct sim_allocation){.base = next_free,
                                 .bytes = bytes ? bytes : 1,
                                 .kind = kind,
                                 .device = device,
                                 .allocated_at = pc};
    size_t mapped = mapped_bytes(a);
    if (mapped + GUARD > free_until - next_free && reuse_addresses(mapped))
        a->base = next_free;
    if (mapped + GUARD > free_until - next_free ||
        mprotect((void *)a->base, mapped, PROT_READ | PROT_WRITE)) {
        free(a);
        return NULL;
    }
    insert(a);
    next_free += mapped + GUARD;
    note_use(a);
    if (bytes <= SIM_POISON_LIMIT)
        memset((void *)a->base, SIM_POISON, a->bytes);
    if (!is_open && kind == SIM_DEVICE_MEMORY)
        mprotect((void *)a->base, mapped, PROT_NONE);
    return (void *)a->base;
}

/* The last allocation that starts at or below `address`; count when there is none. */
static size_t index_below(uintptr_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (allocations[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : count;
}

void sim_lend(const void *memory)
{
    size_t i = index_below((uintptr_t)memory);
    if (i < count && allocations[i]->base == (uintptr_t)memory)
        allocations[i]->lent = true;
}

static void release(struct sim_allocation *a, uintptr_t pc)
{
    a->freed_at = pc ? pc : 1;
    if (a->on_release)
        a->on_release(a);
    in_use[a->device] -= a->bytes;
    of_device[a->device].bytes -= a->kind == SIM_DEVICE_MEMORY ? a->bytes : 0;
    madvise((void *)a->base, mapped_bytes(a), MADV_DONTNEED);
    mprotect((void *)a->base, mapped_bytes(a), PROT_NONE);
}

struct sim_allocation *sim_memory_register(void *base, size_t bytes, unsigned int device,
                                           uintptr_t pc)
{
    struct sim_allocation *a = new_entry();
    if (!a)
        return NULL;
    *a = (struct sim_allocation){.base = (uintptr_t)base,
                                 .bytes = bytes,
                                 .kind = SIM_REGISTERED_MEMORY,
                                 .device = device,
                                 .allocated_at = pc};
    insert(a);
    return a;
}

void sim_memory_unregister(struct sim_allocation *a)
{
    size_t i = 0;
    while (allocations[i] != a)
        i++;
    if (a->on_release)
        a->on_release(a);
    memmove(allocations + i, allocations + i + 1, (--count - i) * sizeof *allocations);
    free(a);
}

const struct sim_allocation *sim_memory_overlap(uintptr_t address, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        if (allocations[i]->base < address + bytes &&
            address < allocations[i]->base + allocations[i]->bytes)
            return allocations[i];
    return NULL;
}

void sim_report_double_free(const struct sim_allocation *a, uintptr_t pc)
{
    char detail[400], where[160], freed[160];
    if (!sim_checks(CHECK_MEMORY))
        return;
    snprintf(detail, sizeof detail, "the %zu bytes allocated at %s were freed at %s", a->bytes,
             sim_locate(a->allocated_at, where, sizeof where),
             sim_locate(a->freed_at, freed, sizeof freed));
    sim_report(CHECK_MEMORY, NULL, pc, "Invalid (double) free", detail,
               "free each allocation once");
}

const struct sim_allocation *sim_memory_next(const struct sim_allocation *last)
{
    size_t i = last ? index_below(last->base) + 1 : 0;
    while (i < count && allocations[i]->freed_at)
        i++;
    return i < count ? allocations[i] : NULL;
}

enum sim_free_result sim_memory_free(void *base, uintptr_t pc)
{
    size_t i = index_below((uintptr_t)base);
    if (i == count || allocations[i]->base != (uintptr_t)base)
        return SIM_NOT_AN_ALLOCATION;
    if (allocations[i]->freed_at) {
        sim_report_double_free(allocations[i], pc);
        return SIM_FREED_BEFORE;
    }
    release(allocations[i], pc);
    return SIM_FREED;
}

/* Allocations stay in the list for ever: their addresses are not used again, and whoever
 * touches one is told where it was freed. */
void sim_memory_free_all(unsigned int device)
{
    for (size_t i = count; i-- > 0;) {
        if (allocations[i]->device != device)
            continue;
        if (allocations[i]->kind == SIM_REGISTERED_MEMORY)
            sim_memory_unregister(allocations[i]);
        else if (!allocations[i]->freed_at)
            release(allocations[i], 0);
    }
}

const struct sim_allocation *sim_memory_find(uintptr_t address)
{
    if (sim_is_variable(address))
        return sim_find_variable(address);
    size_t i = index_below(address);
    return i < count && address - allocations[i]->base < allocations[i]->bytes ? allocations[i]
                                                                               : NULL;
}

const struct sim_allocation *sim_memory_nearest(uintptr_t address)
{
    const struct sim_allocation *best = NULL;
    size_t distance = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct sim_allocation *a = allocations[i];
        size_t d = address < a->base ? a->base - address : address - a->base;
        d = address >= a->base && d >= a->bytes ? d - a->bytes : d;
        if (!a->freed_at && d < distance) {
            best = a;
            distance = d;
        }
    }
    return best;
}

/* Host memory, and what is open anyway, stays as it is. */
static void protect(const void *address, int protection)
{
    const struct sim_allocation *a = NULL;
    if ((uintptr_t)address - sim_arena_base < sim_arena_bytes)
        a = sim_memory_find((uintptr_t)address);
    if (a && a->kind == SIM_DEVICE_MEMORY && !a->freed_at && !is_open)
        mprotect((void *)a->base, mapped_bytes(a), protection);
    closings += protection == PROT_NONE;
}

void sim_memory_copy(void *to, const void *from, size_t bytes)
{
    protect(to, PROT_READ | PROT_WRITE);
    protect(from, PROT_READ | PROT_WRITE);
    memmove(to, from, bytes);
    protect(to, PROT_NONE);
    protect(from, PROT_NONE);
}

void sim_memory_fill(void *to, int value, size_t bytes)
{
    protect(to, PROT_READ | PROT_WRITE);
    memset(to, value, bytes);
    protect(to, PROT_NONE);
}

/* Memory of the device that lies side by side, with what has been freed and the space between, is one range: a
 * call of the system for each allocation would cost more than a small kernel. */
static void protect_all(int protection)
{
    uintptr_t begin = 0, end = 0;
    for (size_t i = 0; i <= count; i++) {
        const struct sim_allocation *a = i < count ? allocations[i] : NULL;
        const bool is_device = a && a->kind == SIM_DEVICE_MEMORY;
        if (begin && !is_device && !(a && a->freed_at)) {
            mprotect((void *)begin, end - begin, protection);
            begin = 0;
        }
        if (is_device && !a->freed_at) {
            begin = begin ? begin : a->base;
            end = a->base + mapped_bytes(a);
        }
    }
}

void sim_memory_open(void)
{
    protect_all(PROT_READ | PROT_WRITE);
    is_open = true;
}

void sim_memory_close(void)
{
    is_open = false;
    closings++;
    protect_all(PROT_NONE);
}

void sim_memory_open_one(const struct sim_allocation *a)
{
    static _Thread_local const struct sim_allocation *last; /* nearly always the same one */
    static uint64_t closings_then;
    if (a == last && closings == closings_then)
        return;
    mprotect((void *)a->base, mapped_bytes(a), PROT_READ | PROT_WRITE);
    last = a;
    closings_then = closings;
}
