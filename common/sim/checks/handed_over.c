/* handed_over.c - what to do about a race of an element that a lock or a ticket hands over. */
#include <stdio.h>

#include "checks/race.h"

/* The lock that the later thread holds; NULL for none. */
static const struct taken *held_lock(const struct race *race)
{
    const struct tried *tried = sim_tried_of(race->warp);
    const struct taken *taken = tried->taken[race->lane];
    for (int i = 0; tried->took >> race->lane & 1 && i < WORDS_TAKEN; i++)
        if (taken[i].is_lock && sim_is_held(&taken[i]))
            return &taken[i];
    return NULL;
}

/* The warp that made the earlier access; NULL when its block has ended. */
static const struct warp *earlier_warp(const struct race *race)
{
    const struct launch *launch = race->warp->block->launch;
    for (size_t b = 0; b < launch->resident_count; b++) {
        const struct block *block = launch->resident[b];
        if (race->earlier_warp - block->first_warp < block->warp_count)
            return &block->warps[race->earlier_warp - block->first_warp];
    }
    return NULL;
}

/* A lock that the lane holds or has held, of this address, or any; NULL for none that is remembered. */
static const struct taken *lock_of(const struct warp *warp, int lane, uintptr_t address)
{
    const struct tried *tried = warp ? sim_tried_of(warp) : NULL;
    for (int i = 0; tried && lane >= 0 && tried->took >> lane & 1 && i < WORDS_TAKEN; i++) {
        const struct taken *taken = &tried->taken[lane][i];
        if (taken->is_lock && (address ? taken->address == address : taken->address != 0))
            return taken;
    }
    return NULL;
}

static char *name_of(const struct race *race, uintptr_t address, char *name, size_t size)
{
    return sim_describe_address(race->warp->block, sim_memory_find(address), address,
                                sizeof(unsigned int), name, size);
}

/* The two meet at the lock itself: one of them frees it by a plain store. Where it is read plainly, an exchange may as
 * well set a flag. */
static bool advise_plain_release(const struct race *race, char *text, size_t size)
{
    char name[200];
    const bool is_read = race->kind == (race->later_atomic ? RACE_WAR : RACE_RAW);
    if (is_read || race->later_atomic == race->earlier_atomic ||
        (!lock_of(race->warp, (int)race->lane, race->address) &&
         !lock_of(earlier_warp(race), race->earlier_lane, race->address)))
        return false;
    snprintf(text, size,
             "%s is a lock: free it with atomicExch, behind a __threadfence(), and read it with an "
             "atomic",
             name_of(race, race->address, name, sizeof name));
    return true;
}

/* The later thread's last atomic has changed nothing: it was no try that succeeded. */
static bool advise_failed_try(const struct race *race, char *text, size_t size)
{
    const struct lane *lane = &race->warp->lane[race->lane];
    const struct tried *tried = sim_tried_of(race->warp);
    const uintptr_t word = tried->failed[race->lane];
    char name[200];
    if (!word || !(tried->in_vain >> race->lane & 1) || word != lane->atomic_address)
        return false;
    snprintf(text, size,
             "the last atomic of this thread, on %s, has changed nothing. If that is the lock, it "
             "was not taken: atomicCAS(lock, FREE, HELD) has taken it when it returns FREE",
             name_of(race, word, name, sizeof name));
    return true;
}

/* A lock that is freed without a fence keeps nobody apart; nor do two different ones. */
bool sim_advise_lock(const struct race *race, char *text, size_t size)
{
    const struct taken *lock = held_lock(race), *other;
    char name[200], of_other[200];
    if (race->later_atomic || race->earlier_atomic)
        return advise_plain_release(race, text, size);
    if (!lock)
        return advise_failed_try(race, text, size);
    name_of(race, lock->address, name, sizeof name);
    other = lock_of(earlier_warp(race), race->earlier_lane, 0);
    if (other && !lock_of(earlier_warp(race), race->earlier_lane, lock->address)) {
        /* Of a thread its last words are remembered: the one lock of both may be among those before. */
        snprintf(text, size,
                 "this thread holds %s, and the last lock of the other one was %s. If the two hold "
                 "different locks, let all that update one element take the same; else put "
                 "__threadfence() before it is freed, and behind where it is taken",
                 name, name_of(race, other->address, of_other, sizeof of_other));
        return true;
    }
    snprintf(text, size,
             "if %s is the lock that keeps the two apart: put __threadfence() before it is freed, "
             "and behind where it is taken; free it with atomicExch or a volatile store",
             name);
    return true;
}

/* The word in global memory on which a thread of the block has made its last atomic; 0 for none. */
static uintptr_t word_of_atomic(const struct block *block)
{
    for (unsigned int w = 0; w < block->warp_count; w++)
        for (unsigned int i = 0; i < WARP; i++) {
            const struct lane *lane = &block->warps[w].lane[i];
            bool exists = block->warps[w].lanes >> i & 1;
            if (exists && lane->atomic_address && !sim_is_shared(lane->atomic_address))
                return lane->atomic_address;
        }
    return 0;
}

/* Whether another thread of the writer's block draws the ticket: then a fence alone does not do. */
static bool drawn_by_another(const struct race *race)
{
    const struct warp *warp = earlier_warp(race);
    return warp && race->earlier_lane >= 0 && !warp->lane[race->earlier_lane].atomic_address;
}

/* The last block reads what the others have left: who leaves it has to fence before its ticket. */
bool sim_advise_ticket(const struct race *race, char *text, size_t size)
{
    uintptr_t word = word_of_atomic(race->warp->block);
    char name[200];
    if (!word || race->kind != RACE_RAW || race->later_atomic || race->earlier_atomic)
        return false;
    const struct sim_allocation *allocation = sim_memory_find(word);
    sim_describe_address(race->warp->block, allocation, word, sizeof(unsigned int), name,
                         sizeof name);
    snprintf(text, size,
             drawn_by_another(race)
                 ? "if the atomics on %s tell that it has been written: put __syncthreads() and "
                   "__threadfence() between the write and the atomic, which another thread makes"
                 : "if the atomics on %s tell that it has been written: put __threadfence() "
                   "between the write and the writer's atomic, and read only when all have been "
                   "made",
             name);
    return true;
}
