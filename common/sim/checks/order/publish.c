/* publish.c - fences and flags: how what one lane knows comes to be known to another.
 *
 * Each lane knows up to which step of every other lane things have happened before it. A barrier
 * makes that known to a whole block. Between blocks it travels with a word in memory, which is called a
 * flag here, whatever the program uses it for. The lane that hands over makes a fence, and then writes
 * the flag, by an atomic or a volatile store. At the fence we take down what the lane knows at that moment;
 * at the write we hang it onto the address of the flag, as a release. A lane that reads the flag,
 * by an atomic or a volatile load, gets all that hangs there: from then on it knows it, too. A race is
 * then an access that meets an earlier one which its lane does not know of.
 *
 * This is the causality order of PTX (PTX ISA, Memory Consistency Model), with two liberties that common
 * practice takes: the reader needs no fence, and a fence that another thread of the block made before a
 * barrier counts for all of them. SIM_CHECKS=strict takes neither. For its reports we also keep what was
 * published without any fence: it tells a pair that was meant to be ordered from one that nobody
 * thought of. enum sim_order_rule names these ways to look, and docs/simulator.md explains them. */
#include <string.h>

#include "checks/order/knowledge.h"

bool sim_fences_used, sim_fences_ever_used, sim_narrow_releases;

/* Flags: addresses to which something was published. */
struct flag {
    uint64_t address; /* the key */
    struct release *last;
};
static struct sim_table flags = {.entry_bytes = sizeof(struct flag)};

/* The flag at `address`, or NULL: none, and `make` is false or memory is out. */
static struct flag *find_flag(uintptr_t address, bool make)
{
    return make ? sim_table_add(&flags, address) : sim_table_find(&flags, address);
}

void sim_order_forget(struct launch *launch)
{
    sim_grid_time = ++sim_order_time;
    for (size_t b = 0; b < launch->resident_count; b++) {
        const struct block *block = launch->resident[b];
        *sim_order_of_block(block) = (struct block_order){.barrier_time = sim_order_time};
        for (unsigned int w = 0; w < launch->warps; w++) {
            struct warp_order *warp = sim_order_of(&block->warps[w]);
            for (int i = 0; i < WARP; i++) {
                warp->lane[i] = NULL;
                warp->time[i] = sim_order_time;
            }
        }
    }
    sim_knowledge_forget();
    sim_table_clear(&flags);
}

void sim_order_make_room(void)
{
    if (sim_knowledge_is_spent())
        sim_order_forget(sim_running);
}

static uint64_t block_number(const struct block *block)
{
    return block->first_warp / block->warp_count;
}

/* What was known to a lane at its fence, as a piece. */
static struct knowledge *publish_fence(struct lane *lane, struct fenced *fenced)
{
    const struct warp *warp = lane->warp;
    const struct block *block = warp->block;
    if (fenced->published)
        return fenced->published;
    struct knowledge *piece = sim_knowledge_new(3 + (fenced->has_row ? WARP : 0), 2);
    if (!piece)
        return NULL;
    sim_knowledge_add_fact(piece, (struct fact){warp->id, 1, 1u << lane->number, fenced->time});
    sim_knowledge_add_fact(piece, (struct fact){warp->id, 1, UINT32_MAX, fenced->full_time});
    sim_knowledge_add_fact(piece, (struct fact){block->first_warp, block->warp_count, UINT32_MAX,
                                                fenced->barrier_time});
    for (uint32_t i = 0; fenced->has_row && i < WARP; i++)
        if (fenced->row[i] > fenced->full_time)
            sim_knowledge_add_fact(piece, (struct fact){warp->id, 1, 1u << i, fenced->row[i]});
    sim_knowledge_add_link(piece, fenced->acquired);
    sim_knowledge_add_link(piece, fenced->block_acquired);
    fenced->published = piece;
    return piece;
}

/* All that the lane may publish at this scope: what it knew at its fence, and the
 * fences of others that a barrier made known. */
static struct knowledge *publishable(struct lane *lane, int scope)
{
    struct lane_order *order = sim_order_of_lane(lane);
    const struct block_knowledge *block = sim_order_of_block(lane->warp->block)->knowledge;
    struct knowledge *from_block = block ? block->inherited[scope] : NULL;
    struct knowledge *from_warp = order ? order->inherited[scope] : NULL;
    bool fenced = order && order->fenced[scope].set;
    if (!fenced && !from_warp)
        return from_block;
    if (fenced && !from_warp && !from_block)
        return publish_fence(lane, &order->fenced[scope]);
    struct knowledge *piece = sim_knowledge_new(0, 3);
    if (!piece)
        return NULL;
    sim_knowledge_add_link(piece, fenced ? publish_fence(lane, &order->fenced[scope]) : NULL);
    sim_knowledge_add_link(piece, from_warp);
    sim_knowledge_add_link(piece, from_block);
    return piece;
}

bool sim_order_fenced(const struct warp *warp, unsigned int lane, bool device)
{
    int scope = device ? PUBLISHED_DEVICE : PUBLISHED_BLOCK;
    const struct lane_order *order = sim_fences_used ? sim_order_of(warp)->lane[lane] : NULL;
    const struct block_knowledge *block =
        sim_fences_used ? sim_order_of_block(warp->block)->knowledge : NULL;
    return (order && (order->fenced[scope].set || order->inherited[scope])) ||
           (block && block->inherited[scope]);
}

/* A flag keeps its releases in a chain, the newest first: an atomic continues the release
 * sequence of those before, a plain store begins a new one. */
static void add_release(struct flag *flag, struct lane *lane, struct knowledge *piece,
                        bool block_scope)
{
    struct release *release = piece ? sim_order_take(sizeof *release) : NULL;
    int scope = block_scope ? PUBLISHED_BLOCK : PUBLISHED_DEVICE;
    if (!release)
        return;
    release->before = flag->last;
    release->piece = piece;
    struct lane_order *order = sim_order_of_lane(lane);
    if (order && order->fenced[scope].set)
        release->own = publish_fence(lane, &order->fenced[scope]);
    release->block_number = block_number(lane->warp->block);
    release->at = sim_order_time;
    release->block_scope = block_scope;
    release->narrow = block_scope || (flag->last && flag->last->narrow);
    flag->last = release;
}

/* Lanes that fence in one step share a tick, so that they stay comparable as one. */
static uint32_t fence_tick(struct warp *warp)
{
    uint64_t step = warp->block->launch->steps;
    struct warp_order *order = sim_order_of(warp);
    if (order->fence_step != step || order->fence_time != sim_order_time) {
        order->fence_step = step;
        order->fence_time = ++sim_order_time;
    }
    return sim_order_time;
}

static void snapshot(const struct lane *lane, const struct lane_order *order, struct fenced *fenced)
{
    const struct warp_order *warp = sim_order_of(lane->warp);
    const struct block_order *block = sim_order_of_block(lane->warp->block);
    const uint32_t *row = sim_order_row(lane->warp, lane->number);
    fenced->set = true;
    fenced->time = warp->time[lane->number];
    fenced->full_time = warp->full_time;
    fenced->barrier_time = block->barrier_time;
    fenced->has_row = row != NULL;
    if (row)
        memcpy(fenced->row, row, sizeof fenced->row);
    fenced->acquired = order->acquired;
    fenced->block_acquired = block->knowledge ? block->knowledge->acquired : NULL;
    fenced->published = NULL;
}

/* All that the lane knows now, fenced or not. */
static struct knowledge *all_of(struct lane *lane)
{
    struct lane_order *order = sim_lane_order(lane);
    struct fenced current = {0};
    if (!order)
        return NULL;
    sim_order_of(lane->warp)->time[lane->number] = fence_tick(lane->warp);
    snapshot(lane, order, &current);
    return publish_fence(lane, &current);
}

void sim_order_release(struct lane *lane, uintptr_t address, bool block_scope, bool updates)
{
    sim_order_make_room();
    struct knowledge *device = block_scope ? NULL : publishable(lane, PUBLISHED_DEVICE);
    struct knowledge *block = publishable(lane, PUBLISHED_BLOCK);
    struct knowledge *loose = sim_checks(CHECK_STRICT) ? all_of(lane) : NULL;
    struct flag *flag = find_flag(address, device || block || loose);
    if (!flag)
        return;
    if (!updates)
        flag->last = NULL;
    sim_narrow_releases |= block_scope && block;
    add_release(flag, lane, block, true);
    add_release(flag, lane, device, false);
    add_release(flag, lane, loose, false);
    if (loose && flag->last && flag->last->piece == loose)
        flag->last->loose = true;
}

/* Links to the flag as it is now. What its publishers knew is looked up when it is asked for,
 * which is rare, and not copied here, which would be for each round of a spinning lane. */
void sim_order_acquire(struct lane *lane, uintptr_t address, bool block_scope)
{
    sim_order_make_room();
    struct flag *flag = find_flag(address, false);
    if (!flag || !flag->last)
        return;
    struct release *last = flag->last;
    struct lane_order *order = sim_lane_order(lane);
    if (!order || (order->acquired && order->acquired->acquired == last &&
                   order->acquired->block_scope <= block_scope))
        return;
    struct knowledge *piece = sim_knowledge_new(0, 1);
    if (!piece)
        return;
    piece->acquired = last;
    piece->block_number = block_number(lane->warp->block);
    piece->block_scope = block_scope;
    sim_knowledge_add_link(piece, order->acquired);
    order->acquired = piece;
    if (sim_checks(CHECK_STRICT)) {
        piece->unfenced = order->unfenced;
        order->unfenced = piece;
    }
    struct block_knowledge *block = sim_block_knowledge(lane->warp->block);
    if (block)
        block->changed = true;
}

void sim_order_read_relaxed(struct lane *lane, uintptr_t address)
{
    sim_order_make_room();
    struct flag *flag = find_flag(address, false);
    struct lane_order *order = flag && flag->last ? sim_lane_order(lane) : NULL;
    if (order && sim_checks(CHECK_STRICT)) { /* each read says itself whether a fence came */
        struct knowledge *before = order->acquired;
        sim_order_acquire(lane, address, false);
        if (order->acquired != before) /* a piece of its own, that nobody has searched yet */
            order->acquired->relaxed = true;
        return;
    }
    if (!order || order->relaxed[0] == address)
        return;
    struct block_knowledge *block = sim_block_knowledge(lane->warp->block);
    if (!block)
        return;
    order->relaxed[1] = order->relaxed[0];
    order->relaxed[0] = address;
    block->relaxed = block->changed = true;
}

/* A fence makes acquires of what the lane has read relaxed; of what a narrow one has made one,
 * a wide one may still make a wide one. */
static void acquire_relaxed(struct lane *lane, bool block_scope)
{
    for (int i = 0; i < 2; i++) {
        struct lane_order *order = sim_order_of_lane(lane);
        const uintptr_t address = order ? order->relaxed[i] : 0;
        if (order && !block_scope)
            order->relaxed[i] = 0;
        if (address)
            sim_order_acquire(lane, address, block_scope);
    }
}

void sim_order_acquire_relaxed(struct warp *warp, uint32_t mask)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        acquire_relaxed(&warp->lane[__builtin_ctz(rest)], false);
}

/* The flags that the lane has read until now, it has acquired now: by the letter. */
static void fence_reads(struct lane_order *order, bool block_scope)
{
    if (order->unfenced)
        sim_knowledge_changed();
    for (struct knowledge *k = order->unfenced; k; k = k->unfenced)
        k->fence = block_scope ? BLOCK_FENCE : WIDE_FENCE;
    if (!block_scope)
        order->unfenced = NULL;
}

void sim_order_fence(struct lane *lane, enum sim_fence scope)
{
    sim_order_make_room();
    acquire_relaxed(lane, scope == SIM_FENCE_BLOCK);
    struct lane_order *order = sim_lane_order(lane);
    struct block_knowledge *block = sim_block_knowledge(lane->warp->block);
    if (!order || !block)
        return;
    sim_fences_used = sim_fences_ever_used = true;
    block->changed = true;
    sim_order_of(lane->warp)->time[lane->number] = fence_tick(lane->warp);
    fence_reads(order, scope == SIM_FENCE_BLOCK);
    sim_narrow_releases |= scope == SIM_FENCE_BLOCK;
    snapshot(lane, order, &order->fenced[PUBLISHED_BLOCK]);
    if (scope != SIM_FENCE_BLOCK)
        snapshot(lane, order, &order->fenced[PUBLISHED_DEVICE]);
}
