/* guarded_stores.c - threads that all store one and the same value.
 *
 *     if (level[neighbor] == -1)
 *         level[neighbor] = now + 1;
 *
 * The textbooks write breadth-first search so. The loads race with the stores, and yet it is no
 * matter who comes first: whoever still finds the old value stores what is there already. Such
 * a race is a warning, as are two stores of one value.
 *
 * A store is taken for one of these when its thread has read the element before, a branch lies
 * between the two (so that `bins[i] = bins[i] + 1` is none: its load and store are in one basic
 * block), and all that the instruction stores in a launch is one value. Whether it is, shows at
 * the end of the launch. */
#include <string.h>

#include "checks/access_set.h"

/* Of each instruction that stores, by its number: what it stored in this launch. */
enum { PCS = UINT16_MAX + 1, LOOKS = 255 };
static struct stores {
    uint64_t value; /* the first */
    uint32_t launch;
    bool guarded, any, differ;
    uint8_t unguarded; /* so often in a row: LOOKS times, and it is looked at no more */
} stores[PCS];
static uint32_t launches;

/* Stores whose lanes are about to go on: at most one in each lane of a warp. */
static struct watched {
    uintptr_t address;
    unsigned int bytes; /* 0: none */
    uint16_t pc;
} watched[WARP];

/* The instruction by which the lane has read the word itself, or 0: of one set of reads. */
static uint16_t own_read_in(const struct access *a, const struct set *set)
{
    bool reads = set->kind == READS || set->kind == VOLATILE_READS;
    bool own = reads && set->warp == a->warp->id && set->time >= a->floor;
    if (set->shape == SET_LANES && own && set->lanes >> a->lane & 1)
        return set->pc;
    for (int byte = 0; own && set->shape == SET_BYTES && byte < 4; byte++)
        if (bytes_flags(set->lanes) >> byte & 1 && bytes_lane(set->lanes, byte) == a->lane)
            return set->pc;
    return 0;
}

static uint16_t own_read(const struct access *a, const struct set *seen)
{
    const union pool_item *item = seen->shape == SET_LIST ? sim_pool_item(seen->lanes) : NULL;
    uint16_t pc = own_read_in(a, seen);
    for (uint32_t i = 0; item && i < item->list.count && !pc; i++)
        pc = own_read_in(a, &item->list.set[i]);
    return pc;
}

/* Whether a basic block began between the read and where the lane is now. */
static bool branched_since(const struct access *a, uint16_t read)
{
    return a->warp->lane[a->lane].code_at > sim_pc_of_number(read);
}

bool sim_store_updates(const struct access *a, const struct set *seen)
{
    uint16_t read = own_read(a, seen);
    return read && !branched_since(a, read);
}

static struct stores *stores_of(uint16_t pc)
{
    struct stores *s = &stores[pc];
    if (s->launch != launches)
        *s = (struct stores){.launch = launches, .guarded = s->guarded, .unguarded = s->unguarded};
    return s;
}

/* Whether the lane's own read may have been there: a summary hides it, and another store of
 * the kind has ended the story of the word. */
static bool may_have_read(const struct access *a, const struct cell *cell)
{
    return cell->seen.shape == SET_BLOCK || cell->seen.shape == SET_GRID ||
           (cell->write.guard && cell->write.pc == a->pc);
}

bool sim_store_is_guarded(const struct access *a, const struct cell *cell)
{
    struct stores *s = stores_of(a->pc);
    if (s->unguarded == LOOKS || s->differ || a->pc == 0 || sim_explaining)
        return false;
    uint16_t read = own_read(a, &cell->seen);
    if (read)
        s->guarded = branched_since(a, read);
    else if (!may_have_read(a, cell))
        s->guarded = false;
    s->unguarded = (uint8_t)(s->guarded ? 0 : s->unguarded + 1);
    if (!s->guarded)
        return false;
    watched[a->lane] = (struct watched){a->race.address, a->race.bytes, a->pc};
    sim_lane_watch(&a->warp->lane[a->lane]);
    return true;
}

void sim_guard_stored(const struct lane *lane)
{
    struct watched *w = &watched[lane->number];
    uint64_t value = 0;
    if (!w->bytes)
        return;
    struct stores *s = stores_of(w->pc);
    memcpy(&value, (const void *)w->address, w->bytes <= sizeof value ? w->bytes : 0);
    s->differ |= w->bytes > sizeof value || (s->any && s->value != value);
    s->value = value;
    s->any = true;
    w->bytes = 0;
}

static enum race_verdict judge(uint16_t pc)
{
    const struct stores *s = stores_of(pc);
    return s->any && !s->differ ? RACE_IS_WARNING : RACE_IS_ERROR;
}

bool sim_guard_defers(const struct race *race)
{
    return race->guarded_store && sim_race_defer(race, judge, race->guarded_store);
}

void sim_guard_end_launch(void)
{
    launches++;
}
