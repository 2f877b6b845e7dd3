/* l2_rounds.c - a table of stripes and the rounds of atomics that each has served. */
#include "l2_rounds.h"

#include "must_have.h"

#include <stdbool.h>

enum { WARP = 32 };

void l2_rounds_count(struct l2_rounds *l2_rounds, uintptr_t number, uint64_t rounds)
{
    l2_rounds->table.entry_bytes = sizeof(struct stripe);
    struct stripe *stripe =
        must_have(sim_table_add(&l2_rounds->table, number), "to watch the atomics");
    stripe->rounds += rounds;
    l2_rounds->used = l2_rounds->table.count;
}

static bool is_in_one_stripe(const struct sim_event *event)
{
    uintptr_t first = event->address[__builtin_ctz(event->active)] / STRIPE_BYTES;
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1 && event->address[lane] / STRIPE_BYTES != first)
            return false;
    return true;
}

/* The lanes that stand in the sector of `first`, and of them the most at one address. */
static unsigned int rounds_of_sector(const struct sim_event *event, unsigned int first,
                                     uint32_t *lanes)
{
    unsigned int most = 0, lanes_at[SECTOR_BYTES] = {0};
    uintptr_t sector = event->address[first] / SECTOR_BYTES;
    *lanes = 0;
    for (unsigned int lane = first; lane < WARP; lane++) {
        if (!(event->active >> lane & 1) || event->address[lane] / SECTOR_BYTES != sector)
            continue;
        unsigned int count = ++lanes_at[event->address[lane] % SECTOR_BYTES];
        most = count > most ? count : most;
        *lanes |= (uint32_t)1 << lane;
    }
    return most;
}

void l2_rounds_add(struct l2_rounds *l2_rounds, const struct sim_event *event)
{
    uint32_t left = event->active;
    if (left != 0 && is_in_one_stripe(event)) {
        l2_rounds_count(l2_rounds, event->address[__builtin_ctz(left)] / STRIPE_BYTES, event->cost);
        return;
    }
    while (left != 0) {
        unsigned int first = (unsigned int)__builtin_ctz(left);
        uint32_t lanes;
        unsigned int rounds = rounds_of_sector(event, first, &lanes);
        l2_rounds_count(l2_rounds, event->address[first] / STRIPE_BYTES, rounds);
        left &= ~lanes;
    }
}

uint64_t l2_rounds_busiest(const struct l2_rounds *l2_rounds)
{
    uint64_t most = 0;
    const struct stripe *one = NULL;
    while ((one = sim_table_next(&l2_rounds->table, one)))
        most = one->rounds > most ? one->rounds : most;
    return most;
}

uint64_t l2_rounds_above(const struct l2_rounds *l2_rounds, uint64_t rounds)
{
    uint64_t above = 0;
    const struct stripe *one = NULL;
    while ((one = sim_table_next(&l2_rounds->table, one)))
        above += one->rounds > rounds;
    return above;
}

void l2_rounds_free(struct l2_rounds *l2_rounds)
{
    sim_table_free(&l2_rounds->table);
    l2_rounds->used = 0;
}
