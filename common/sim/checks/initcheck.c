/* initcheck.c - loads of bytes that nothing has written.
 *
 * cudaMalloc'ed and shared memory hold rubbish at first. What the host writes is
 * kept as ranges, what kernels write as one bit for each byte. Pinned and managed memory the host may write at any time,
 * without anybody seeing it: there a word counts as unwritten while it still holds what new memory is filled with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/shadow.h"

/* Bytes [from, to) of an allocation that the host has written; in order, apart. */
struct written {
    size_t from, to;
    struct written *next;
};

static void add_range(struct sim_allocation *a, size_t from, size_t to)
{
    struct written **at = &a->written;
    while (*at && (*at)->to < from)
        at = &(*at)->next;
    while (*at && (*at)->from <= to) { /* one that touches it */
        struct written *old = *at;
        from = old->from < from ? old->from : from;
        to = old->to > to ? old->to : to;
        *at = old->next;
        free(old);
    }
    struct written *range = malloc(sizeof *range);
    if (!range)
        return;
    *range = (struct written){from, to, *at};
    *at = range;
    a->on_release = sim_shadow_drop;
    a->all_written = from == 0 && to == a->bytes;
}

void sim_init_forget(struct sim_allocation *allocation)
{
    for (struct written *next; allocation->written; allocation->written = next) {
        next = allocation->written->next;
        free(allocation->written);
    }
}

static bool host_may_write(const struct sim_allocation *a)
{
    return a->kind == SIM_PINNED_MEMORY || a->kind == SIM_MANAGED_MEMORY;
}

/* Bit i is set when byte i of a word is what new memory holds; of less than 4 bytes none is, for they may well be data. */
static uint32_t untouched_at(const struct sim_allocation *a, size_t offset, unsigned int bytes)
{
    uint32_t bits = 0;
    if (bytes < 4 || a->bytes > SIM_POISON_LIMIT)
        return 0;
    for (unsigned int i = 0; i < bytes; i++)
        if (((const unsigned char *)a->base)[offset + i] == SIM_POISON)
            bits |= 1u << i;
    return bits == (1u << bytes) - 1 ? bits : 0;
}

static struct sim_allocation *device_allocation(const void *address)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)address);
    if (!a || a->kind != SIM_DEVICE_MEMORY || a->freed_at)
        return NULL;
    return (struct sim_allocation *)(uintptr_t)a;
}

void sim_init_host_writes(const void *address, size_t bytes)
{
    struct sim_allocation *a = device_allocation(address);
    size_t offset = a ? (uintptr_t)address - a->base : 0;
    if (a && bytes && !a->all_written)
        add_range(a, offset, offset + bytes);
}

/* Bit i is set when byte `offset + i` was written by a kernel. */
static uint32_t bits_at(const struct shadow *shadow, size_t offset)
{
    uint32_t bits;
    if (!shadow || !shadow->written)
        return 0;
    memcpy(&bits, shadow->written + offset / 8, sizeof bits);
    return bits >> offset % 8;
}

static void set_bits(struct shadow *shadow, size_t offset, uint32_t bits)
{
    uint32_t all;
    memcpy(&all, shadow->written + offset / 8, sizeof all);
    all |= bits << offset % 8;
    memcpy(shadow->written + offset / 8, &all, sizeof all);
}

/* The same, and what the host wrote. */
static uint32_t known_at(const struct sim_allocation *a, size_t offset, unsigned int bytes)
{
    uint32_t bits = bits_at(a->shadow, offset);
    for (const struct written *w = a->written; w; w = w->next)
        for (unsigned int i = 0; i < bytes; i++)
            if (offset + i >= w->from && offset + i < w->to)
                bits |= 1u << i;
    return bits;
}

void sim_init_host_copies(const void *to, const void *from, size_t bytes)
{
    const struct sim_allocation *source = device_allocation(from);
    struct sim_allocation *target = device_allocation(to);
    if (!target || target->all_written)
        return;
    if (!source || source->all_written) {
        sim_init_host_writes(to, bytes);
        return;
    }
    size_t start = 0, offset = (uintptr_t)from - source->base;
    for (size_t i = 0; i <= bytes; i++) { /* runs of written bytes */
        if (i < bytes && known_at(source, offset + i, 1) & 1)
            continue;
        sim_init_host_writes((const char *)to + start, i - start);
        start = i + 1;
    }
}

/* The first of these bytes of an allocation that is written, or that is not; `bytes` when there is none. */
static size_t first_byte(const struct sim_allocation *a, const void *address, size_t bytes,
                         bool written)
{
    size_t at = 0, offset = (uintptr_t)address - a->base;
    while (at < bytes && (known_at(a, offset + at, 1) & 1) != written)
        at++;
    return at;
}

size_t sim_init_unwritten(const void *address, size_t bytes)
{
    const struct sim_allocation *a = device_allocation(address);
    return !a || a->all_written ? bytes : first_byte(a, address, bytes, false);
}

bool sim_init_any(const void *address, size_t bytes)
{
    const struct sim_allocation *a = device_allocation(address);
    return !a || a->all_written || first_byte(a, address, bytes, true) < bytes;
}

void sim_init_fresh_shared(const struct block *block, size_t offset, size_t bytes)
{
    struct shadow *shadow = sim_shadow_shared(block);
    if (shadow && sim_shadow_written(shadow))
        memset(shadow->written + offset / 8, 0, (bytes + 7) / 8);
}

void sim_init_mark_shared(const struct block *block, size_t offset, size_t bytes, bool written)
{
    struct shadow *shadow = sim_shadow_shared(block);
    if (!shadow || !sim_shadow_written(shadow))
        return;
    for (size_t byte = offset; byte < offset + bytes; byte++) {
        unsigned char *eight = &shadow->written[byte / 8];
        const unsigned int bit = 1u << byte % 8;
        *eight = (unsigned char)(written ? *eight | bit : *eight & ~bit);
    }
}

/* Wide loads also copy structs, whose padding nobody writes: there a part is
 * missing only when all of its 8 bytes are. */
static bool is_missing(uint32_t missing, unsigned int bytes, bool copies)
{
    if (bytes < 8)
        return copies ? missing == (1u << bytes) - 1 : missing != 0;
    for (; bytes; bytes -= 8, missing >>= 8)
        if ((missing & 0xff) == 0xff)
            return true;
    return false;
}

/* Of bytes that an asynchronous copy is about to bring. */
static void report_begun_copy(const struct warp *warp, unsigned int lane, unsigned int bytes)
{
    char detail[480], element[320];
    sim_describe_address(warp->block, NULL, warp->address[lane], bytes, element, sizeof element);
    snprintf(detail, sizeof detail,
             "a thread has begun to copy %s and has not waited: it need not be there yet", element);
    sim_report(CHECK_INIT, &warp->lane[lane], sim_lane_pc(warp, lane),
               "Asynchronous copy read too early", detail,
               "let the thread that copies commit, and wait for it before anybody reads: "
               "__pipeline_commit(), __pipeline_wait_prior(0); for what others copy then "
               "__syncthreads()");
}

static void report(const struct warp *warp, unsigned int lane, unsigned int bytes, uint32_t missing,
                   const struct sim_allocation *allocation)
{
    char headline[96], detail[480], element[320];
    const struct block *block = warp->block;
    unsigned int first = (unsigned int)__builtin_ctz(missing);
    unsigned int count = (unsigned int)__builtin_popcount(missing);
    if (!allocation &&
        sim_copy_is_begun(block, warp->address[lane] + first - (uintptr_t)block->shared)) {
        report_begun_copy(warp, lane, bytes);
        return;
    }
    snprintf(headline, sizeof headline, "Uninitialized __%s__ memory read of size %u bytes",
             allocation ? "global" : "shared", bytes);
    sim_describe_address(block, allocation, warp->address[lane], bytes, element, sizeof element);
    if (count == bytes)
        snprintf(detail, sizeof detail, "nothing has written %s", element);
    else
        snprintf(detail, sizeof detail, "nothing has written byte %u of %s (%u of its %u bytes)",
                 first, element, count, bytes);
    sim_report(
        CHECK_INIT, &warp->lane[lane], sim_lane_pc(warp, lane), headline, detail,
        allocation && host_may_write(allocation)
            ? "new memory holds rubbish, also where the host may write: set it before the launch"
        : allocation ? "memory from cudaMalloc holds rubbish: set it with cudaMemset or "
                       "cudaMemcpy (its size is in bytes), or store to it first"
                     : "shared memory holds rubbish: let threads set it, then "
                       "__syncthreads(), then read it");
}

/* A byte is reported once: from then on it counts as written. */
static void check_lane(const struct warp *warp, unsigned int lane, struct stop stop,
                       struct shadow *shadow, const struct sim_allocation *allocation)
{
    unsigned int bytes = stop.bytes;
    size_t offset = warp->address[lane] - shadow->base;
    uint32_t wanted = (1u << bytes) - 1, missing = wanted & ~bits_at(shadow, offset);
    if (!missing)
        return;
    if (allocation)
        missing &= ~known_at(allocation, offset, bytes);
    if (allocation && host_may_write(allocation))
        missing &= untouched_at(allocation, offset, bytes);
    set_bits(shadow, offset, wanted);
    if (stop.reason == STOP_STORE || stop.flags & ACCESS_EXCHANGE)
        return;
    if (missing && is_missing(missing, bytes, stop.flags & ACCESS_COPY))
        report(warp, lane, bytes, missing, allocation);
}

/* Looks for bytes that nothing wrote; remembers what is stored. */
static void touch(const struct warp_access *access)
{
    const struct warp *warp = access->warp;
    const struct stop stop = access->stop;
    const struct sim_allocation *allocation = access->allocation;
    if (allocation && ((allocation->kind != SIM_DEVICE_MEMORY && !host_may_write(allocation)) ||
                       allocation->all_written))
        return;
    struct shadow *shadow =
        allocation ? sim_shadow_global(allocation) : sim_shadow_shared(warp->block);
    if (!shadow || !sim_shadow_written(shadow))
        return;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1)
        check_lane(warp, (unsigned int)__builtin_ctz(rest), stop, shadow, allocation);
}

const struct observer sim_initcheck = {.block_begins = sim_copies_start_block,
                                       .lanes_touch = touch};
