/* racecheck.c - data races in global and shared memory.
 *
 * Two accesses race when they touch one byte, at least one of them writes, they
 * are not both strong (atomic or volatile, of a scope that holds both), and
 * neither knows of the other: see clocks.c. Each word has a cell with its last
 * store and with the loads and atomics since that do not know of each other;
 * what a later access knows of these, it knows of all before. This is FastTrack
 * (Flanagan and Freund, 2009) with sets that fit a GPU: lanes of one warp,
 * several warps of a block, several blocks. */
#include <string.h>

#include "shadow.h"

/* One lane's access to (a part of) one word. */
struct access {
    struct warp *warp;
    unsigned int lane;
    uint32_t time, floor;        /* what is older than the floor, this lane knows */
    enum access_kind kind, kept; /* what it is, and is remembered as: see swaploops.c */
    uint16_t pc;
    bool reported;
    struct race race; /* for reports: what does not change from cell to cell */
};

/* Program counters by a number that fits a cell; 0 is none. */
enum { PCS = 1 << 16 };
static uintptr_t pcs[PCS];

static uint16_t number_of_pc(uintptr_t pc)
{
    uint32_t at = (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 48);
    for (uint32_t tried = 0; tried < 64; tried++, at = (at + 1) % PCS) {
        if (at && pcs[at] == pc)
            return (uint16_t)at;
        if (at && !pcs[at]) {
            pcs[at] = pc;
            return (uint16_t)at;
        }
    }
    return 0;
}

uintptr_t sim_pc_of_number(uint16_t number)
{
    return pcs[number];
}

static bool in_block(const struct block *block, uint32_t warp)
{
    return warp - block->first_warp < block->warp_count;
}

static bool is_atomic(enum access_kind kind)
{
    return kind == ATOMICS || kind == BLOCK_ATOMICS;
}

static bool is_volatile(enum access_kind kind)
{
    return kind == VOLATILE_READS || kind == VOLATILE_WRITES;
}

static bool is_load(enum access_kind kind)
{
    return kind == READS || kind == VOLATILE_READS;
}

/* Whether two accesses, neither of which knows of the other, are a race. Volatile
 * loads and stores may pass a flag from warp to warp; within a warp, in shared
 * memory, they are the old way to leave out __syncwarp, which is wrong. */
static bool clash(const struct access *a, enum access_kind earlier, uint32_t warp)
{
    enum access_kind later = a->kind;
    if (is_load(earlier) && is_load(later))
        return false;
    bool strong =
        (is_atomic(earlier) || is_volatile(earlier)) && (is_atomic(later) || is_volatile(later));
    if (!strong)
        return true;
    if (is_atomic(earlier) || is_atomic(later))
        return (earlier == BLOCK_ATOMICS || later == BLOCK_ATOMICS) &&
               !in_block(a->warp->block, warp);
    if (earlier == VOLATILE_WRITES && later == VOLATILE_WRITES)
        return true;
    return a->race.space == SIM_SHARED && warp == a->warp->id;
}

static uint32_t bytes_flags(uint32_t lanes)
{
    return lanes >> 20;
}

static unsigned int bytes_lane(uint32_t lanes, int byte)
{
    return lanes >> 5 * byte & 31;
}

static void bytes_set(uint32_t *lanes, int byte, unsigned int lane)
{
    *lanes &= ~((uint32_t)31 << 5 * byte);
    *lanes |= (uint32_t)lane << 5 * byte | 1u << (20 + byte);
}

/* The lanes of a set that touched a byte in `bytes`. */
static uint32_t lanes_at(const struct set *set, unsigned int bytes)
{
    uint32_t lanes = 0;
    if (set->shape == SET_LANES)
        return set->lanes;
    for (int byte = 0; byte < 4; byte++)
        if (bytes & bytes_flags(set->lanes) & 1u << byte)
            lanes |= 1u << bytes_lane(set->lanes, byte);
    return lanes;
}

/* Those of a set's lanes that the accessing lane does not know of. Of a pair that
 * was told, the long way round by flags is not searched again. */
static uint32_t unordered(const struct access *a, const struct set *set, uint32_t lanes)
{
    struct stamp stamp = {set->warp, lanes, set->time};
    stamp.lanes = sim_clock_unordered_simply(a->warp, a->lane, stamp);
    if (stamp.lanes && sim_clock_learned(a->warp, a->lane) &&
        !sim_race_was_told(pcs[set->pc], a->race.pc))
        return sim_clock_unordered(a->warp, a->lane, stamp);
    return stamp.lanes;
}

/* The same to keep sets small, where a lane too many does no harm. */
static uint32_t unordered_simply(const struct access *a, const struct set *set)
{
    return sim_clock_unordered_simply(a->warp, a->lane,
                                      (struct stamp){set->warp, set->lanes, set->time});
}

static void blame(struct access *a, const struct set *set, uint32_t warp, int lane)
{
    if (a->reported)
        return;
    a->reported = true;
    struct race *race = &a->race;
    race->earlier_warp = warp;
    race->earlier_lane = lane;
    race->earlier_pc = pcs[set->pc];
    race->number = a->pc;
    race->earlier_number = set->pc;
    race->earlier_atomic = is_atomic((enum access_kind)set->kind);
    race->later_atomic = is_atomic(a->kind);
    race->scope_only = race->earlier_atomic && race->later_atomic;
    if (is_load(a->kind))
        race->kind = RACE_RAW;
    else if (is_load((enum access_kind)set->kind))
        race->kind = RACE_WAR;
    else
        race->kind = race->later_atomic && !race->earlier_atomic ? RACE_RAW : RACE_WAW;
    sim_race_found(race, race->kind == RACE_WAW && !race->earlier_atomic && !race->later_atomic);
}

/* Accesses of many: the last one is known, and one more warp. */
static void check_many(struct access *a, const struct set *set)
{
    const struct block *block = a->warp->block;
    enum access_kind kind = (enum access_kind)set->kind;
    if (clash(a, kind, set->warp) && unordered(a, set, 1u << set->lane)) {
        blame(a, set, set->warp, set->lane);
        return;
    }
    /* The last is known; the others are not, unless by way of flags, which do not
     * say whom of many. */
    if (sim_clock_learned(a->warp, a->lane) || !clash(a, kind, set->lanes))
        return;
    if (set->shape == SET_BLOCK && in_block(block, set->warp) &&
        (set->time < block->barrier_time || set->lanes == a->warp->id))
        return;
    if (set->shape == SET_GRID && in_block(block, set->lanes))
        return;
    blame(a, set, set->lanes, -1);
}

static void check_set(struct access *a, const struct set *set, unsigned int bytes)
{
    if (set->shape == SET_EMPTY || set->time < a->floor)
        return;
    if (set->shape == SET_LIST) {
        const union pool_item *item = sim_pool_item(set->lanes);
        for (uint32_t i = 0; i < item->list.count; i++)
            check_set(a, &item->list.set[i], bytes);
    } else if (set->shape == SET_BLOCK || set->shape == SET_GRID) {
        check_many(a, set);
    } else if (clash(a, (enum access_kind)set->kind, set->warp)) {
        uint32_t lanes = lanes_at(set, bytes);
        lanes = lanes ? unordered(a, set, lanes) : 0;
        if (lanes)
            blame(a, set, set->warp, lanes >> set->lane & 1 ? set->lane : __builtin_ctz(lanes));
    }
}

/* Which store a lane's last volatile load or atomic of a word saw. Who has seen a
 * volatile store and then stores, too, as in a token that goes round, does not
 * race with it. One entry stands for many words: an old one may be lost. */
enum { OBSERVED = 1 << 14 };
static struct observation {
    const struct cell *cell;
    uint32_t warp, lane;
    uint32_t store_time, store_warp, store_lane;
} observed[OBSERVED];

static struct observation *observation(const struct access *a, const struct cell *cell)
{
    uint64_t key = (uintptr_t)cell / sizeof *cell * 31 + a->warp->id * WARP + a->lane;
    return &observed[key * 0x9e3779b97f4a7c15u >> 50];
}

static void observe(const struct access *a, const struct cell *cell)
{
    if (cell->write.kind == VOLATILE_WRITES && cell->write.shape == SET_LANES)
        *observation(a, cell) = (struct observation){
            cell, a->warp->id, a->lane, cell->write.time, cell->write.warp, cell->write.lane};
}

static bool has_observed(const struct access *a, const struct cell *cell)
{
    const struct observation *o = observation(a, cell);
    return o->cell == cell && o->warp == a->warp->id && o->lane == a->lane &&
           cell->write.kind == VOLATILE_WRITES && o->store_time == cell->write.time &&
           o->store_warp == cell->write.warp && o->store_lane == cell->write.lane;
}

/* Remembering */

static struct set alone(const struct access *a)
{
    return (struct set){a->time,
                        a->warp->id,
                        1u << a->lane,
                        a->pc,
                        SET_LANES,
                        (uint8_t)(a->kept & 15),
                        (uint8_t)(a->lane & 31)};
}

static void drop(struct set *set)
{
    if (set->shape == SET_LIST)
        sim_pool_give_back(set->lanes, set->time);
    *set = (struct set){0};
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
    bool apart = grid ? !same_block(a, last->warp, first->warp) : last->warp != first->warp;
    if (apart)
        other = first->warp;
    struct set sum = *last;
    sum.lanes = other;
    sum.shape = grid ? SET_GRID : SET_BLOCK;
    *set = sum;
}

static void add_to_list(const struct access *a, struct set *set, struct set new)
{
    union pool_item *item = sim_pool_item(set->lanes);
    struct set *same = NULL;
    uint32_t kept = 0;
    set->time = new.time > set->time ? new.time : set->time;
    for (uint32_t i = 0; i < item->list.count; i++) {
        struct set *entry = &item->list.set[i];
        if (entry->time < a->floor)
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

/* Adds a whole-word access to what was seen. */
static void add_set(const struct access *a, struct set *set, struct set new)
{
    if (set->shape == SET_EMPTY || set->time < a->floor || set->shape == SET_BYTES) {
        drop(set);
        *set = new;
    } else if (set->shape == SET_LIST) {
        add_to_list(a, set, new);
    } else if (set->kind != new.kind) {
        make_list(a, set, new);
    } else if (set->shape != SET_LANES) {
        if (set->shape == SET_BLOCK && in_block(a->warp->block, set->warp) &&
            set->time < a->warp->block->barrier_time)
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

static bool split(struct cell *cell)
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
    drop(&cell->seen);
    cell->write = (struct set){.time = time, .lanes = number, .shape = SET_SPLIT};
    return true;
}

static void whole_word(struct access *a, struct cell *cell)
{
    if (a->kind != VOLATILE_WRITES || !has_observed(a, cell))
        check_set(a, &cell->write, 15);
    check_set(a, &cell->seen, 15);
    struct set new = alone(a);
    if (a->kind == VOLATILE_READS || is_atomic(a->kind))
        observe(a, cell);
    if (a->kind == WRITES) {
        drop(&cell->seen);
        cell->write = new;
    } else if (a->kind == VOLATILE_WRITES) {
        if (cell->write.kind == WRITES && cell->write.shape && cell->write.time >= a->floor)
            add_set(a, &cell->seen, cell->write);
        cell->write = new;
    } else {
        add_set(a, &cell->seen, new);
    }
}

/* Whether a set of bytes can take this narrow access of the lane. */
static bool takes_bytes(const struct access *a, const struct set *set, unsigned int bytes)
{
    if (set->shape == SET_EMPTY)
        return true;
    if (set->warp != a->warp->id || set->time != a->time || set->kind != a->kept)
        return false;
    if (set->shape == SET_LANES)
        return set->lanes == 1u << a->lane;
    if (set->shape != SET_BYTES)
        return false;
    for (int byte = 0; byte < 4; byte++)
        if (bytes & bytes_flags(set->lanes) & 1u << byte && a->kind != WRITES &&
            bytes_lane(set->lanes, byte) != a->lane)
            return false;
    return true;
}

static void add_bytes(const struct access *a, struct set *set, unsigned int bytes)
{
    uint32_t lanes = set->shape == SET_BYTES ? set->lanes : 0;
    if (set->shape == SET_LANES)
        return; /* by this lane, and of the whole word */
    for (int byte = 0; byte < 4; byte++)
        if (bytes >> byte & 1)
            bytes_set(&lanes, byte, a->lane);
    *set = alone(a);
    set->shape = SET_BYTES;
    set->lanes = lanes;
}

static void touch_parts(struct access *a, struct cell *cell, unsigned int bytes)
{
    if (a->time > cell->write.time)
        cell->write.time = a->time;
    uint32_t number = cell->write.lanes;
    for (int byte = 0; byte < 4; byte++)
        if (bytes >> byte & 1)
            whole_word(a, &sim_pool_item(number)->part[byte]);
}

static void narrow(struct access *a, struct cell *cell, unsigned int bytes)
{
    bool stores = !is_load(a->kind) && !is_atomic(a->kind);
    struct set *set = stores ? &cell->write : &cell->seen;
    bool fits = takes_bytes(a, set, bytes) && a->kind != VOLATILE_WRITES;
    if (!fits && split(cell)) {
        touch_parts(a, cell, bytes);
        return;
    }
    check_set(a, &cell->write, bytes);
    check_set(a, &cell->seen, bytes);
    if (!fits)
        drop(set);
    add_bytes(a, set, bytes);
}

/* Whether the sets cannot take an access of the whole word as they are. */
static bool needs_split(const struct access *a, const struct cell *cell)
{
    if (a->kind == VOLATILE_WRITES && cell->write.shape == SET_BYTES)
        return true;
    if (a->kind == WRITES || cell->seen.shape != SET_BYTES)
        return false;
    return cell->seen.kind != a->kept || unordered(a, &cell->seen, lanes_at(&cell->seen, 15));
}

static void touch_cell(struct access *a, struct cell *cell, unsigned int bytes)
{
    if (cell->write.time < a->floor) {
        if (cell->write.time == 0 && cell->seen.time == 0)
            sim_shadow_note_word();
        if (cell->write.shape == SET_SPLIT)
            sim_pool_give_back(cell->write.lanes, cell->write.time);
        cell->write = (struct set){0};
    }
    if (cell->seen.time < a->floor)
        drop(&cell->seen);
    if (cell->write.shape == SET_SPLIT)
        touch_parts(a, cell, bytes);
    else if (bytes != 15)
        narrow(a, cell, bytes);
    else if (needs_split(a, cell) && split(cell))
        touch_parts(a, cell, bytes);
    else
        whole_word(a, cell);
}

/* Whether the cell holds nothing newer than the floor but the lane's own warp at
 * this time, which is how most accesses find it; then it is brought up to date. */
static inline bool touch_simple(const struct access *a, struct cell *cell)
{
    if (cell->write.time >= a->floor || is_volatile(a->kind) || cell->write.shape == SET_SPLIT ||
        a->kind >= WRITES)
        return false;
    struct set *seen = &cell->seen;
    if (seen->shape != SET_LANES || seen->kind != a->kept || seen->warp != a->warp->id ||
        seen->time != a->time)
        return false;
    seen->lanes |= 1u << a->lane;
    seen->lane = (uint8_t)(a->lane & 31);
    return true;
}

static void touch_word(struct access *a, struct cell *cell, unsigned int bytes)
{
    a->reported = false;
    if (bytes == 15 && touch_simple(a, cell))
        return;
    touch_cell(a, cell, bytes);
}

static enum access_kind kind_of(uint32_t info)
{
    bool is_volatile_access = info & INFO_VOLATILE;
    switch (info_stop(info)) {
    case STOP_LOAD:
        return is_volatile_access ? VOLATILE_READS : READS;
    case STOP_STORE:
        return is_volatile_access ? VOLATILE_WRITES : WRITES;
    default:
        return info >> INFO_FLAGS_SHIFT & SIM_SCOPE_BLOCK ? BLOCK_ATOMICS : ATOMICS;
    }
}

void sim_race_step(struct warp *warp, uint32_t mask, uint32_t info, enum sim_space space,
                   const struct sim_allocation *allocation)
{
    const struct block *block = warp->block;
    struct shadow *shadow =
        space == SIM_SHARED ? sim_shadow_shared(block) : sim_shadow_global(allocation);
    if (!shadow)
        return;
    unsigned int size = info_bytes(info);
    struct access a = {.warp = warp, .kind = kind_of(info)};
    a.floor = space == SIM_SHARED ? block->barrier_time : block->launch->grid_time;
    a.race = (struct race){.warp = warp, .bytes = size, .space = space, .allocation = allocation};
    a.race.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    a.pc = number_of_pc(a.race.pc);
    if (info & INFO_COMPARES)
        sim_swap_site(a.pc);
    enum sim_load load =
        a.kind == READS ? sim_swap_load(warp, mask, size, a.pc, shadow) : LOAD_PLAIN;
    if (load == LOAD_SWAPS)
        a.kind = VOLATILE_READS;
    a.kept = load == LOAD_UNDECIDED ? VOLATILE_READS : a.kind;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        a.lane = (unsigned int)__builtin_ctz(rest);
        a.time = warp->time[a.lane];
        if (warp->info[a.lane] != info) /* the compiler merged calls of two scopes */
            a.kept = a.kind = kind_of(info = warp->info[a.lane]);
        a.race.lane = a.lane;
        a.race.address = warp->address[a.lane];
        uintptr_t offset = a.race.address - shadow->base;
        struct cell *cell = &shadow->cells[offset / 4];
        if (size >= 4)
            for (unsigned int word = 0; word < size / 4; word++)
                touch_word(&a, cell + word, 15);
        else
            touch_word(&a, cell, ((1u << size) - 1) << offset % 4);
    }
}
