/* taken.c - who has taken which lock.
 *
 * To the hardware a lock is a word like any other. To us it is a word that a lane has changed with
 * atomicCAS or atomicExch, and which it has not put back to what was there: as long as what it left
 * is there, it holds the lock. Many words look so that are no locks, bins above all; that does no
 * harm, since this is asked only for words that somebody waits for. */
#include "checks/taken.h"

/* Words that threads of blocks that have ended have left behind. Two words of one hash are one
 * entry, which the later takes when the earlier is out of date. */
enum { LEFT_BITS = 10, LEFT = 1 << LEFT_BITS };
static struct {
    bool any;
    struct taken taken[LEFT];
    struct sim_index thread[LEFT], block[LEFT];
} left;

struct tried sim_tried[MOST_WARPS + DEFERRED_WARPS];

void sim_taken_start_warp(const struct warp *warp)
{
    struct tried *tried = sim_tried_of(warp);
    tried->took = tried->in_vain = 0;
    memset(tried->failed, 0, sizeof tried->failed);
    memset(tried->found, 0, sizeof tried->found);
}

/* The entry for a word: the one that it has, one that is free, or the oldest. */
static struct taken *entry_of(struct tried *tried, unsigned int lane, uintptr_t address)
{
    struct taken *all = tried->taken[lane];
    if (!(tried->took >> lane & 1))
        memset(all, 0, sizeof tried->taken[lane]);
    tried->took |= 1u << lane;
    for (int i = 0; i < WORDS_TAKEN; i++)
        if (all[i].address == address)
            return &all[i];
    for (int i = 0; i < WORDS_TAKEN; i++)
        if (!all[i].held) {
            all[i] = (struct taken){.address = address};
            return &all[i];
        }
    memmove(all, all + 1, sizeof all[0] * (WORDS_TAKEN - 1));
    all[WORDS_TAKEN - 1] = (struct taken){.address = address};
    return &all[WORDS_TAKEN - 1];
}

const struct taken *sim_note_taken(const struct warp *warp, unsigned int lane, uint64_t old,
                                   uint64_t new)
{
    struct taken *taken = entry_of(sim_tried_of(warp), lane, warp->address[lane]);
    if (taken->held && taken->value == old && taken->before == new) {
        taken->held = false;
        return NULL;
    }
    taken->pc = sim_lane_pc(warp, lane);
    taken->before = old;
    taken->value = new;
    taken->bytes = warp->stop[lane].bytes;
    taken->held = true;
    taken->is_lock = warp->stop[lane].flags & (ACCESS_EXCHANGE | SIM_CONSTANT_COMPARE);
    taken->times++;
    return taken;
}

static void leave_behind(const struct lane *lane, const struct taken *taken)
{
    const uint64_t at = sim_hash(taken->address, LEFT_BITS);
    if (sim_is_held(&left.taken[at]))
        return;
    left.any = true;
    left.taken[at] = *taken;
    left.thread[at] = lane->thread;
    left.block[at] = lane->warp->block->index;
}

void sim_keep_taken(const struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        const struct tried *tried = sim_tried_of(warp);
        for (uint32_t rest = tried->took; rest; rest &= rest - 1) {
            const int i = __builtin_ctz(rest);
            for (int k = 0; k < WORDS_TAKEN; k++)
                if (tried->taken[i][k].address - (uintptr_t)block->shared >= SHARED_SLOT &&
                    sim_is_held(&tried->taken[i][k]))
                    leave_behind(&warp->lane[i], &tried->taken[i][k]);
        }
    }
}

static bool find_in_warp(const struct warp *warp, uintptr_t address, struct holder *holder)
{
    const struct tried *tried = sim_tried_of(warp);
    for (uint32_t rest = tried->took; rest; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        for (int k = 0; k < WORDS_TAKEN; k++)
            if (tried->taken[i][k].address == address && sim_is_held(&tried->taken[i][k])) {
                *holder = (struct holder){&warp->lane[i], warp->lane[i].thread, warp->block->index,
                                          tried->taken[i][k]};
                return true;
            }
    }
    return false;
}

void sim_end_taken(void)
{
    if (left.any)
        memset(&left, 0, sizeof left);
}

bool sim_find_holder(const struct launch *launch, uintptr_t address, struct holder *holder)
{
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps; w++)
            if (find_in_warp(&launch->resident[b]->warps[w], address, holder))
                return true;
    const uint64_t at = sim_hash(address, LEFT_BITS);
    if (left.taken[at].address != address || !sim_is_held(&left.taken[at]))
        return false;
    *holder = (struct holder){NULL, left.thread[at], left.block[at], left.taken[at]};
    return true;
}
