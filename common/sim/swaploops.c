/* swaploops.c - the loads that begin a loop around atomicCAS.
 *
 *     old = *address;
 *     do { assumed = old; old = atomicCAS(address, assumed, f(assumed)); } ...
 *
 * The CUDA Programming Guide writes atomics so. The load is plain, and what it
 * reads is only a guess, which the atomicCAS proves: no race with atomics. An
 * instruction is taken for such a load while every lane that executes it goes on
 * to an atomicCAS of that very address. A load that only some lanes follow up
 * with one is a guard, and races. What the first execution of an instruction finds
 * is told only when it is known which of the two it is. */
#include "shadow.h"

enum load_kind { UNKNOWN, PLAIN, SWAP };
enum { PCS = 1 << 16 };
static unsigned char kinds[PCS];

static struct {
    bool waits;
    uint16_t pc;
    uint32_t mask;
    unsigned int words;
    struct shadow *shadow;
    uintptr_t address[WARP];
    struct race race[WARP];
    uint32_t found; /* lanes whose race waits */
} step;

bool sim_swap_waits;

bool sim_swap_load(const struct warp *warp, uint32_t mask, unsigned int bytes, uint16_t pc,
                   struct shadow *shadow)
{
    if (kinds[pc] == PLAIN || bytes < 4 || step.waits || pc == 0)
        return false;
    step.waits = sim_swap_waits = true;
    step.pc = pc;
    step.mask = mask;
    step.words = bytes / 4;
    step.shadow = shadow;
    step.found = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        step.address[__builtin_ctz(rest)] = warp->address[__builtin_ctz(rest)];
    return kinds[pc] == SWAP;
}

bool sim_swap_defers(const struct race *race)
{
    if (!step.waits || kinds[step.pc] != UNKNOWN || race->kind != RACE_RAW ||
        !(step.mask >> race->lane & 1))
        return false;
    step.race[race->lane] = *race;
    step.found |= 1u << race->lane;
    return true;
}

/* Whether all lanes stand at an atomicCAS of what they have just loaded. */
static bool all_swap(const struct warp *warp)
{
    for (uint32_t rest = step.mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        if (!(warp->live >> i & 1) || info_stop(warp->info[i]) != STOP_ATOMIC ||
            !(warp->info[i] & INFO_SWAP) || warp->address[i] != step.address[i])
            return false;
    }
    return true;
}

static void soften_set(struct set *set, const struct warp *warp)
{
    if (set->shape == SET_LANES && set->kind == READS && set->warp == warp->id)
        set->kind = VOLATILE_READS;
}

/* The loads were remembered as plain ones. */
static void soften(const struct warp *warp, uintptr_t address)
{
    struct cell *cell = &step.shadow->cells[(address - step.shadow->base) / 4];
    for (unsigned int word = 0; word < step.words; word++) {
        struct set *seen = &cell[word].seen;
        soften_set(seen, warp);
        if (seen->shape != SET_LIST)
            continue;
        union pool_item *item = sim_pool_item(seen->lanes);
        for (uint32_t i = 0; i < item->list.count; i++)
            soften_set(&item->list.set[i], warp);
    }
}

void sim_swap_decide(const struct warp *warp)
{
    bool swaps = all_swap(warp), first = kinds[step.pc] == UNKNOWN;
    step.waits = sim_swap_waits = false;
    kinds[step.pc] = swaps ? SWAP : PLAIN;
    if (!first)
        return;
    for (uint32_t rest = step.mask; rest && swaps; rest &= rest - 1)
        soften(warp, step.address[__builtin_ctz(rest)]);
    for (uint32_t rest = step.found; rest && !swaps; rest &= rest - 1)
        sim_race_found(&step.race[__builtin_ctz(rest)], false);
}
