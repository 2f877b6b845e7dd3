/* counters.c - what each access adds to the counters. */
#include <string.h>

#include "engine/engine.h"

static struct sim_counters totals[SIM_MOST_DEVICES];

static void add_accesses(struct sim_access_counters *to, const struct sim_access_counters *from)
{
    to->requests += from->requests;
    to->lanes += from->lanes;
    to->sectors += from->sectors;
    to->wavefronts += from->wavefronts;
    to->least += from->least;
}

static void add_counters(struct sim_counters *to, const struct sim_counters *from)
{
    to->launches += from->launches;
    to->cooperative_launches += from->cooperative_launches;
    to->blocks += from->blocks;
    to->threads += from->threads;
    to->barriers += from->barriers;
    to->grid_barriers += from->grid_barriers;
    to->votes += from->votes;
    to->activemasks += from->activemasks;
    to->picoseconds += from->picoseconds;
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++) {
        add_accesses(&to->global[kind], &from->global[kind]);
        add_accesses(&to->shared[kind], &from->shared[kind]);
    }
}

struct sim_counters sim_counters(void)
{
    struct sim_counters all = totals[0];
    for (int device = 1; device < SIM_MOST_DEVICES; device++)
        add_counters(&all, &totals[device]);
    return all;
}

struct sim_counters sim_counters_of(unsigned int device)
{
    return device < SIM_MOST_DEVICES ? totals[device] : (struct sim_counters){0};
}

void sim_reset_counters(void)
{
    memset(totals, 0, sizeof totals);
}

/* One instruction that accesses memory atomically: RED or ATOM is known only when the
 * launch is over. */
struct site {
    bool returns; /* the instruction has a register for the result */
    bool used;    /* some lane used it */
    enum sim_space space;
    uint64_t merged; /* wavefronts in shared memory, if the result is never used */
    struct sim_access_counters accesses;
};

/* The atomic instructions of the launch that runs. */
struct known_site {
    uint64_t pc; /* the key */
    struct site *site;
};
static struct sim_table sites = {.entry_bytes = sizeof(struct known_site)};

/* Of each lane: the atomic at which it waits, or that it has just made. */
static struct site *site_of[MOST_WARPS][WARP];

static void begin(struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++) {
        memset(site_of[block->warps[w].at], 0, sizeof site_of[block->warps[w].at]);
        sim_part(&block->warps[w]);
    }
}

/* The entry of an atomic instruction; NULL when memory is out. */
static struct site *find_site(uintptr_t pc)
{
    struct known_site *known = sim_table_add(&sites, pc);
    if (known && !known->site)
        known->site = calloc(1, sizeof *known->site);
    return known ? known->site : NULL;
}

void sim_note_result_used(struct lane *lane)
{
    struct site *site = site_of[lane->warp->at][lane->number];
    if (site)
        site->returns = site->used = true;
}

static void add(struct sim_access_counters *to, unsigned int lanes, unsigned int sectors,
                unsigned int wavefronts)
{
    to->requests++;
    to->lanes += lanes;
    to->sectors += sectors;
    to->wavefronts += wavefronts;
    to->least++;
}

/* nvcc sums the lanes first, and one lane does the atomic. */
static bool is_aggregated(const struct warp *warp, uint32_t mask, struct stop stop)
{
    const unsigned int wanted = ACCESS_UNIFORM | ACCESS_AGGREGATES;
    if ((stop.flags & wanted) != wanted)
        return false;
    uintptr_t first = warp->address[__builtin_ctz(mask)];
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (warp->address[__builtin_ctz(rest)] != first)
            return false;
    return true;
}

/* Each lane keeps the site: whether it uses the result, it says only later. */
static struct site *note_site(const struct warp *warp, uint32_t mask, enum sim_space space)
{
    unsigned int first = (unsigned int)__builtin_ctz(mask);
    struct site *site = find_site(sim_lane_pc(warp, first));
    if (site)
        site->space = space;
    for (unsigned int i = 0; i < WARP; i++)
        if (mask >> i & 1)
            site_of[warp->at][i] = site;
    return site;
}

/* What the instructions of a wide access cost in shared memory, when its slots are these. */
static struct cost cost_of_pieces(const struct warp *warp, const struct wide *wide, uint16_t slots,
                                  unsigned int *number)
{
    struct piece pieces[WARP];
    struct cost cost = {.in_event = 0};
    *number = sim_pieces(wide, slots, pieces);
    for (unsigned int i = 0; i < *number; i++) {
        uintptr_t address[WARP];
        const unsigned int bytes = pieces[i].count * wide->bytes;
        struct extent extent = {UINTPTR_MAX, 0, 0, false};
        unsigned int least = sim_least_wavefronts(wide->mask, bytes);
        for (uint32_t rest = wide->mask; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            const uintptr_t chunk = warp->address[lane] & ~(uintptr_t)(wide->alignment - 1);
            const uintptr_t a = address[lane] = chunk + pieces[i].slot * wide->bytes;
            extent.low = a < extent.low ? a : extent.low;
            extent.high = a + bytes > extent.high ? a + bytes : extent.high;
        }
        cost.in_event += wide->reason == STOP_LOAD
                             ? sim_load_wavefronts(address, wide->mask, bytes, extent, &least)
                             : sim_wavefronts(address, wide->mask, bytes, extent);
        cost.least += least;
    }
    return cost;
}

/* The access belongs to `wide`: counts what it adds to that, which may be less than nothing. All
 * parts of it touch the same sectors. */
static struct cost widen(struct launch *launch, const struct warp *warp, struct wide *wide,
                         unsigned int slot, unsigned int sectors)
{
    struct sim_access_counters *accesses = wide->shared ? &launch->counters.shared[wide->reason]
                                                        : &launch->counters.global[wide->reason];
    const uint16_t slots = (uint16_t)(wide->slots | 1u << slot);
    unsigned int before, after;
    struct cost was = {.in_event = 0}, is = {.in_event = 0};
    if (wide->shared) {
        was = cost_of_pieces(warp, wide, wide->slots, &before);
        is = cost_of_pieces(warp, wide, slots, &after);
    } else {
        struct piece pieces[WARP];
        was.in_event = (before = sim_pieces(wide, wide->slots, pieces)) * sectors;
        is.in_event = (after = sim_pieces(wide, slots, pieces)) * sectors;
    }
    wide->slots = slots;
    accesses->requests += (uint64_t)after - before; /* unsigned: adds less than nothing, too */
    accesses->lanes += (unsigned int)__builtin_popcount(wide->mask);
    *(wide->shared ? &accesses->wavefronts : &accesses->sectors) +=
        (uint64_t)is.in_event - was.in_event;
    accesses->least += wide->shared ? (uint64_t)is.least - was.least : (uint64_t)after - before;
    const unsigned int more = is.in_event > was.in_event ? is.in_event - was.in_event : 0;
    return (struct cost){.in_event = more,
                         .used = more,
                         .unused = more,
                         .least = is.least > was.least ? is.least - was.least : 0};
}

/* An atomic goes to its site, and from there to RED or ATOM at the end of the launch. */
static struct cost count_global(struct launch *launch, struct warp *warp, uint32_t mask,
                                struct stop stop, struct extent extent)
{
    unsigned int lanes = (unsigned int)__builtin_popcount(mask), sectors, slot;
    struct wide *wide;
    if (stop.reason != STOP_ATOMIC) {
        sectors = sim_sectors(warp->address, mask, stop.bytes, extent);
        if ((wide = sim_join(warp, mask, stop, false, extent, &slot)))
            return widen(launch, warp, wide, slot, sectors);
        add(&launch->counters.global[stop.reason], lanes, sectors, 0);
        return (struct cost){.in_event = sectors, .used = sectors, .unused = sectors};
    }
    sim_part(warp);
    sectors = is_aggregated(warp, mask, stop) ? 1 : sim_atomic_sectors(warp->address, mask, extent);
    struct site *site = note_site(warp, mask, SIM_GLOBAL);
    /* There is no RED.CAS or RED.EXCH: nvcc makes ATOMG of them, into a register that is dropped. */
    if (site && stop.flags & (ACCESS_COMPARES | ACCESS_EXCHANGE) && !(stop.flags & SIM_IS_STORE))
        site->returns = true;
    add(site ? &site->accesses : &launch->counters.global[SIM_RED], lanes, sectors, 0);
    return (struct cost){
        .in_event = sectors, .used = sectors, .unused = sectors, .waits = site && site->used};
}

/* A comparand and a value take two passes, which are no conflict. */
static void take_two_operands(struct sim_access_counters *accesses, unsigned int passes)
{
    accesses->wavefronts += passes;
    accesses->least += passes;
}

/* ATOMS.CAST.SPIN, of the loop, is encoded as ATOMS.CAS is, with its two operands. */
static struct cost count_cas_loop(struct launch *launch, const struct warp *warp, uint32_t mask,
                                  unsigned int bytes, struct extent extent)
{
    struct sim_access_counters *loads = &launch->counters.shared[SIM_LOAD];
    struct sim_access_counters *swaps = &launch->counters.shared[SIM_ATOM];
    struct swap_rounds loop;
    struct cost cost = {.in_event = 0};
    unsigned int least;
    sim_rounds_start(&loop, warp, mask);
    for (; mask; mask &= ~sim_rounds_swap(&loop, mask)) {
        unsigned int loaded = sim_load_wavefronts(warp->address, mask, bytes, extent, &least);
        add(loads, (unsigned int)__builtin_popcount(mask), 0, loaded);
        loads->least += least - 1;
        cost.loads += loaded;
        cost.least_loads += least;
        mask = sim_rounds_wanting(&loop, mask);
        if (!mask)
            break;
        unsigned int passes = sim_least_wavefronts(mask, bytes);
        add(swaps, (unsigned int)__builtin_popcount(mask), 0, passes);
        swaps->least += passes - 1;
        take_two_operands(swaps, passes);
        cost.in_event += passes;
        cost.unused += 2 * passes;
    }
    cost.used = cost.least = cost.unused;
    cost.waits = true;
    return cost;
}

static struct cost count_shared(struct launch *launch, struct warp *warp, uint32_t mask,
                                struct stop stop, struct extent extent)
{
    unsigned int bytes = stop.bytes, lanes = (unsigned int)__builtin_popcount(mask), slot;
    struct wide *wide;
    if (stop.reason != STOP_ATOMIC) {
        if ((wide = sim_join(warp, mask, stop, true, extent, &slot)))
            return widen(launch, warp, wide, slot, 0);
        unsigned int least = sim_least_wavefronts(mask, bytes);
        unsigned int passes = stop.reason == STOP_LOAD
                                  ? sim_load_wavefronts(warp->address, mask, bytes, extent, &least)
                                  : sim_wavefronts(warp->address, mask, bytes, extent);
        add(&launch->counters.shared[stop.reason], lanes, 0, passes);
        /* What a wide access needs to be served in parts is no conflict. */
        launch->counters.shared[stop.reason].least += least - 1;
        return (struct cost){.in_event = passes, .used = passes, .unused = passes, .least = least};
    }
    sim_part(warp);
    struct site *site = note_site(warp, mask, SIM_SHARED);
    if (stop.flags & ACCESS_LOOPS)
        return count_cas_loop(launch, warp, mask, bytes, extent);
    bool aggregated = is_aggregated(warp, mask, stop);
    bool increments = stop.flags & SIM_CONSTANT_ONE;
    unsigned int separate = aggregated ? 1 : sim_atomic_wavefronts(warp->address, mask, bytes);
    unsigned int merged = aggregated   ? 1
                          : increments ? sim_wavefronts(warp->address, mask, bytes, extent)
                                       : separate;
    struct sim_access_counters *accesses =
        site ? &site->accesses : &launch->counters.shared[SIM_ATOM];
    add(accesses, lanes, 0, separate);
    struct cost cost = {
        .in_event = merged, .unused = merged, .used = separate, .waits = site && site->used};
    cost.least = aggregated ? 1 : sim_least_wavefronts(mask, bytes);
    accesses->least += cost.least - 1;
    if (site)
        site->merged += merged;
    if (stop.flags & ACCESS_COMPARES) {
        take_two_operands(accesses, separate);
        if (site)
            site->merged += separate;
        cost.unused += separate;
        cost.used += separate;
        cost.least += separate;
    }
    return cost;
}

/* Now it is known which atomics used their result. An increment that does not is
 * ATOMS.POPC.INC, which serves equal addresses in one pass. */
static void classify_sites(struct launch *launch)
{
    struct known_site *known = sim_table_next(&sites, NULL);
    for (; known; known = sim_table_next(&sites, known)) {
        struct site *site = known->site;
        if (!site)
            continue;
        if (sim_telling_steps)
            sim_tell_site(known->pc, site->returns);
        if (site->space == SIM_SHARED && !site->returns)
            site->accesses.wavefronts = site->merged;
        add_accesses(site->space == SIM_SHARED
                         ? &launch->counters.shared[SIM_ATOM]
                         : &launch->counters.global[site->returns ? SIM_ATOM : SIM_RED],
                     &site->accesses);
        free(site);
    }
    sim_table_free(&sites);
}

/* The launch is over: what it counted is added to what was counted before. */
static void close_counters(struct launch *launch)
{
    classify_sites(launch);
    launch->counters.launches = 1;
    launch->counters.cooperative_launches = launch->request->cooperative != 0;
    launch->counters.threads = launch->counters.blocks * launch->threads;
    add_counters(&totals[launch->device], &launch->counters);
}

static void count(struct warp_access *access)
{
    struct launch *launch = access->warp->block->launch;
    access->cost =
        access->space == SIM_SHARED
            ? count_shared(launch, access->warp, access->mask, access->stop, access->extent)
            : count_global(launch, access->warp, access->mask, access->stop, access->extent);
}

static void count_intrinsic(struct warp *warp, uint32_t mask, enum sim_warp_intrinsic operation,
                            uint64_t *result)
{
    (void)mask, (void)result;
    warp->block->launch->counters.votes += operation != SIM_SYNCWARP;
}

static void count_barrier(struct block *block)
{
    block->launch->counters.barriers++;
}

/* A thread of each block adds to a word of the grid's (cooperative_groups/details/sync.h), uses
 * the result, and looks whether all have come: once here, on a card as often as it has to wait.
 * The pointer is generic, and such an atomic takes a pass of shared memory, too. */
static void count_arrivals(struct launch *launch)
{
    struct sim_access_counters *atomics = &launch->counters.global[SIM_ATOM];
    struct sim_access_counters *looks = &launch->counters.global[SIM_LOAD];
    struct sim_access_counters *passes = &launch->counters.shared[SIM_ATOM];
    atomics->requests += launch->blocks;
    atomics->sectors += launch->blocks;
    looks->requests += launch->blocks;
    looks->sectors += launch->blocks;
    passes->wavefronts += launch->blocks;
    passes->least += launch->blocks;
    launch->counters.grid_barriers++;
}

const struct observer sim_counting = {
    .block_begins = begin,
    .warp_requests = count,
    .warp_meets = count_intrinsic,
    .block_meets = count_barrier,
    .grid_meets = count_arrivals,
    .launch_is_over = close_counters,
};
