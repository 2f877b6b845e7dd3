/* wide.c - loads and stores that nvcc makes one of: neighboring members of a structure.
 *
 * A kernel that reads x.a and x.b of a structure at a multiple of 8 bytes makes one load of 8 bytes on a card
 * (LDG.E.64), and of 16 bytes at most (LDG.E.128). gcc's calls come one member at a time. So the last few
 * accesses of a warp are kept, and one that lies beside a kept access, for the same lanes and in the same
 * basic block, joins it: what both together cost takes the place of what was counted. All members have to have
 * one size, and no store to that memory may come between.
 *
 * How a pointer is aligned nvcc knows from types: those of the kernel's parameters, and of variables
 * (sim_type_at). Shared memory begins at a multiple of 16, and there nvcc knows from the index which places
 * are neighbors; here that is seen from the places which all lanes want.
 *
 * A load may fetch a part that nobody wants, a store may not: of four words a load takes three
 * together when the first is one of them. What is volatile stays as it is. All of this was read off the SASS
 * of tests/fidelity/aggregates.cu, and counted on a card (docs/results/h200/aggregates.csv). */
#include "engine/engine.h"

enum { WIDEST = 16, WIDE = 4 };

/* Of a warp: its last accesses, and which of them the next one takes the place of. */
static struct wide_of_warp {
    struct wide wide[WIDE];
    unsigned int next;
} of_warp[MOST_WARPS];

/* The largest power of two, up to 16, modulo which all lanes have the same address. When that is
 * one address, nothing is seen of the index: then what the size of an element promises. */
static size_t alignment_in_shared(const struct warp *warp, uint32_t mask)
{
    const uintptr_t first = warp->address[__builtin_ctz(mask)];
    uintptr_t differs = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        differs |= warp->address[__builtin_ctz(rest)] ^ first;
    if (!differs) {
        const struct shared_variable *variable =
            sim_find_shared(warp->block->launch, first - (uintptr_t)warp->block->shared);
        differs = variable ? variable->element : 1;
    }
    differs |= WIDEST;
    return differs & -differs;
}

static size_t alignment_at(const struct warp *warp, uint32_t mask, bool shared)
{
    size_t element;
    if (shared)
        return alignment_in_shared(warp, mask);
    const size_t known = sim_type_at(warp->address[__builtin_ctz(mask)], &element);
    return known < WIDEST ? known : WIDEST;
}

/* Whether an access lies beside those of `wide`: the same lanes, each as far from where it was. */
static bool is_beside(struct wide *wide, const struct warp *warp, uint32_t mask, bool shared,
                      struct extent extent)
{
    const uintptr_t first = warp->address[__builtin_ctz(mask)], moved = first - wide->first;
    if (moved == 0 || extent.low - wide->low != moved || extent.high - wide->high != moved ||
        (first ^ wide->first) >= WIDEST)
        return false;
    if (!wide->alignment) {
        wide->alignment = (uint8_t)alignment_at(warp, mask, shared);
        const size_t parts = wide->alignment > wide->bytes ? wide->alignment : wide->bytes;
        wide->slots = (uint16_t)(1u << (wide->first & (parts - 1)) / wide->bytes);
    }
    return (first ^ wide->first) < wide->alignment;
}

/* A store ends what was loaded from that memory, and a load what was stored. */
static void end_others(struct wide *wide, uint8_t reason, bool shared)
{
    for (int i = 0; i < WIDE; i++)
        if (wide[i].reason != reason && wide[i].shared == shared)
            wide[i].mask = 0;
}

void sim_part(const struct warp *warp)
{
    for (int i = 0; i < WIDE; i++)
        of_warp[warp->at].wide[i].mask = 0;
}

struct wide *sim_join(const struct warp *warp, uint32_t mask, struct stop stop, bool shared,
                      struct extent extent, unsigned int *added)
{
    const unsigned int lane = (unsigned int)__builtin_ctz(mask);
    const uint64_t entered = warp->lane[lane].entered;
    struct wide_of_warp *of = &of_warp[warp->at];
    end_others(of->wide, stop.reason, shared);
    if (stop.bytes >= WIDEST || stop.flags & ACCESS_VOLATILE)
        return NULL;
    for (int i = 0; i < WIDE; i++) {
        struct wide *wide = &of->wide[i];
        if (wide->mask != mask || wide->entered != entered || wide->bytes != stop.bytes ||
            wide->reason != stop.reason || wide->shared != shared ||
            !is_beside(wide, warp, mask, shared, extent))
            continue;
        *added = (unsigned int)((warp->address[lane] & (wide->alignment - 1u)) / wide->bytes);
        return wide;
    }
    of->wide[of->next++ % WIDE] = (struct wide){.first = warp->address[lane],
                                                .low = extent.low,
                                                .high = extent.high,
                                                .mask = mask,
                                                .entered = entered,
                                                .reason = stop.reason,
                                                .bytes = stop.bytes,
                                                .shared = shared};
    return NULL;
}

/* Whether one instruction takes `count` slots from `slot` on. */
static bool goes_together(const struct wide *wide, uint16_t slots, unsigned int slot,
                          unsigned int count)
{
    const unsigned int all = (1u << count) - 1, wanted = (unsigned int)slots >> slot & all;
    if (slot % count != 0 || !(wanted & 1))
        return false;
    if (wanted == all || count == 1)
        return true;
    const bool gaps = (wanted | wanted << 1 | wanted >> 1) >> (count / 2) == 0;
    return wide->reason == STOP_LOAD && count >= 4 && !gaps && __builtin_popcount(wanted) >= 3 &&
           2 * (unsigned int)__builtin_popcount(wanted) >= count;
}

unsigned int sim_pieces(const struct wide *wide, uint16_t slots, struct piece *pieces)
{
    const unsigned int most = wide->alignment / wide->bytes;
    unsigned int number = 0, slot = 0;
    while (slot < most) {
        unsigned int count = slots >> slot & 1 ? most : 0;
        while (count > 1 && (slot + count > most || !goes_together(wide, slots, slot, count)))
            count /= 2;
        if (count > 0)
            pieces[number++] = (struct piece){(uint8_t)slot, (uint8_t)count};
        slot += count > 0 ? count : 1;
    }
    return number;
}
