/* beside.c - kernels of different streams that may run at the same time.
 *
 * Here they run one after the other. A cell still holds what the earlier one did, with its time:
 * that tells whose it was. A list, or the parts of a word, are gone by then, and so is what the
 * earlier launch did first: a race may be overlooked, and none is invented. */
#include <stdio.h>

#include "checks/access_set.h"

enum { MOST = 16 };
static struct {
    uint32_t first, last;
} beside[MOST];
static size_t count;
static bool is_reported; /* of this launch */
bool sim_launches_beside;

void sim_race_beside_none(void)
{
    count = 0;
    sim_launches_beside = is_reported = false;
}

void sim_race_beside(uint32_t first, uint32_t last)
{
    if (count == MOST)
        return;
    beside[count].first = first;
    beside[count++].last = last;
    sim_launches_beside = true;
}

static bool is_one(const struct set *set)
{
    return set->shape == SET_LANES || set->shape == SET_BYTES || set->shape == SET_BLOCK ||
           set->shape == SET_GRID;
}

/* Those that its accesses touch, a bit each. */
static unsigned int bytes_of(const struct set *set)
{
    return set->shape == SET_BYTES ? bytes_flags(set->lanes) : 15;
}

static bool ran_beside(uint32_t time)
{
    for (size_t i = 0; i < count; i++)
        if (time >= beside[i].first && time <= beside[i].last)
            return true;
    return false;
}

static bool conflicts(const struct access *a, const struct set *set, unsigned int bytes)
{
    enum access_kind kind = (enum access_kind)set->kind;
    bool loads = is_load(a->kind) && is_load(kind), atomics = is_atomic(a->kind) && is_atomic(kind);
    return is_one(set) && bytes & bytes_of(set) && !loads && !atomics && ran_beside(set->time);
}

void sim_race_with_others(const struct access *a, const struct cell *cell, unsigned int bytes)
{
    const struct set *set = conflicts(a, &cell->write, bytes)  ? &cell->write
                            : conflicts(a, &cell->seen, bytes) ? &cell->seen
                                                               : NULL;
    char element[256], where[200], detail[500];
    if (!set || is_reported)
        return;
    is_reported = true;
    sim_describe_address(a->warp->block, a->race.allocation, a->race.address, a->race.bytes,
                         element, sizeof element);
    snprintf(detail, sizeof detail, "%s; the other kernel %s it at %s", element,
             is_load((enum access_kind)set->kind) ? "reads" : "writes",
             sim_locate(sim_pc_of_number(set->pc), where, sizeof where));
    sim_report(CHECK_RACE, &a->warp->lane[a->lane], a->race.pc,
               "Race between two streams: nothing orders this kernel and another one", detail,
               "put both into one stream, or let one wait for the other: cudaStreamWaitEvent, "
               "cudaStreamSynchronize");
}

/* The bytes of the word at `word` that lie in the range. */
static unsigned int bytes_within(uintptr_t word, uintptr_t at, size_t bytes)
{
    unsigned int within = 0;
    for (unsigned int b = 0; b < 4; b++)
        if (word + b - at < bytes)
            within |= 1u << b;
    return within;
}

static bool met(const struct set *set, unsigned int bytes, uint32_t first, uint32_t last)
{
    return is_one(set) && bytes & bytes_of(set) && set->time >= first && set->time <= last;
}

uintptr_t sim_shadow_met(uintptr_t at, size_t bytes, uint32_t first, uint32_t last, bool stores)
{
    const struct sim_allocation *allocation = sim_memory_find(at);
    const struct shadow *shadow =
        allocation && !allocation->freed_at ? sim_shadow_global(allocation) : NULL;
    if (!shadow)
        return 0;
    size_t end = (at + bytes - shadow->base + 3) / 4;
    for (size_t i = (at - shadow->base) / 4; i < end && i < shadow->words; i++) {
        const struct cell *cell = &shadow->cells[i];
        const unsigned int within = bytes_within(shadow->base + 4 * i, at, bytes);
        if (met(&cell->write, within, first, last))
            return sim_pc_of_number(cell->write.pc);
        bool counts = !stores || is_atomic((enum access_kind)cell->seen.kind);
        if (counts && met(&cell->seen, within, first, last))
            return sim_pc_of_number(cell->seen.pc);
    }
    return 0;
}
