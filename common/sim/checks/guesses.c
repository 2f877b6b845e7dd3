/* guesses.c - the loads that begin a compare-and-swap loop.
 *
 *     old = *address;
 *     do { assumed = old; old = atomicCAS(address, assumed, f(assumed)); } ...
 *     while (old < mine) { assumed = old; old = atomicCAS(address, assumed, mine); ... }
 *
 * The CUDA Programming Guide writes atomics so. The load is plain, and what it
 * reads is only a guess, which the atomicCAS proves: no race with atomics. An
 * instruction is taken for such a load when the lanes that execute it go on to an
 * atomicCAS of that very address that compares with what they have read, or, where
 * the atomicCAS is in the same function, to something else altogether: their guess
 * was good enough. A load in front of another access to the address, or of an
 * atomicCAS that compares with a constant, is a guard, and races.
 *
 * Why not go by the source, or by the addresses alone? The pattern has many spellings,
 * and the guess and the atomicCAS often stand in different inlined functions; and a load
 * in front of an atomic of the same address is just what a racy guard looks like. What
 * tells the two apart is the data flow from the load to the compare operand, and that can
 * be seen as it happens: the value loaded is the value compared. This rule is ours; the
 * pattern is in the CUDA C++ Programming Guide, "Atomic Functions".
 *
 * What a load is, may show late: the lanes that execute it first may all leave. A
 * race with an atomicCAS of the same function waits until then, at most to the end
 * of the launch. */
#include <string.h>

#include "checks/shadow.h"

enum kind {
    UNDECIDED,
    DORMANT, /* executed often, and not in front of an atomicCAS so far */
    PLAIN,
    GUESS,
    SITE /* not a load: an atomicCAS */
};
enum { PCS = UINT16_MAX + 1, LOOKS = 256 };
static unsigned char roles[PCS];
static unsigned char looks[PCS];

/* The step whose loads are not decided yet. */
static struct {
    bool waits;
    uint16_t pc;
    uint32_t mask;
    unsigned int bytes;
    struct shadow *shadow;
    uintptr_t address[WARP];
    struct race race[WARP];
    uint32_t found; /* lanes whose race waits */
} step;

bool sim_cas_undecided;

/* Loads whose lanes went elsewhere first, as in
 *
 *     old = *least; if (shared[0] >= old) return; seen = atomicCAS(least, old, shared[0]);
 *
 * A lane that comes to its atomicCAS later proves them then. */
enum { LATE_BITS = 10, WAYS = 4 };
static struct late {
    uintptr_t address;
    uint64_t value;
    uint32_t warp, since; /* of the launch that began then */
    uint16_t pc;
    uint8_t lane, bytes;
} late[1 << LATE_BITS][WAYS]; /* the newest first of those that share a place */

static struct late *late_loads(const struct warp *warp, unsigned int lane, uintptr_t address)
{
    return late[sim_hash(address * 31 + warp->id * WARP + lane, LATE_BITS)];
}

void sim_cas_site(uint16_t pc)
{
    if (!pc || roles[pc] == SITE)
        return;
    roles[pc] = SITE;
    for (size_t i = 0; i < PCS; i++)
        if (roles[i] == DORMANT) {
            roles[i] = UNDECIDED;
            looks[i] = 0;
        }
}

enum cas_load sim_cas_load(const struct warp *warp, uint32_t mask, unsigned int bytes, uint16_t pc,
                           struct shadow *shadow)
{
    if ((roles[pc] != UNDECIDED && roles[pc] != GUESS) || bytes < 2 || step.waits || pc == 0)
        return CAS_LOAD_PLAIN;
    step.waits = sim_cas_undecided = true;
    step.pc = pc;
    step.mask = mask;
    step.bytes = bytes;
    step.shadow = shadow;
    step.found = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        step.address[__builtin_ctz(rest)] = warp->address[__builtin_ctz(rest)];
    return roles[pc] == GUESS ? CAS_LOAD_GUESS : CAS_LOAD_UNDECIDED;
}

/* At the end of the launch: what is no guess by now, is none. */
static enum race_verdict judge_load(uint16_t load)
{
    if (roles[load] == GUESS)
        return RACE_IS_NONE;
    roles[load] = PLAIN;
    return RACE_IS_ERROR;
}

/* Whether the race is between a load that is not decided and an atomicCAS beside it. */
static bool may_be_a_guess(uint16_t load, uintptr_t load_pc, uint16_t atomic, uintptr_t atomic_pc)
{
    return (roles[load] == UNDECIDED || roles[load] == DORMANT) && roles[atomic] == SITE &&
           sim_same_function(load_pc, atomic_pc);
}

bool sim_cas_defers(const struct race *race)
{
    if (race->kind == RACE_WAR && race->later_atomic && race->earlier_number) {
        if (roles[race->earlier_number] == GUESS)
            return true;
        return may_be_a_guess(race->earlier_number, race->earlier_pc, race->number, race->pc) &&
               sim_race_defer(race, judge_load, race->earlier_number);
    }
    if (race->kind != RACE_RAW || !race->earlier_atomic || !race->number)
        return false;
    if (step.waits && step.pc == race->number && roles[step.pc] == UNDECIDED &&
        step.mask >> race->lane & 1) {
        step.race[race->lane] = *race;
        step.found |= 1u << race->lane;
        return true;
    }
    return may_be_a_guess(race->number, race->pc, race->earlier_number, race->earlier_pc) &&
           sim_race_defer(race, judge_load, race->number);
}

/* What the lane has just loaded; of 16 bytes the first half, which will do. */
static uint64_t loaded(unsigned int lane)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)step.address[lane], step.bytes < 8 ? step.bytes : 8);
    return value;
}

/* Whether the lane waits at an atomicCAS that proves what it has just loaded. */
static bool proves(const struct warp *warp, unsigned int lane)
{
    struct stop stop = warp->stop[lane];
    return stop.reason == STOP_ATOMIC && stop.flags & ACCESS_COMPARES &&
           !(stop.flags & SIM_CONSTANT_COMPARE) && stop.bytes == step.bytes &&
           warp->value[lane] == loaded(lane);
}

/* Whether this is what the lane compares now, in the same launch: all of it, or the half of 16
 * bytes that begins at `offset`. */
static bool is_compared(const struct late *l, const struct warp *warp, unsigned int lane,
                        unsigned int bytes, unsigned int offset)
{
    return l->address == warp->address[lane] + offset && l->warp == warp->id && l->lane == lane &&
           (l->bytes == bytes || (bytes == 16 && l->bytes == 8)) &&
           l->value == (offset ? warp->value_high[lane] : warp->value[lane]) &&
           l->since == sim_grid_time;
}

/* The lane went elsewhere: it may come back to what it has loaded. */
static void remember(const struct warp *warp, unsigned int lane)
{
    struct late *place = late_loads(warp, lane, step.address[lane]);
    memmove(place + 1, place, (WAYS - 1) * sizeof *place);
    *place = (struct late){step.address[lane], loaded(lane),       warp->id, sim_grid_time, step.pc,
                           (uint8_t)lane,      (uint8_t)step.bytes};
}

static void prove(const struct warp *warp, unsigned int lane, unsigned int bytes,
                  unsigned int offset)
{
    const struct late *place = late_loads(warp, lane, warp->address[lane] + offset);
    for (const struct late *l = place; l < place + WAYS; l++)
        if (is_compared(l, warp, lane, bytes, offset) &&
            (roles[l->pc] == UNDECIDED || roles[l->pc] == DORMANT) &&
            sim_same_function(sim_lane_pc(warp, lane), sim_pc_of_number(l->pc)))
            roles[l->pc] = GUESS;
}

void sim_cas_prove(const struct warp *warp, uint32_t mask, struct stop stop)
{
    for (uint32_t rest = stop.flags & SIM_CONSTANT_COMPARE ? 0 : mask; rest; rest &= rest - 1) {
        unsigned int lane = (unsigned int)__builtin_ctz(rest);
        prove(warp, lane, stop.bytes, 0);
        if (stop.bytes == 16) /* loaded in two halves */
            prove(warp, lane, stop.bytes, 8);
    }
}

/* What the lanes of the step did next: the step is decided, or says nothing. */
static enum kind judge(const struct warp *warp)
{
    uint32_t proven = 0, left = 0;
    for (uint32_t rest = step.mask; rest; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctz(rest);
        bool accesses = warp->live >> i & 1 && is_access(warp->stop[i]);
        if (!accesses || warp->address[i] != step.address[i]) {
            left |= 1u << i;
            remember(warp, i);
        } else if (proves(warp, i)) {
            proven |= 1u << i;
        } else {
            return PLAIN;
        }
    }
    if (!proven)
        return UNDECIDED;
    if (left && !sim_same_function(sim_lane_pc(warp, (unsigned int)__builtin_ctz(proven)),
                                   sim_pc_of_number(step.pc)))
        return PLAIN;
    return GUESS;
}

static void harden_set(struct set *set, const struct warp *warp)
{
    if ((set->shape == SET_LANES || set->shape == SET_BYTES) && set->kind == VOLATILE_READS &&
        set->warp == warp->id && set->pc == step.pc)
        set->kind = READS;
    for (uint32_t i = 0; set->shape == SET_LIST && i < sim_pool_item(set->lanes)->list.count; i++)
        harden_set(&sim_pool_item(set->lanes)->list.set[i], warp);
}

/* The loads were remembered as if they were volatile. */
static void harden(const struct warp *warp, uintptr_t address)
{
    struct cell *cell = &step.shadow->cells[(address - step.shadow->base) / 4];
    for (unsigned int word = 0; word < (step.bytes + 3) / 4; word++, cell++) {
        harden_set(&cell->seen, warp);
        for (int byte = 0; cell->write.shape == SET_SPLIT && byte < 4; byte++)
            harden_set(&sim_pool_item(cell->write.lanes)->part[byte].seen, warp);
    }
}

void sim_cas_decide(const struct warp *warp)
{
    step.waits = sim_cas_undecided = false;
    if (!step.shadow) /* a lane has freed what it had loaded */
        return;
    enum kind kind = judge(warp), before = (enum kind)roles[step.pc];
    if (kind != UNDECIDED)
        roles[step.pc] = (unsigned char)kind;
    else if (before == UNDECIDED && ++looks[step.pc] == LOOKS - 1)
        roles[step.pc] = DORMANT;
    if (before == GUESS || kind == GUESS)
        return;
    for (uint32_t rest = step.mask; rest; rest &= rest - 1)
        harden(warp, step.address[__builtin_ctz(rest)]);
    for (uint32_t rest = step.found; rest; rest &= rest - 1)
        sim_race_found(&step.race[__builtin_ctz(rest)], false);
}

bool sim_cas_is_guess(uint16_t load)
{
    return roles[load] == GUESS;
}

void sim_cas_forget(const struct shadow *shadow)
{
    if (step.shadow == shadow)
        step.shadow = NULL;
}

void sim_cas_end_launch(void)
{
    step.waits = sim_cas_undecided = false;
    sim_race_judge_deferred();
    sim_guard_end_launch();
}
