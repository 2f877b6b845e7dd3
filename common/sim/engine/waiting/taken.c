/* taken.c - who has taken which lock.
 *
 * To the hardware a lock is a word like any other. To us it is a word that a lane has changed with
 * atomicCAS or atomicExch, and which it has not put back to what was there: as long as what it left
 * is there, it holds the lock. Many words look so that are no locks, bins above all; that does no
 * harm, since this is asked only for words that somebody waits for. */
#include <stdlib.h>

#include "engine/waiting/waiting.h"

/* Words that threads of blocks that have ended have left behind. Two words of one hash are one
 * entry, which the later takes when the earlier is out of date. */
enum { LEFT_BITS = 10, LEFT = 1 << LEFT_BITS };
struct left_taken {
    struct taken taken[LEFT];
    struct sim_index thread[LEFT], block[LEFT];
};

/* The entry for a word: the one that it has, one that is free, or the oldest. NULL: no memory. */
static struct taken *entry_of(struct warp *warp, unsigned int lane, uintptr_t address)
{
    if (!warp->taken)
        warp->taken = calloc(WARP, sizeof *warp->taken);
    if (!warp->taken)
        return NULL;
    struct taken *all = warp->taken[lane];
    if (!(warp->took >> lane & 1))
        memset(all, 0, sizeof *warp->taken);
    warp->took |= 1u << lane;
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

void sim_note_taken(struct warp *warp, unsigned int lane, uint64_t old, uint64_t new)
{
    struct launch *launch = warp->block->launch;
    struct taken *taken = entry_of(warp, lane, warp->address[lane]);
    if (!taken)
        return;
    if (taken->held && taken->value == old && taken->before == new) {
        taken->held = false;
        return;
    }
    taken->pc = sim_lane_pc(warp, lane);
    taken->before = old;
    taken->value = new;
    taken->bytes = warp->stop[lane].bytes;
    taken->held = true;
    taken->is_lock = warp->stop[lane].flags & (ACCESS_EXCHANGE | SIM_CONSTANT_COMPARE);
    taken->times++;
    if (launch->live != launch->takes_live) { /* somebody has come to an end */
        launch->takes_live = launch->live;
        sim_drop_suspect(launch);
    }
    launch->takes++;
    sim_note_retaken(&warp->lane[lane], taken);
}

static void leave_behind(struct launch *launch, const struct lane *lane, const struct taken *taken)
{
    if (!launch->left)
        launch->left = calloc(1, sizeof *launch->left);
    uint64_t at = sim_hash(taken->address, LEFT_BITS);
    if (!launch->left || sim_is_held(&launch->left->taken[at]))
        return;
    launch->left->taken[at] = *taken;
    launch->left->thread[at] = lane->thread;
    launch->left->block[at] = lane->warp->block->index;
}

void sim_keep_taken(struct launch *launch, const struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        for (uint32_t rest = warp->took; rest; rest &= rest - 1) {
            int i = __builtin_ctz(rest);
            for (int k = 0; k < WORDS_TAKEN; k++)
                if (warp->taken[i][k].address - (uintptr_t)block->shared >= SHARED_SLOT &&
                    sim_is_held(&warp->taken[i][k]))
                    leave_behind(launch, &warp->lane[i], &warp->taken[i][k]);
        }
    }
}

static bool find_in_warp(const struct warp *warp, uintptr_t address, struct holder *holder)
{
    for (uint32_t rest = warp->took; rest; rest &= rest - 1) {
        int i = __builtin_ctz(rest);
        for (int k = 0; k < WORDS_TAKEN; k++)
            if (warp->taken[i][k].address == address && sim_is_held(&warp->taken[i][k])) {
                *holder = (struct holder){&warp->lane[i], warp->lane[i].thread, warp->block->index,
                                          warp->taken[i][k]};
                return true;
            }
    }
    return false;
}

void sim_end_taken(struct launch *launch)
{
    sim_drop_suspect(launch);
    free(launch->left);
    launch->left = NULL;
}

bool sim_find_holder(const struct launch *launch, uintptr_t address, struct holder *holder)
{
    for (size_t b = 0; b < launch->resident_count; b++)
        for (unsigned int w = 0; w < launch->warps; w++)
            if (find_in_warp(&launch->resident[b]->warps[w], address, holder))
                return true;
    uint64_t at = sim_hash(address, LEFT_BITS);
    if (!launch->left || launch->left->taken[at].address != address ||
        !sim_is_held(&launch->left->taken[at]))
        return false;
    *holder = (struct holder){NULL, launch->left->thread[at], launch->left->block[at],
                              launch->left->taken[at]};
    return true;
}
