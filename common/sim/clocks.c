/* clocks.c - what a lane knows of the accesses of the others.
 *
 * One clock ticks at every barrier, collective and fence. A lane knows all that
 * its block did before the last barrier, its warp before the last collective,
 * and what others published to it: a fence and then a store to a flag, which
 * the lane read. Published knowledge is a graph of small events; it is searched
 * only when nothing simpler answers. */
#include <stdlib.h>
#include <string.h>

#include "shadow.h"

enum { PUBLISHED_BLOCK, PUBLISHED_DEVICE, SCOPES };

/* "Of the lanes in `lanes` of warps [first, first + warps), all before `time`." */
struct fact {
    uint32_t first, warps, lanes, time;
};

/* A write to a flag that publishes. */
struct release {
    struct release *before; /* on the same flag, unless a plain store hid it */
    struct event *event;
    uint64_t block_number;
    uint32_t at;
    bool block_scope;
};

/* A piece of knowledge. */
struct event {
    uint32_t at; /* it knows of nothing at this time or later */
    uint32_t visited;
    struct release *acquired; /* a read of a flag: all that was published there */
    uint64_t block_number;
    bool block_scope;
    uint32_t facts, links;
    struct fact *fact;
    struct event **link;
};

/* What a lane knew at its last fence. */
struct fenced {
    bool set;
    uint32_t time, full_time, barrier_time;
    uint32_t row[WARP];
    bool has_row;
    struct event *acquired, *block_acquired;
    struct event *published; /* the event of it, once there is one */
};

struct lane_sync {
    uintptr_t relaxed[2]; /* flags that it read, to be acquired when it fences */
    struct event *acquired;
    struct fenced fenced[SCOPES];
    struct event *inherited[SCOPES]; /* fences of others, known through a collective */
};

struct block_sync {
    bool relaxed; /* some lane has such flags */
    struct event *acquired;
    struct event *inherited[SCOPES];
    bool changed; /* a lane fenced or acquired since the last barrier */
};

bool sim_fences_used, sim_fences_ever_used;
static uint32_t now;
static uint32_t query;

/* Memory of one launch, freed as a whole. When it is spent, the launch is treated
 * as if its grid had met here: that may hide a race, and invents none. */
enum { CHUNK = 1 << 20, CHUNKS = 64, SPARE = 4 };
static unsigned char *chunks[CHUNKS + SPARE];
static size_t chunk_count, chunk_used;

static void forget(struct launch *launch);

static void make_room(void)
{
    if (chunk_count > CHUNKS)
        forget(sim_running);
}

static void *take(size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (chunk_count == 0 || chunk_used + bytes > CHUNK) {
        if (chunk_count == CHUNKS + SPARE || bytes > CHUNK)
            return NULL;
        if (!chunks[chunk_count])
            chunks[chunk_count] = malloc(CHUNK);
        if (!chunks[chunk_count])
            return NULL;
        chunk_count++;
        chunk_used = 0;
    }
    void *memory = chunks[chunk_count - 1] + chunk_used;
    chunk_used += bytes;
    return memset(memory, 0, bytes);
}

/* Flags: addresses to which something was published. */
struct flag {
    uintptr_t address;
    struct release *last;
};
static struct flag *flags;
static size_t flag_room, flag_count;

static struct flag *flag_slot(struct flag *table, size_t room, uintptr_t address)
{
    size_t at = (size_t)((address >> 1) * 0x9e3779b97f4a7c15u >> 20) % room;
    while (table[at].address && table[at].address != address)
        at = (at + 1) % room;
    return &table[at];
}

static bool grow_flags(void)
{
    size_t room = flag_room ? 2 * flag_room : 256;
    struct flag *table = calloc(room, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < flag_room; i++)
        if (flags[i].address)
            *flag_slot(table, room, flags[i].address) = flags[i];
    free(flags);
    flags = table;
    flag_room = room;
    return true;
}

/* The flag at `address`, or NULL: none, and `make` is false or memory is out. */
static struct flag *find_flag(uintptr_t address, bool make)
{
    if (make && 2 * flag_count >= flag_room && !grow_flags())
        return NULL;
    if (!flag_room)
        return NULL;
    struct flag *flag = flag_slot(flags, flag_room, address);
    if (!flag->address && make) {
        flag->address = address;
        flag_count++;
    }
    return flag->address ? flag : NULL;
}

static uint64_t block_number(const struct block *block)
{
    return block->first_warp / block->warp_count;
}

static struct event *new_event(uint32_t facts, uint32_t links)
{
    struct event *event = take(sizeof *event);
    struct fact *fact = facts ? take(facts * sizeof *fact) : NULL;
    struct event **link = links ? take(links * sizeof(struct event *)) : NULL;
    if (!event || (facts && !fact) || (links && !link))
        return NULL;
    event->at = now;
    event->fact = fact;
    event->link = link;
    return event;
}

static void add_fact(struct event *event, struct fact fact)
{
    event->fact[event->facts++] = fact;
}

static void add_link(struct event *event, struct event *other)
{
    for (uint32_t i = 0; i < event->links; i++)
        if (event->link[i] == other)
            return;
    if (other)
        event->link[event->links++] = other;
}

static struct lane_sync *lane_sync(struct lane *lane)
{
    if (!lane->sync)
        lane->sync = take(sizeof *lane->sync);
    return lane->sync;
}

static struct block_sync *block_sync(struct block *block)
{
    if (!block->sync)
        block->sync = take(sizeof *block->sync);
    return block->sync;
}

/* All that was published so far is known to everybody from here on, or nobody
 * will ask for it again. */
static void forget(struct launch *launch)
{
    launch->grid_time = ++now;
    for (size_t b = 0; b < launch->resident_count; b++) {
        struct block *block = launch->resident[b];
        block->sync = NULL;
        block->barrier_time = now;
        for (unsigned int w = 0; w < launch->warps; w++)
            for (int i = 0; i < WARP; i++) {
                block->warps[w].lane[i].sync = NULL;
                block->warps[w].time[i] = now;
            }
    }
    chunk_count = 0;
    flag_count = 0;
    if (flags)
        memset(flags, 0, flag_room * sizeof *flags);
}

void sim_clock_start_launch(struct launch *launch)
{
    if (now > UINT32_MAX / 2) {
        sim_shadow_wipe();
        now = 0;
    }
    sim_fences_used = false;
    forget(launch);
    sim_pool_reset(now);
}

void sim_clock_start_block(struct block *block)
{
    block->barrier_time = ++now;
    block->start_time = now;
    block->sync = NULL;
    for (unsigned int w = 0; w < block->warp_count; w++) {
        struct warp *warp = &block->warps[w];
        warp->id = block->first_warp + w;
        warp->full_time = now;
        warp->fence_step = UINT64_MAX;
        for (int i = 0; i < WARP; i++)
            warp->time[i] = now;
        if (warp->known)
            memset(warp->known, 0, sizeof *warp->known * WARP);
    }
}

/* What was known to a lane at its fence, as an event. */
static struct event *publish_fence(struct lane *lane, struct fenced *fenced)
{
    const struct warp *warp = lane->warp;
    const struct block *block = warp->block;
    if (fenced->published)
        return fenced->published;
    struct event *event = new_event(3 + (fenced->has_row ? WARP : 0), 2);
    if (!event)
        return NULL;
    add_fact(event, (struct fact){warp->id, 1, 1u << lane->number, fenced->time});
    add_fact(event, (struct fact){warp->id, 1, UINT32_MAX, fenced->full_time});
    add_fact(event,
             (struct fact){block->first_warp, block->warp_count, UINT32_MAX, fenced->barrier_time});
    for (uint32_t i = 0; fenced->has_row && i < WARP; i++)
        if (fenced->row[i] > fenced->full_time)
            add_fact(event, (struct fact){warp->id, 1, 1u << i, fenced->row[i]});
    add_link(event, fenced->acquired);
    add_link(event, fenced->block_acquired);
    fenced->published = event;
    return event;
}

/* All that the lane may publish at this scope: what it knew at its fence, and the
 * fences of others that a barrier made known. */
static struct event *publishable(struct lane *lane, int scope)
{
    struct lane_sync *sync = lane->sync;
    struct event *from_block =
        lane->warp->block->sync ? lane->warp->block->sync->inherited[scope] : NULL;
    struct event *from_warp = sync ? sync->inherited[scope] : NULL;
    bool fenced = sync && sync->fenced[scope].set;
    if (!fenced && !from_warp)
        return from_block;
    if (fenced && !from_warp && !from_block)
        return publish_fence(lane, &sync->fenced[scope]);
    struct event *event = new_event(0, 3);
    if (!event)
        return NULL;
    add_link(event, fenced ? publish_fence(lane, &sync->fenced[scope]) : NULL);
    add_link(event, from_warp);
    add_link(event, from_block);
    return event;
}

static void add_release(struct flag *flag, struct lane *lane, struct event *event, bool block_scope)
{
    struct release *release = event ? take(sizeof *release) : NULL;
    if (!release)
        return;
    release->before = flag->last;
    release->event = event;
    release->block_number = block_number(lane->warp->block);
    release->at = now;
    release->block_scope = block_scope;
    flag->last = release;
}

void sim_clock_release(struct lane *lane, uintptr_t address, bool block_scope, bool updates)
{
    make_room();
    struct event *device = block_scope ? NULL : publishable(lane, PUBLISHED_DEVICE);
    struct event *block = publishable(lane, PUBLISHED_BLOCK);
    struct flag *flag = find_flag(address, device || block);
    if (!flag)
        return;
    if (!updates)
        flag->last = NULL;
    add_release(flag, lane, block, true);
    add_release(flag, lane, device, false);
}

void sim_clock_acquire(struct lane *lane, uintptr_t address, bool block_scope)
{
    make_room();
    struct flag *flag = find_flag(address, false);
    if (!flag || !flag->last)
        return;
    struct release *last = flag->last;
    struct lane_sync *sync = lane_sync(lane);
    if (!sync || (sync->acquired && sync->acquired->acquired == last))
        return;
    struct event *event = new_event(0, 1);
    if (!event)
        return;
    event->acquired = last;
    event->block_number = block_number(lane->warp->block);
    event->block_scope = block_scope;
    add_link(event, sync->acquired);
    sync->acquired = event;
    block_sync(lane->warp->block)->changed = true;
}

void sim_clock_read_relaxed(struct lane *lane, uintptr_t address)
{
    make_room();
    struct flag *flag = find_flag(address, false);
    struct lane_sync *sync = flag && flag->last ? lane_sync(lane) : NULL;
    if (!sync || sync->relaxed[0] == address || !block_sync(lane->warp->block))
        return;
    sync->relaxed[1] = sync->relaxed[0];
    sync->relaxed[0] = address;
    lane->warp->block->sync->relaxed = true;
    lane->warp->block->sync->changed = true;
}

/* A fence makes acquires of what the lane has read relaxed. */
static void acquire_relaxed(struct lane *lane, bool block_scope)
{
    for (int i = 0; i < 2 && lane->sync; i++) {
        uintptr_t address = lane->sync->relaxed[i];
        lane->sync->relaxed[i] = 0;
        if (address)
            sim_clock_acquire(lane, address, block_scope);
    }
}

static void acquire_relaxed_in_warp(struct warp *warp, uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        acquire_relaxed(&warp->lane[__builtin_ctz(rest)], false);
}

/* Lanes that fence in one step share a tick, so that they stay comparable as one. */
static uint32_t fence_tick(struct warp *warp)
{
    uint64_t step = warp->block->launch->steps;
    if (warp->fence_step != step || warp->fence_time != now) {
        warp->fence_step = step;
        warp->fence_time = ++now;
    }
    return now;
}

static void snapshot(struct lane *lane, struct lane_sync *sync, int scope)
{
    const struct warp *warp = lane->warp;
    const struct block *block = warp->block;
    struct fenced *fenced = &sync->fenced[scope];
    fenced->set = true;
    fenced->time = warp->time[lane->number];
    fenced->full_time = warp->full_time;
    fenced->barrier_time = block->barrier_time;
    fenced->has_row = warp->known != NULL;
    if (warp->known)
        memcpy(fenced->row, warp->known[lane->number], sizeof fenced->row);
    fenced->acquired = sync->acquired;
    fenced->block_acquired = block->sync ? block->sync->acquired : NULL;
    fenced->published = NULL;
}

void sim_clock_fence(struct lane *lane, enum sim_fence scope)
{
    make_room();
    acquire_relaxed(lane, scope == SIM_FENCE_BLOCK);
    struct lane_sync *sync = lane_sync(lane);
    struct block_sync *block = block_sync(lane->warp->block);
    if (!sync || !block)
        return;
    sim_fences_used = sim_fences_ever_used = true;
    block->changed = true;
    lane->warp->time[lane->number] = fence_tick(lane->warp);
    snapshot(lane, sync, PUBLISHED_BLOCK);
    if (scope != SIM_FENCE_BLOCK)
        snapshot(lane, sync, PUBLISHED_DEVICE);
}

/* Barriers */

/* One event for the fences of the lanes in `mask` of a warp at one scope: lanes
 * that fenced at one time are one fact. */
static void gather_warp(struct event *event, const struct warp *warp, uint32_t mask, int scope)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct lane_sync *sync = warp->lane[__builtin_ctz(rest)].sync;
        uint32_t bit = rest & -rest;
        if (!sync)
            continue;
        add_link(event, sync->inherited[scope]);
        const struct fenced *fenced = &sync->fenced[scope];
        if (!fenced->set)
            continue;
        add_link(event, fenced->acquired);
        add_link(event, fenced->block_acquired);
        struct fact own = {warp->id, 1, bit, fenced->time};
        struct fact *last = event->facts >= 3 ? &event->fact[event->facts - 3] : NULL;
        if (last && last->first == own.first && last->time == own.time && !fenced->has_row) {
            last->lanes |= bit;
            continue;
        }
        for (uint32_t i = 0; fenced->has_row && i < WARP; i++)
            if (fenced->row[i] > fenced->full_time)
                add_fact(event, (struct fact){warp->id, 1, 1u << i, fenced->row[i]});
        add_fact(event, own);
        add_fact(event, (struct fact){warp->id, 1, UINT32_MAX, fenced->full_time});
        add_fact(event, (struct fact){warp->block->first_warp, warp->block->warp_count, UINT32_MAX,
                                      fenced->barrier_time});
    }
}

/* Room for gather_warp: counted first, for events never grow. */
static void count_warp(const struct warp *warp, uint32_t mask, int scope, uint32_t *facts,
                       uint32_t *links)
{
    uint32_t time = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct lane_sync *sync = warp->lane[__builtin_ctz(rest)].sync;
        if (!sync)
            continue;
        *links += sync->inherited[scope] != NULL;
        if (!sync->fenced[scope].set)
            continue;
        *links += (uint32_t)(sync->fenced[scope].acquired != NULL) +
                  (uint32_t)(sync->fenced[scope].block_acquired != NULL);
        if (sync->fenced[scope].has_row)
            *facts += WARP + 3;
        else if (sync->fenced[scope].time != time)
            *facts += 3;
        time = sync->fenced[scope].has_row ? 0 : sync->fenced[scope].time;
    }
}

static void gather_block_fences(struct block *block, int scope)
{
    uint32_t facts = 0, links = 1;
    for (unsigned int w = 0; w < block->warp_count; w++)
        count_warp(&block->warps[w], block->warps[w].lanes, scope, &facts, &links);
    if (facts == 0 && links == 1)
        return;
    struct event *event = new_event(facts, links);
    if (!event)
        return;
    for (unsigned int w = 0; w < block->warp_count; w++)
        gather_warp(event, &block->warps[w], block->warps[w].lanes, scope);
    add_link(event, block->sync->inherited[scope]);
    block->sync->inherited[scope] = event;
}

/* What any lane acquired, all of the block knows now. */
static void gather_block_acquired(struct block *block)
{
    uint32_t links = 1;
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++)
            links += block->warps[w].lane[i].sync != NULL;
    struct event *event = new_event(0, links);
    if (!event)
        return;
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++)
            if (block->warps[w].lane[i].sync)
                add_link(event, block->warps[w].lane[i].sync->acquired);
    add_link(event, block->sync->acquired);
    if (event->links)
        block->sync->acquired = event;
}

static void forget_lanes(struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++)
            if (block->warps[w].lane[i].sync) {
                struct lane_sync *sync = block->warps[w].lane[i].sync;
                sync->acquired = NULL;
                for (int scope = 0; scope < SCOPES; scope++) {
                    sync->fenced[scope].set = false;
                    sync->inherited[scope] = NULL;
                }
            }
}

static void set_times(struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++)
            block->warps[w].time[i] = now;
}

void sim_clock_barrier(struct block *block)
{
    make_room();
    for (unsigned int w = 0; block->sync && block->sync->relaxed && w < block->warp_count; w++)
        acquire_relaxed_in_warp(&block->warps[w], block->warps[w].lanes);
    if (block->sync && block->sync->changed) {
        block->sync->relaxed = false;
        gather_block_acquired(block);
        for (int scope = 0; block->sync && scope < SCOPES; scope++)
            gather_block_fences(block, scope);
        forget_lanes(block);
        if (block->sync)
            block->sync->changed = false;
    }
    block->barrier_time = ++now;
    set_times(block);
}

void sim_clock_grid_barrier(struct launch *launch)
{
    forget(launch);
}

/* Collectives */

static bool make_known(struct warp *warp)
{
    if (!warp->known)
        warp->known = calloc(WARP, sizeof *warp->known);
    return warp->known != NULL;
}

/* The lanes in `mask` tell each other all that they know of the warp. */
static void share_rows(struct warp *warp, uint32_t mask)
{
    if (!make_known(warp))
        return;
    uint32_t row[WARP] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t *other = warp->known[__builtin_ctz(rest)];
        for (int i = 0; i < WARP; i++)
            row[i] = other[i] > row[i] ? other[i] : row[i];
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        row[__builtin_ctz(rest)] = now;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        memcpy(warp->known[__builtin_ctz(rest)], row, sizeof row);
}

/* Whether the lanes in `mask` have nothing to tell each other: of what they
 * acquired (scope -1), or of fences. */
static bool know_the_same(const struct warp *warp, uint32_t mask, int scope)
{
    const struct event *first = NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct lane_sync *sync = warp->lane[__builtin_ctz(rest)].sync;
        const struct event *event = !sync       ? NULL
                                    : scope < 0 ? sync->acquired
                                                : sync->inherited[scope];
        if (rest == mask)
            first = event;
        if (event != first || (sync && scope >= 0 && sync->fenced[scope].set))
            return false;
    }
    return true;
}

static void share_acquired(struct warp *warp, uint32_t mask)
{
    if (know_the_same(warp, mask, -1))
        return;
    struct event *acquired = new_event(0, (uint32_t)__builtin_popcount(mask));
    if (!acquired)
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (warp->lane[__builtin_ctz(rest)].sync)
            add_link(acquired, warp->lane[__builtin_ctz(rest)].sync->acquired);
    if (acquired->links == 0)
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (lane_sync(&warp->lane[__builtin_ctz(rest)]))
            warp->lane[__builtin_ctz(rest)].sync->acquired =
                acquired->links == 1 ? acquired->link[0] : acquired;
}

static void share_fences(struct warp *warp, uint32_t mask, int scope)
{
    uint32_t facts = 0, links = 0;
    if (know_the_same(warp, mask, scope))
        return;
    count_warp(warp, mask, scope, &facts, &links);
    struct event *event = new_event(facts, links);
    if (!event)
        return;
    gather_warp(event, warp, mask, scope);
    if (event->facts == 0 && event->links == 1)
        event = event->link[0];
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct lane_sync *sync = lane_sync(&warp->lane[__builtin_ctz(rest)]);
        if (sync) {
            sync->inherited[scope] = event;
            sync->fenced[scope].set = false;
        }
    }
}

void sim_clock_collective(struct warp *warp, uint32_t mask)
{
    make_room();
    if (warp->block->sync && warp->block->sync->relaxed)
        acquire_relaxed_in_warp(warp, mask);
    if (warp->block->sync) {
        share_acquired(warp, mask);
        for (int scope = 0; scope < SCOPES; scope++)
            share_fences(warp, mask, scope);
    }
    now++;
    if (mask == warp->lanes)
        warp->full_time = now;
    else
        share_rows(warp, mask);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        warp->time[__builtin_ctz(rest)] = now;
}

/* Questions */

bool sim_clock_learned(const struct warp *warp, unsigned int lane)
{
    return (warp->block->sync && warp->block->sync->acquired) ||
           (warp->lane[lane].sync && warp->lane[lane].sync->acquired);
}

enum { MOST_LOOKS = 1 << 16 };

/* Events still to be looked at. */
static struct event **open_events;
static size_t open_count, open_room;

static void push(struct event *event, uint32_t time)
{
    if (!event || event->visited == query || event->at <= time)
        return;
    event->visited = query;
    if (open_count == open_room) {
        size_t room = open_room ? 2 * open_room : 256;
        struct event **more = realloc(open_events, room * sizeof(struct event *));
        if (!more)
            return;
        open_events = more;
        open_room = room;
    }
    open_events[open_count++] = event;
}

/* What the reader of a flag learned there. */
static void push_releases(const struct event *reader, uint32_t time)
{
    for (const struct release *r = reader->acquired; r && r->at > time; r = r->before)
        if ((!r->block_scope && !reader->block_scope) || r->block_number == reader->block_number)
            push(r->event, time);
}

/* Those of the stamp's lanes that no event known to the lane speaks of. */
static uint32_t search(const struct warp *warp, unsigned int lane, struct stamp stamp)
{
    query++;
    open_count = 0;
    push(warp->lane[lane].sync ? warp->lane[lane].sync->acquired : NULL, stamp.time);
    push(warp->block->sync ? warp->block->sync->acquired : NULL, stamp.time);
    for (int looks = 0; open_count && stamp.lanes; looks++) {
        if (looks == MOST_LOOKS)
            return 0; /* too long a story to blame anybody */
        const struct event *event = open_events[--open_count];
        for (uint32_t i = 0; i < event->facts; i++) {
            const struct fact *fact = &event->fact[i];
            if (stamp.warp - fact->first < fact->warps && stamp.time < fact->time)
                stamp.lanes &= ~fact->lanes;
        }
        for (uint32_t i = 0; i < event->links; i++)
            push(event->link[i], stamp.time);
        push_releases(event, stamp.time);
    }
    return stamp.lanes;
}

uint32_t sim_clock_unordered_simply(const struct warp *warp, unsigned int lane, struct stamp stamp)
{
    const struct block *block = warp->block;
    if (stamp.time < block->launch->grid_time)
        return 0;
    if (stamp.warp - block->first_warp < block->warp_count && stamp.time < block->barrier_time)
        return 0;
    if (stamp.warp == warp->id) {
        stamp.lanes &= ~(1u << lane);
        if (stamp.time < warp->full_time)
            return 0;
        for (uint32_t rest = warp->known ? stamp.lanes : 0; rest; rest &= rest - 1)
            if (stamp.time < warp->known[lane][__builtin_ctz(rest)])
                stamp.lanes &= ~(rest & -rest);
    }
    return stamp.lanes;
}

uint32_t sim_clock_unordered(const struct warp *warp, unsigned int lane, struct stamp stamp)
{
    stamp.lanes = sim_clock_unordered_simply(warp, lane, stamp);
    if (stamp.lanes && sim_clock_learned(warp, lane))
        return search(warp, lane, stamp);
    return stamp.lanes;
}

void sim_clock_end_block(struct block *block)
{
    block->sync = NULL;
}
