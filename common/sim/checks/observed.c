/* observed.c - what a lane has seen of a word by its own strong reads.
 *
 * PTX (Memory Consistency Model, observation order and causality order): what reads the value
 * of a strong store, by itself or through a chain of atomics, is behind that store, and so is
 * all that the lane does later. No fence is needed for the word itself. So a token goes round,
 * a lock is released, and the last block of a grid sets its counter back to 0.
 *
 * One entry stands for many words. When two want it the first is lost, and a lane whose entry
 * is lost is not blamed. */
#include "checks/access_set.h"

/* The last volatile store, and the last atomic, at the lane's last strong read. */
struct strong_writer {
    uint32_t time, warp;
    uint8_t lane;
    bool known;
};
enum { OBSERVED_BITS = 14 };
static struct observation {
    uintptr_t word;
    uint32_t warp, lane, time;
    struct strong_writer store, atomic;
} observed[1 << OBSERVED_BITS];

static struct observation *observation(const struct access *a)
{
    uint64_t key = a->word / 4 * 31 + a->warp->id * WARP + a->lane;
    return &observed[sim_hash(key, OBSERVED_BITS)];
}

static bool is_of(const struct observation *o, const struct access *a)
{
    return o->word == a->word && o->warp == a->warp->id && o->lane == a->lane;
}

static struct strong_writer writer_of(const struct set *set)
{
    return (struct strong_writer){set->time, set->warp, set->lane, true};
}

/* The last atomic of a word: atomics replace each other (access_set.c). */
static struct strong_writer last_atomic(const struct set *seen)
{
    if (seen->shape == SET_LANES && seen->kind == ATOMICS)
        return writer_of(seen);
    const union pool_item *item = seen->shape == SET_LIST ? sim_pool_item(seen->lanes) : NULL;
    for (uint32_t i = 0; item && i < item->list.count; i++)
        if (item->list.set[i].kind == ATOMICS && item->list.set[i].shape == SET_LANES)
            return writer_of(&item->list.set[i]);
    return (struct strong_writer){0};
}

void sim_observe_word(const struct access *a, const struct cell *cell)
{
    struct strong_writer atomic = last_atomic(&cell->seen), store = {0};
    if (cell->write.kind == VOLATILE_WRITES && cell->write.shape == SET_LANES)
        store = writer_of(&cell->write);
    if (atomic.known || store.known)
        *observation(a) =
            (struct observation){a->word, a->warp->id, a->lane, a->time, store, atomic};
}

bool sim_has_observed(const struct access *a, const struct set *set)
{
    const struct observation *o = observation(a);
    const struct strong_writer *w = is_atomic((enum access_kind)set->kind) ? &o->atomic : &o->store;
    if (!is_of(o, a)) /* by another one of this launch: ours may have been here */
        return o->time >= sim_grid_time;
    return w->known && w->time == set->time && w->warp == set->warp && w->lane == set->lane;
}
