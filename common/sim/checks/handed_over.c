/* handed_over.c - what to do about a race of an element that a lock or a ticket hands over. */
#include <stdio.h>

#include "checks/race.h"

/* The lock that the later thread holds; NULL for none. */
static const struct taken *held_lock(const struct race *race)
{
    const struct warp *warp = race->warp;
    for (int i = 0; warp->took >> race->lane & 1 && i < WORDS_TAKEN; i++)
        if (warp->taken[race->lane][i].is_lock && sim_is_held(&warp->taken[race->lane][i]))
            return &warp->taken[race->lane][i];
    return NULL;
}

/* A lock that is freed without a fence keeps nobody apart. */
bool sim_advise_lock(const struct race *race, char *text, size_t size)
{
    const struct taken *lock = held_lock(race);
    char name[200];
    if (!lock || race->later_atomic || race->earlier_atomic)
        return false;
    sim_describe_address(race->warp->block, sim_memory_find(lock->address), lock->address,
                         lock->bytes, name, sizeof name);
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
             "if the atomics on %s tell that it has been written: put __threadfence() between the "
             "write and the writer's atomic, and read only when all have been made",
             name);
    return true;
}
