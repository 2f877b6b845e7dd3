/* access_set.c - sets of accesses that do not know of each other, small enough for a cell.
 *
 * Each word of memory has a cell, and the cell has to remember the accesses with which a later one may
 * race. After a store one access is enough. But the loads since the last store may be thousands, none of
 * which knows of another, and a later store races with each of them that its lane does not know of.
 * FastTrack (Flanagan and Freund, 2009) keeps a clock for each thread then; a grid has too many.
 *
 * So a set takes one of three shapes. Lanes of one warp are a mask of bits with one time. Several warps of
 * a block, or several blocks, are a summary: the last access, and one more warp that is not the last one's.
 * The summary says exactly whether there is a race, since barriers order whole blocks: a lane
 * either knows of all accesses in it, or fails to know of one of these two. What it no longer
 * says is with whom of many the race is. Flags order single lanes, so that this reasoning does not hold
 * for them: where a kernel uses flags, up to seven sets are kept in a list instead. */
#include "checks/access_set.h"

/* Those of a set's lanes that the accessing lane does not know of, but for what came by
 * way of flags: where sets are kept small, a lane too many does no harm. */
static uint32_t unordered_simply(const struct access *a, const struct set *set)
{
    return sim_order_unordered_simply(a->warp, a->lane,
                                      (struct epoch){set->warp, set->lanes, set->time});
}

static bool same_block(const struct access *a, uint32_t one, uint32_t other)
{
    return one / a->warp->block->warp_count == other / a->warp->block->warp_count;
}

/* Adds one access to a summary, or makes one of two sets of a kind. */
static void summarize(const struct access *a, struct set *set, struct set new)
{
    bool many = set->shape != SET_LANES;
    if (!many && set->warp == new.warp) {
        *set = new;
        return;
    }
    uint32_t other = many ? set->lanes : new.warp;
    bool grid = set->shape == SET_GRID || !same_block(a, set->warp, new.warp);
    bool later = new.time >= set->time;
    const struct set *last = later ? &new : set, *first = later ? set : &new;
    bool differ = grid ? !same_block(a, last->warp, first->warp) : last->warp != first->warp;
    if (differ)
        other = first->warp;
    struct set sum = *last;
    sum.lanes = other;
    sum.shape = grid ? SET_GRID : SET_BLOCK;
    *set = sum;
}

/* Whether `new` takes the place of an entry of its kind, whoever made that: an atomic has
 * observed all atomics before it. Whoever knows of the last one knows of all (PTX ISA, Memory
 * Consistency Model, causality order); who does not races with the last one, too. */
static bool replaces(const struct set *set, struct set new)
{
    return set->kind == new.kind &&is_atomic((enum access_kind) new.kind);
}

/* Entries of which the new access knows are dropped: whoever races with them races with it,
 * too. */
static void add_to_list(const struct access *a, struct set *set, struct set new)
{
    union pool_item *item = sim_pool_item(set->lanes);
    struct set *same = NULL;
    uint32_t kept = 0;
    set->time = new.time > set->time ? new.time : set->time;
    for (uint32_t i = 0; i < item->list.count; i++) {
        struct set *entry = &item->list.set[i];
        if (entry->time < a->floor || replaces(entry, new))
            continue;
        if (entry->kind == new.kind && entry->shape == SET_LANES) {
            if (entry->warp == new.warp && entry->time == new.time) {
                new.lanes |= entry->lanes;
                continue;
            }
            entry->lanes = unordered_simply(a, entry);
            if (!entry->lanes)
                continue;
            if (!(entry->lanes >> entry->lane & 1))
                entry->lane = (uint8_t)(__builtin_ctz(entry->lanes) & 31);
        }
        item->list.set[kept] = *entry;
        if (entry->kind == new.kind && (!same || entry->shape != SET_LANES))
            same = &item->list.set[kept];
        kept++;
    }
    item->list.count = kept;
    if (same && (same->shape != SET_LANES || kept == LISTED))
        summarize(a, same, new);
    else if (kept == LISTED)
        item->list.set[0] = new;
    else
        item->list.set[item->list.count++] = new;
}

/* Puts `set` and `new` into a list; without memory for it, something is forgotten. */
static void make_list(const struct access *a, struct set *set, struct set new)
{
    /* Without fences nothing is learned by way of flags, and a summary is exact. */
    bool summary_will_do = !sim_fences_ever_used && set->kind == new.kind && set->warp != new.warp;
    uint32_t number = summary_will_do ? 0 : sim_pool_take();
    if (!number) {
        if (set->kind == new.kind)
            summarize(a, set, new);
        else
            *set = new;
        return;
    }
    union pool_item *item = sim_pool_item(number);
    item->list.count = 1;
    item->list.set[0] = *set;
    *set = (struct set){.time = set->time, .lanes = number, .shape = SET_LIST};
    add_to_list(a, set, new);
}

void sim_set_add(const struct access *a, struct set *set, struct set new)
{
    if (set->shape == SET_EMPTY || set->time < a->floor || set->shape == SET_BYTES ||
        (set->shape != SET_LIST && replaces(set, new))) {
        sim_set_drop(set);
        *set = new;
    } else if (set->shape == SET_LIST) {
        add_to_list(a, set, new);
    } else if (set->kind != new.kind) {
        make_list(a, set, new);
    } else if (set->shape != SET_LANES) {
        if (set->shape == SET_BLOCK && in_block(a->warp->block, set->warp) &&
            set->time < sim_barrier_time(a->warp->block))
            *set = new;
        else
            summarize(a, set, new);
    } else if (set->warp == new.warp && set->time == new.time) {
        new.lanes |= set->lanes;
        *set = new;
    } else {
        uint32_t lanes = unordered_simply(a, set);
        if (!lanes) {
            *set = new;
            return;
        }
        set->lanes = lanes;
        if (!(lanes >> set->lane & 1))
            set->lane = (uint8_t)(__builtin_ctz(lanes) & 31);
        make_list(a, set, new);
    }
}

/* Words whose bytes have different stories */

static struct set part_of(const struct set *set, int byte)
{
    struct set part = *set;
    if (set->shape == SET_BYTES) {
        if (!(bytes_flags(set->lanes) >> byte & 1))
            return (struct set){0};
        part.shape = SET_LANES;
        part.lane = (uint8_t)(bytes_lane(set->lanes, byte) & 31);
        part.lanes = 1u << part.lane;
    } else if (set->shape == SET_LIST) {
        uint32_t number = sim_pool_take();
        if (!number)
            return (struct set){0};
        sim_pool_item(number)->list = sim_pool_item(set->lanes)->list;
        part.lanes = number;
    }
    return part;
}

bool sim_cell_split(struct cell *cell)
{
    uint32_t number = sim_pool_take();
    if (!number)
        return false;
    union pool_item *item = sim_pool_item(number);
    for (int byte = 0; byte < 4; byte++) {
        struct cell part = {part_of(&cell->write, byte), part_of(&cell->seen, byte)};
        item->part[byte] = part;
    }
    uint32_t time = cell->seen.time > cell->write.time ? cell->seen.time : cell->write.time;
    sim_set_drop(&cell->seen);
    cell->write = (struct set){.time = time, .lanes = number, .shape = SET_SPLIT};
    return true;
}

/* A warp that goes through an array */

/* Whether all lanes of a warp, at one time and alike, access one element after the other.
 * No branch in the loop, so that compilers make vector instructions of it. */
static bool is_run(const struct warp *warp, struct stop stop)
{
    const uint32_t *time = sim_order_of(warp)->time;
    uintptr_t expected = warp->address[0], differs = 0;
    uint32_t times = 0;
    bool same = true;
    for (int i = 0; i < WARP; i++) {
        differs |= warp->address[i] ^ (expected + (uintptr_t)i * stop.bytes);
        times |= time[i] ^ time[0];
    }
    for (int i = 0; i < WARP && differs == 0; i++)
        same &= same_stop(warp->stop[i], stop);
    return differs == 0 && times == 0 && same;
}

static bool are_new(const struct access *a, const struct cell *cell, unsigned int words)
{
    bool all_new = true;
    for (unsigned int i = 0; i < words; i++)
        all_new &= (cell[i].write.time < a->floor) & (cell[i].seen.time < a->floor) &
                   (cell[i].write.shape != SET_SPLIT) & (cell[i].seen.shape != SET_LIST);
    return all_new;
}

/* What the lanes that touch word `number` of the run leave there. */
static struct set set_of_word(struct set set, unsigned int number, unsigned int bytes)
{
    if (bytes >= 4) {
        set.lane = (uint8_t)(number / (bytes / 4) & 31);
        set.lanes = 1u << set.lane;
        return set;
    }
    unsigned int lane = number * (4 / bytes);
    set.shape = SET_BYTES;
    set.lanes = 0;
    for (unsigned int byte = 0; byte < 4; byte++)
        bytes_set(&set.lanes, (int)byte, lane + byte / bytes);
    set.lane = (uint8_t)((lane + 3 / bytes) & 31);
    return set;
}

bool sim_shadow_take_run(const struct access *a, const struct shadow *shadow, struct stop stop)
{
    unsigned int bytes = stop.bytes, words = WARP * bytes / 4;
    uintptr_t offset = a->warp->address[0] - shadow->base;
    struct cell *cell = &shadow->cells[offset / 4];
    struct set none = {0}, set = sim_set_alone(a);
    if (offset % 4 || !is_run(a->warp, stop) || !are_new(a, cell, words))
        return false;
    for (unsigned int i = 0; i < words; i++) {
        struct set new = set_of_word(set, i, bytes);
        if (cell[i].write.time == 0 && cell[i].seen.time == 0)
            sim_shadow_note_word();
        cell[i].write = a->kind == WRITES ? new : none;
        cell[i].seen = a->kind == WRITES ? none : new;
    }
    return true;
}
