/* shadow.c - memory about memory: for each word that kernels touch a cell that
 * says who touched it, and for each byte a bit that says whether it was written.
 *
 * Addresses are reserved for all of an allocation; the machine gives memory only
 * to the pages that are used. */
#define _GNU_SOURCE
#include "checks/shadow.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct shadow *all; /* every shadow, for sim_shadow_wipe */
static size_t used_words;

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    return memory;
}

static struct shadow *new_shadow(uintptr_t base, size_t bytes)
{
    struct shadow *shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return NULL;
    shadow->base = base & ~(uintptr_t)3;
    shadow->words = (bytes + (base & 3) + 3) / 4;
    shadow->cells = reserve(shadow->words * sizeof *shadow->cells);
    if (!shadow->cells) {
        free(shadow);
        return NULL;
    }
    shadow->next = all;
    if (all)
        all->before = shadow;
    all = shadow;
    return shadow;
}

static size_t bit_bytes(const struct shadow *shadow)
{
    return shadow->words / 2 + 16; /* may be read a little past the end */
}

bool sim_shadow_written(struct shadow *shadow)
{
    if (!shadow->written)
        shadow->written = reserve(bit_bytes(shadow));
    return shadow->written != NULL;
}

static void delete_shadow(struct shadow *shadow)
{
    if (!shadow)
        return;
    if (shadow->written)
        munmap(shadow->written, bit_bytes(shadow));
    munmap(shadow->cells, shadow->words * sizeof *shadow->cells);
    if (shadow->next)
        shadow->next->before = shadow->before;
    if (shadow->before)
        shadow->before->next = shadow->next;
    else
        all = shadow->next;
    free(shadow);
}

void sim_shadow_drop(struct sim_allocation *allocation)
{
    sim_cas_forget(allocation->shadow);
    delete_shadow(allocation->shadow);
    allocation->shadow = NULL;
    sim_init_forget(allocation);
}

void sim_shadow_wipe(void)
{
    for (struct shadow *s = all; s; s = s->next)
        madvise(s->cells, s->words * sizeof *s->cells, MADV_DONTNEED);
    used_words = 0;
}

/* All variables of the program share one shadow, on each device. */
extern char __start_sim_device[] __attribute__((weak));
extern char __stop_sim_device[] __attribute__((weak));

struct shadow *sim_shadow_global(const struct sim_allocation *allocation)
{
    static struct shadow *variables[SIM_MOST_DEVICES];
    if (allocation->kind == SIM_DEVICE_VARIABLE) {
        struct shadow **shadow = &variables[allocation->device];
        if (!*shadow)
            *shadow = new_shadow((uintptr_t)__start_sim_device,
                                 (size_t)(__stop_sim_device - __start_sim_device));
        return *shadow;
    }
    struct sim_allocation *a = (struct sim_allocation *)(uintptr_t)allocation;
    if (!a->shadow) {
        a->shadow = new_shadow(a->base, a->bytes);
        a->on_release = sim_shadow_drop;
    }
    return a->shadow;
}

struct shadow *sim_shadow_shared(const struct block *block)
{
    static struct shadow **slots;
    static size_t room;
    struct shadow **grown =
        sim_grow(slots, &room, (size_t)block->slot + 1, sizeof(struct shadow *));
    if (!grown)
        return NULL;
    slots = grown;
    if (!slots[block->slot])
        slots[block->slot] = new_shadow((uintptr_t)block->shared, SHARED_SLOT);
    return slots[block->slot];
}

/* Lists and parts of cells live in a pool: at most 12 bytes for each touched word,
 * so that 11 bytes for each byte are never exceeded. Its memory is used again
 * with each launch. */
enum { POOL_ITEMS = 1 << 24, ALWAYS = 8192, WORD_SHARE = 12 };
static union pool_item *pool;
static uint32_t pool_used, pool_free, pool_since;

/* Nothing is cleared: a set of an earlier launch is older than every floor. */
void sim_pool_reset(uint32_t time)
{
    pool_since = time;
    pool_used = 0;
    pool_free = 0;
}

uint32_t sim_pool_take(void)
{
    if (!pool)
        pool = reserve((size_t)POOL_ITEMS * sizeof *pool);
    if (!pool)
        return 0;
    if (pool_free) {
        uint32_t item = pool_free;
        pool_free = pool[item].next_free;
        return item;
    }
    if (pool_used + 1 >= POOL_ITEMS ||
        (pool_used >= ALWAYS && pool_used * sizeof *pool > used_words * WORD_SHARE))
        return 0;
    return ++pool_used;
}

void sim_pool_give_back(uint32_t item, uint32_t time)
{
    if (time < pool_since)
        return;
    pool[item].next_free = pool_free;
    pool_free = item;
}

union pool_item *sim_pool_item(uint32_t item)
{
    return &pool[item];
}

void sim_shadow_note_word(void)
{
    used_words++;
}

/* Bytes of [memory, memory + bytes) for which the machine has given memory. */
/* The addresses that are reserved would be many times as much. */
static size_t resident(const void *memory, size_t bytes)
{
    enum { PAGES = 4096 };
    static unsigned char present[PAGES];
    size_t count = 0, page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = 0; memory && at < bytes; at += PAGES * page_bytes) {
        size_t part = bytes - at < PAGES * page_bytes ? bytes - at : PAGES * page_bytes;
        if (mincore((char *)(uintptr_t)memory + at, part, present))
            return count;
        for (size_t page = 0; page < (part + page_bytes - 1) / page_bytes; page++)
            count += (present[page] & 1) * page_bytes;
    }
    return count;
}

struct sim_check_costs sim_check_costs(void)
{
    struct sim_check_costs costs = {0, used_words * 4};
    for (const struct shadow *s = all; s; s = s->next)
        costs.shadow_bytes +=
            resident(s->cells, s->words * sizeof *s->cells) + resident(s->written, bit_bytes(s));
    costs.shadow_bytes += resident(pool, (size_t)POOL_ITEMS * sizeof *pool);
    return costs;
}
