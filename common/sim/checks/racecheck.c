/* racecheck.c - data races in global and shared memory.
 *
 * Two accesses race when they touch one byte, at least one of them writes, they are not both strong
 * (atomic or volatile, of a scope that holds both), and neither knows of the other: see
 * order/happens_before.c and observed.c. Each word has a cell with its last store and with the loads and
 * atomics since that do not know of each other; what a later access knows of these, it knows of all
 * before. This is FastTrack (Flanagan and Freund, 2009) with sets that fit a GPU: lanes of one warp,
 * several warps of a block, several blocks. Most accesses meet a cell that holds nothing but their own
 * warp, or nothing newer than the last barrier, and are done in a few instructions (touch_simple and
 * the floor); all else is for the words that threads share. */
#include <string.h>

#include "checks/access_set.h"

/* Whether two accesses, neither of which knows of the other, may be a race: of volatile ones
 * passes_flag says more. */
static bool clash(const struct access *a, enum access_kind earlier, uint32_t warp)
{
    enum access_kind later = a->kind;
    if (is_load(earlier) && is_load(later))
        return false;
    if (!is_atomic(earlier) && !is_volatile(earlier))
        return true;
    if (!is_atomic(later) && !is_volatile(later))
        return true;
    if (is_atomic(earlier) || is_atomic(later))
        return (earlier == BLOCK_ATOMICS || later == BLOCK_ATOMICS) &&
               !in_block(a->warp->block, warp);
    if (earlier == VOLATILE_WRITES && later == VOLATILE_WRITES)
        return true;
    return (!a->race.allocation && warp == a->warp->id) || sim_narrow_releases ||
           sim_checks(CHECK_STRICT);
}

/* Those of a set's lanes that the accessing lane does not know of. Of a pair that
 * was told, the long way round by flags is not searched again. */
static uint32_t unordered(const struct access *a, const struct set *set, uint32_t lanes)
{
    struct epoch epoch = {set->warp, lanes, set->time};
    epoch.lanes = sim_order_unordered_simply(a->warp, a->lane, epoch);
    if (epoch.lanes && sim_race_waits(set->pc, a->pc))
        return 0;
    if (epoch.lanes && sim_order_learned(a->warp, a->lane) &&
        !sim_race_was_reported(set->pc, a->pc))
        return sim_order_unordered(a->warp, a->lane, epoch,
                                   sim_checks(CHECK_STRICT) ? ORDER_STRICT : ORDER_USUAL);
    return epoch.lanes;
}

/* Why the access does not know of one lane's access in the set. */
static enum race_cause cause(const struct access *a, const struct set *set, uint32_t warp, int lane)
{
    struct epoch epoch = {warp, 1u << (lane & 31), set->time};
    if (lane < 0 || !sim_order_learned(a->warp, a->lane))
        return RACE_UNORDERED;
    bool strict = sim_checks(CHECK_STRICT);
    if (strict && !sim_order_unordered(a->warp, a->lane, epoch, ORDER_USUAL))
        return RACE_BY_LETTER;
    if (sim_narrow_releases && !in_block(a->warp->block, warp) &&
        !sim_order_unordered(a->warp, a->lane, epoch, ORDER_ANY_SCOPE))
        return RACE_NARROW;
    if (strict && is_volatile(a->kind) && is_volatile((enum access_kind)set->kind) &&
        !sim_order_unordered(a->warp, a->lane, epoch, ORDER_LOOSE))
        return RACE_BY_LETTER;
    return RACE_UNORDERED;
}

/* Two volatile accesses are relaxed ones of PTX, which are no race. They are one here where
 * something was to order them and does not; where two write and nobody fences; and within a
 * warp, in shared memory: that is the old way to leave out __syncwarp, and a warning unless a judge wants
 * an error (sim_refuse_warps_in_step). But what one instruction of
 * a warp writes to one word is none: one write stays, and the lanes may look whose. */
static bool passes_flag(const struct access *a, const struct set *set, uint32_t warp)
{
    if (!is_volatile(a->kind) || !is_volatile((enum access_kind)set->kind) || a->race.cause)
        return false;
    bool in_warp = !a->race.allocation && warp == a->warp->id;
    if (in_warp && a->kind == VOLATILE_WRITES && set->kind == VOLATILE_WRITES && set->pc == a->pc &&
        set->time == a->time)
        return true;
    if (!in_warp && (is_load(a->kind) || is_load((enum access_kind)set->kind)))
        return true;
    if (a->kind == VOLATILE_WRITES)
        return sim_order_fenced(a->warp, a->lane, !in_block(a->warp->block, warp));
    return set->fenced;
}

/* Whether the lane's own reads of the word put it behind what it clashes with. */
static bool follows(const struct access *a, const struct set *set)
{
    enum access_kind kind = (enum access_kind)set->kind;
    return !is_atomic(a->kind) && (kind == VOLATILE_WRITES || kind == ATOMICS) &&
           sim_has_observed(a, set);
}

/* The race is told once for each access of a lane, however many words and earlier accesses
 * it clashes with. Its hazard has the name that compute-sanitizer gives it: by what the
 * later access does to what the earlier one did. */
static void blame(struct access *a, const struct set *set, uint32_t warp, int lane)
{
    if (a->reported || follows(a, set))
        return;
    a->race.cause = cause(a, set, warp, lane);
    if (passes_flag(a, set, warp))
        return;
    a->reported = true;
    struct race *race = &a->race;
    race->earlier_warp = warp;
    race->earlier_lane = lane;
    race->earlier_pc = sim_pc_of_number(set->pc);
    race->number = a->pc;
    race->earlier_number = set->pc;
    race->earlier_atomic = is_atomic((enum access_kind)set->kind);
    race->later_atomic = is_atomic(a->kind);
    race->scope_only = race->earlier_atomic && race->later_atomic;
    race->in_step = is_volatile(a->kind) && is_volatile((enum access_kind)set->kind) &&
                    !race->allocation && warp == a->warp->id;
    race->guarded_store = 0;
    race->poll = a->kind == VOLATILE_READS ? a->pc : set->kind == VOLATILE_READS ? set->pc : 0;
    if (is_load(a->kind))
        race->kind = RACE_RAW;
    else if (is_load((enum access_kind)set->kind))
        race->kind = RACE_WAR;
    else
        race->kind = race->later_atomic && !race->earlier_atomic ? RACE_RAW : RACE_WAW;
    if (set->guard && is_load(a->kind))
        race->guarded_store = set->pc;
    else if (a->guarded && race->kind == RACE_WAR)
        race->guarded_store = a->pc;
    sim_race_found(race, race->kind == RACE_WAW && !race->earlier_atomic && !race->later_atomic &&
                             !sim_store_updates(a, &a->cell->seen));
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
    if (sim_order_learned(a->warp, a->lane) || !clash(a, kind, set->lanes))
        return;
    if (set->shape == SET_BLOCK && in_block(block, set->warp) &&
        (set->time < sim_barrier_time(block) || set->lanes == a->warp->id))
        return;
    if (set->shape == SET_GRID && in_block(block, set->lanes))
        return;
    blame(a, set, set->lanes, -1);
}

/* Compares the access with all that a set holds. */
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
    } else if (clash(a, (enum access_kind)set->kind, set->warp) &&
               !(set->kind == READS && is_atomic(a->kind) && sim_cas_is_guess(set->pc))) {
        uint32_t lanes = sim_set_lanes(set, bytes);
        lanes = lanes ? unordered(a, set, lanes) : 0;
        if (lanes)
            blame(a, set, set->warp, lanes >> set->lane & 1 ? set->lane : __builtin_ctz(lanes));
    }
}

/* The access of a whole word. A plain store ends the story of a word: whoever races with an
 * access before it also races with the store, or the store has raced itself. A volatile
 * store passes a flag, and what was read before stays of interest. */
static void whole_word(struct access *a, struct cell *cell)
{
    a->cell = cell;
    a->guarded = a->kind == WRITES && (cell->seen.shape || cell->write.guard) &&
                 sim_store_is_guarded(a, cell);
    check_set(a, &cell->write, 15);
    check_set(a, &cell->seen, 15);
    struct set new = sim_set_alone(a);
    if (a->kind == VOLATILE_WRITES)
        new.fenced = sim_order_fenced(a->warp, a->lane, false);
    new.guard = a->guarded;
    if (a->kind == VOLATILE_READS || is_atomic(a->kind))
        sim_observe_word(a, cell);
    if (a->kind == WRITES) {
        sim_set_drop(&cell->seen);
        cell->write = new;
    } else if (a->kind == VOLATILE_WRITES) {
        if (cell->write.kind == WRITES && cell->write.shape && cell->write.time >= a->floor)
            sim_set_add(a, &cell->seen, cell->write);
        cell->write = new;
    } else {
        sim_set_add(a, &cell->seen, new);
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
        if (bytes & bytes_flags(set->lanes) & 1u << byte && is_load(a->kind) &&
            bytes_lane(set->lanes, byte) != a->lane)
            return false;
    return true;
}

/* The set with these bytes of the lane, which it can take. */
static struct set with_bytes(const struct access *a, struct set set, unsigned int bytes)
{
    uint32_t lanes = set.shape == SET_BYTES ? set.lanes : 0;
    if (set.shape == SET_LANES)
        return set; /* by this lane, and of the whole word */
    for (int byte = 0; byte < 4; byte++)
        if (bytes >> byte & 1)
            bytes_set(&lanes, byte, a->lane);
    set = sim_set_alone(a);
    set.shape = SET_BYTES;
    set.guard = a->guarded;
    set.lanes = lanes;
    return set;
}

/* The bytes of this word have cells of their own. */
static void touch_parts(struct access *a, struct cell *cell, unsigned int bytes)
{
    if (a->time > cell->write.time)
        cell->write.time = a->time;
    uint32_t number = cell->write.lanes;
    for (int byte = 0; byte < 4; byte++)
        if (bytes >> byte & 1)
            whole_word(a, &sim_pool_item(number)->part[byte]);
}

/* The access of a part of a word. Lanes of one warp that each take a byte at one time, as in
 * text[threadIdx.x], still fit one set; only what does not fit splits the word. */
static void narrow(struct access *a, struct cell *cell, unsigned int bytes)
{
    bool stores = !is_load(a->kind) && !is_atomic(a->kind);
    struct set set = stores ? cell->write : cell->seen;
    bool fits = takes_bytes(a, &set, bytes) && a->kind != VOLATILE_WRITES;
    if (!fits && sim_cell_split(cell)) {
        touch_parts(a, cell, bytes);
        return;
    }
    a->cell = cell;
    a->guarded = a->kind == WRITES && (cell->seen.shape || cell->write.guard) &&
                 sim_store_is_guarded(a, cell);
    check_set(a, &cell->write, bytes);
    check_set(a, &cell->seen, bytes);
    if (!fits)
        sim_set_drop(&set);
    set = with_bytes(a, set, bytes);
    if (stores)
        cell->write = set;
    else
        cell->seen = set;
}

/* Whether the sets cannot take an access of the whole word as they are. */
static bool needs_split(const struct access *a, const struct cell *cell)
{
    if (a->kind == VOLATILE_WRITES && cell->write.shape == SET_BYTES)
        return true;
    if (a->kind == WRITES || cell->seen.shape != SET_BYTES)
        return false;
    return cell->seen.kind != a->kept || unordered(a, &cell->seen, sim_set_lanes(&cell->seen, 15));
}

/* What is older than the floor is known to the lane, and is dropped on the way: cells are
 * brought up to date when they are touched, not when a barrier opens. */
static void touch_cell(struct access *a, struct cell *cell, unsigned int bytes)
{
    if (sim_launches_beside && a->race.allocation)
        sim_race_with_others(a, cell, bytes);
    if (cell->write.time < a->floor) {
        if (cell->write.time == 0 && cell->seen.time == 0)
            sim_shadow_note_word();
        if (cell->write.shape == SET_SPLIT)
            sim_pool_give_back(cell->write.lanes, cell->write.time);
        cell->write = (struct set){0};
    }
    if (cell->seen.time < a->floor)
        sim_set_drop(&cell->seen);
    if (cell->write.shape == SET_SPLIT)
        touch_parts(a, cell, bytes);
    else if (bytes != 15)
        narrow(a, cell, bytes);
    else if (needs_split(a, cell) && sim_cell_split(cell))
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
    seen->lanes = 1u << a->lane | (is_atomic(a->kind) ? 0 : seen->lanes);
    seen->lane = (uint8_t)(a->lane & 31);
    return true;
}

/* An atomic after another one, which it replaces, and no store: as counters are used. */
static inline bool touch_counter(const struct access *a, struct cell *cell)
{
    const struct set *seen = &cell->seen;
    if (a->kind != ATOMICS || cell->write.time >= a->floor || cell->write.shape == SET_SPLIT ||
        seen->shape != SET_LANES || seen->kind != ATOMICS || seen->time < a->floor)
        return false;
    cell->write = (struct set){0};
    sim_observe_word(a, cell);
    cell->seen = sim_set_alone(a);
    return true;
}

static void touch_word(struct access *a, struct cell *cell, unsigned int bytes)
{
    a->reported = false;
    if (bytes == 15 && (touch_simple(a, cell) || touch_counter(a, cell)))
        return;
    touch_cell(a, cell, bytes);
}

/* Atomics count as strong accesses, and so do volatile ones: PTX, volatile is relaxed with
 * system scope. */
static enum access_kind kind_of(struct stop stop)
{
    bool is_volatile_access = stop.flags & ACCESS_VOLATILE;
    switch (stop.reason) {
    case STOP_LOAD:
        return is_volatile_access ? VOLATILE_READS : READS;
    case STOP_STORE:
        return is_volatile_access ? VOLATILE_WRITES : WRITES;
    default:
        return stop.flags & SIM_SCOPE_BLOCK ? BLOCK_ATOMICS : ATOMICS;
    }
}

static void begin(struct launch *launch)
{
    if (sim_order_start_launch(launch))
        sim_shadow_wipe();
    sim_pool_reset(sim_order_clock());
    sim_race_report_start_launch();
}

/* Compares the accesses of the lanes with those before, and remembers them. */
static void touch(const struct warp_access *access)
{
    struct warp *warp = access->warp;
    const uint32_t mask = access->mask;
    struct stop stop = access->stop;
    const struct sim_allocation *allocation = access->allocation;
    const struct block *block = warp->block;
    struct shadow *shadow = allocation ? sim_shadow_global(allocation) : sim_shadow_shared(block);
    if (!shadow)
        return;
    unsigned int size = stop.bytes;
    struct access a = {.warp = warp, .kind = kind_of(stop)};
    a.floor = allocation ? sim_grid_time : sim_barrier_time(block);
    a.race = (struct race){.warp = warp, .bytes = size, .allocation = allocation};
    a.race.pc = sim_lane_pc(warp, (unsigned int)__builtin_ctz(mask));
    a.pc = sim_number_of_pc(a.race.pc);
    if (sim_checks(CHECK_STRICT))
        sim_poll_note(warp, mask, a.pc);
    if (stop.flags & ACCESS_COMPARES) {
        sim_cas_site(a.pc);
        sim_cas_prove(warp, mask, stop);
    }
    enum cas_load load =
        a.kind == READS ? sim_cas_load(warp, mask, size, a.pc, shadow) : CAS_LOAD_PLAIN;
    if (load == CAS_LOAD_GUESS)
        a.kind = VOLATILE_READS;
    a.kept = load == CAS_LOAD_UNDECIDED ? VOLATILE_READS : a.kind;
    const uint32_t *times = sim_order_of(warp)->time;
    a.time = times[0];
    if (mask == UINT32_MAX && !sim_launches_beside && (a.kind == READS || a.kind == WRITES) &&
        sim_shadow_take_run(&a, shadow, stop))
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        a.lane = (unsigned int)__builtin_ctz(rest);
        a.time = times[a.lane];
        if (!same_stop(warp->stop[a.lane], stop)) /* the compiler merged calls of two scopes */
            a.kept = a.kind = kind_of(stop = warp->stop[a.lane]);
        a.race.lane = a.lane;
        a.race.address = warp->address[a.lane];
        uintptr_t offset = a.race.address - shadow->base;
        struct cell *cell = &shadow->cells[offset / 4];
        a.word = a.race.address & ~(uintptr_t)3;
        if (size >= 4)
            for (unsigned int word = 0; word < size / 4; word++, a.word += 4)
                touch_word(&a, cell + word, 15);
        else
            touch_word(&a, cell, ((1u << size) - 1) << offset % 4);
    }
}

static void end(struct launch *launch)
{
    (void)launch;
    sim_cas_end_launch();
    sim_order_end_launch();
}

const struct observer sim_racecheck = {
    .launch_begins = begin,
    .block_begins = sim_order_start_block,
    .lanes_touch = touch,
    .before_store = sim_race_before_store,
    .after_store = sim_race_after_store,
    .warp_meets = sim_order_intrinsic,
    .block_meets = sim_order_barrier,
    .grid_meets = sim_order_grid_barrier,
    .lane_fences = sim_order_fence,
    .launch_ends = end,
};
