/* happens_before.c - who knows of whose accesses: the order in time.
 *
 * Whether two accesses race must not depend on the order in which they happened to come:
 * it depends on whether anything orders them. Vector clocks tell that exactly, with a
 * time for each pair of lanes; a grid has too many. FastTrack (Flanagan and Freund, PLDI
 * 2009) keeps, for an access, only its epoch, "this lane at that time", and compares it
 * with what the later lane knows. That suffices since whoever knows of an access knows of
 * all that this lane did before.
 *
 * A GPU makes knowing cheap. One clock ticks at every barrier, __syncwarp and fence. A
 * lane knows all that its block did before the last barrier and its warp before the last
 * __syncwarp, so that two numbers stand for hundreds of lanes. Only what was published
 * by way of flags (publish.c) has to be kept by itself. */
#include <stdlib.h>
#include <string.h>

#include "checks/order/knowledge.h"

bool sim_order_start_launch(struct launch *launch)
{
    bool anew = sim_order_time > UINT32_MAX / 2;
    if (anew)
        sim_order_time = 0;
    sim_fences_used = sim_checks(CHECK_STRICT);
    sim_fences_ever_used |= sim_fences_used;
    sim_narrow_releases = false;
    sim_order_forget(launch);
    return anew;
}

void sim_order_end_launch(void)
{
    sim_fences_used = false;
}

void sim_order_start_block(struct block *block)
{
    *sim_order_of_block(block) = (struct block_order){.barrier_time = ++sim_order_time};
    for (unsigned int w = 0; w < block->warp_count; w++) {
        struct warp_order *warp = sim_order_of(&block->warps[w]);
        warp->full_time = sim_order_time;
        warp->fence_step = UINT64_MAX;
        warp->has_rows = false;
        for (int i = 0; i < WARP; i++) {
            warp->time[i] = sim_order_time;
            warp->lane[i] = NULL;
        }
    }
}

/* Barriers */

static void gather_block_fences(const struct block *block, int scope)
{
    struct block_knowledge *knowledge = sim_order_of_block(block)->knowledge;
    uint32_t entries = 0, links = 1;
    for (unsigned int w = 0; w < block->warp_count; w++)
        sim_knowledge_count(&block->warps[w], block->warps[w].lanes, scope, &entries, &links);
    if (entries == 0 && links == 1)
        return;
    struct knowledge *piece = sim_knowledge_new(entries, links);
    if (!piece)
        return;
    for (unsigned int w = 0; w < block->warp_count; w++)
        sim_knowledge_gather(piece, &block->warps[w], block->warps[w].lanes, scope);
    sim_knowledge_add_link(piece, knowledge->inherited[scope]);
    knowledge->inherited[scope] = piece;
}

/* What any lane acquired, all of the block knows now. */
static void gather_block_acquired(const struct block *block)
{
    struct block_knowledge *knowledge = sim_order_of_block(block)->knowledge;
    uint32_t links = 1;
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++)
            links += sim_order_of(&block->warps[w])->lane[i] != NULL;
    struct knowledge *piece = sim_knowledge_new(0, links);
    if (!piece)
        return;
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++) {
            const struct lane_order *order = sim_order_of(&block->warps[w])->lane[i];
            if (order)
                sim_knowledge_add_link(piece, order->acquired);
        }
    sim_knowledge_add_link(piece, knowledge->acquired);
    if (piece->links)
        knowledge->acquired = piece;
}

static void forget_lanes(const struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++) {
            struct lane_order *order = sim_order_of(&block->warps[w])->lane[i];
            if (!order)
                continue;
            order->acquired = NULL;
            for (int scope = 0; scope < SCOPES; scope++) {
                order->fenced[scope].set &= sim_checks(CHECK_STRICT);
                order->inherited[scope] = NULL;
            }
        }
}

static void set_times(const struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (int i = 0; i < WARP; i++)
            sim_order_of(&block->warps[w])->time[i] = sim_order_time;
}

/* Everything that one lane of the block acquired or fenced, all lanes know from here on; it
 * moves from the lanes to the block, so that each barrier makes the lanes' own lists empty. */
void sim_order_barrier(struct block *block)
{
    struct block_order *order = sim_order_of_block(block);
    sim_order_make_room();
    for (unsigned int w = 0; order->knowledge && order->knowledge->relaxed && w < block->warp_count;
         w++)
        sim_order_acquire_relaxed(&block->warps[w], block->warps[w].lanes);
    if (order->knowledge && order->knowledge->changed) {
        order->knowledge->relaxed = false;
        gather_block_acquired(block);
        for (int scope = 0; scope < SCOPES; scope++)
            gather_block_fences(block, scope);
        forget_lanes(block);
        order->knowledge->changed = false;
    }
    order->barrier_time = ++sim_order_time;
    set_times(block);
}

void sim_order_grid_barrier(struct launch *launch)
{
    sim_order_forget(launch);
}

/* __syncwarp */

/* Whether the lanes in `mask` have nothing to tell each other: of what they
 * acquired (scope -1), or of fences. */
static bool know_the_same(const struct warp *warp, uint32_t mask, int scope)
{
    const struct knowledge *first = NULL;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct lane_order *order = sim_order_of(warp)->lane[__builtin_ctz(rest)];
        const struct knowledge *piece = !order      ? NULL
                                        : scope < 0 ? order->acquired
                                                    : order->inherited[scope];
        if (rest == mask)
            first = piece;
        if (piece != first || (order && scope >= 0 && order->fenced[scope].set))
            return false;
    }
    return true;
}

static void share_acquired(const struct warp *warp, uint32_t mask)
{
    if (know_the_same(warp, mask, -1))
        return;
    struct knowledge *acquired = sim_knowledge_new(0, (uint32_t)__builtin_popcount(mask));
    if (!acquired)
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const struct lane_order *order = sim_order_of(warp)->lane[__builtin_ctz(rest)];
        if (order)
            sim_knowledge_add_link(acquired, order->acquired);
    }
    if (acquired->links == 0)
        return;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct lane_order *order = sim_lane_order(&warp->lane[__builtin_ctz(rest)]);
        if (order)
            order->acquired = acquired->links == 1 ? acquired->link[0] : acquired;
    }
}

static void share_fences(const struct warp *warp, uint32_t mask, int scope)
{
    uint32_t entries = 0, links = 0;
    if (know_the_same(warp, mask, scope))
        return;
    sim_knowledge_count(warp, mask, scope, &entries, &links);
    struct knowledge *piece = sim_knowledge_new(entries, links);
    if (!piece)
        return;
    sim_knowledge_gather(piece, warp, mask, scope);
    if (piece->entries == 0 && piece->links == 1)
        piece = piece->link[0];
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        struct lane_order *order = sim_lane_order(&warp->lane[__builtin_ctz(rest)]);
        if (order) {
            order->inherited[scope] = piece;
            order->fenced[scope].set &= sim_checks(CHECK_STRICT);
        }
    }
}

/* Lanes of a warp meet. When all are there one number says so for the warp; if only some
 * are, each gets a row of times, of what it knows of each other lane: FastTrack's vector
 * clock, but of a warp only. */
static void meet(struct warp *warp, uint32_t mask)
{
    struct warp_order *order = sim_order_of(warp);
    const struct block_order *block = sim_order_of_block(warp->block);
    sim_order_make_room();
    if (block->knowledge && block->knowledge->relaxed)
        sim_order_acquire_relaxed(warp, mask);
    if (block->knowledge) {
        share_acquired(warp, mask);
        for (int scope = 0; scope < SCOPES; scope++)
            share_fences(warp, mask, scope);
    }
    sim_order_time++;
    if (mask == warp->lanes)
        order->full_time = sim_order_time;
    else
        sim_order_share_rows(warp, mask);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        order->time[__builtin_ctz(rest)] = sim_order_time;
}

/* Votes, matches and shuffles order no memory: the Programming Guide. */
void sim_order_intrinsic(struct warp *warp, uint32_t mask, enum sim_warp_intrinsic operation,
                         uint64_t *result)
{
    (void)result;
    if (operation == SIM_SYNCWARP)
        meet(warp, mask);
}

/* Questions */

bool sim_order_learned(const struct warp *warp, unsigned int lane)
{
    const struct block_knowledge *block = sim_order_of_block(warp->block)->knowledge;
    const struct lane_order *own = sim_order_of(warp)->lane[lane];
    return (block && block->acquired) || (own && own->acquired);
}

/* From the coarsest order to the finest: the grid's barrier, the block's, the warp's. */
uint32_t sim_order_unordered_simply(const struct warp *warp, unsigned int lane, struct epoch epoch)
{
    const struct block *block = warp->block;
    if (epoch.time < sim_grid_time)
        return 0;
    if (epoch.warp - block->first_warp < block->warp_count && epoch.time < sim_barrier_time(block))
        return 0;
    if (epoch.warp == warp->id) {
        const uint32_t *row = sim_order_row(warp, lane);
        epoch.lanes &= ~(1u << lane);
        if (epoch.time < sim_order_of(warp)->full_time)
            return 0;
        for (uint32_t rest = row ? epoch.lanes : 0; rest; rest &= rest - 1)
            if (epoch.time < row[__builtin_ctz(rest)])
                epoch.lanes &= ~(rest & -rest);
    }
    return epoch.lanes;
}

uint32_t sim_order_unordered(const struct warp *warp, unsigned int lane, struct epoch epoch,
                             enum sim_order_rule rule)
{
    epoch.lanes = sim_order_unordered_simply(warp, lane, epoch);
    if (epoch.lanes && sim_order_learned(warp, lane))
        return sim_knowledge_search(warp, lane, epoch, rule);
    return epoch.lanes;
}
