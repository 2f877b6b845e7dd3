/* stripes.c - a table of stripes and the rounds of atomics that each has served. */
#include "stripes.h"

#include "must_have.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARP = 32, FIRST_SIZE = 1024 };

static struct stripe *place_of(const struct stripes *stripes, uintptr_t number)
{
    size_t i = (number * 0x9e3779b97f4a7c15u) >> 20 & (stripes->size - 1);
    while (stripes->places[i].number != 0 && stripes->places[i].number != number)
        i = (i + 1) & (stripes->size - 1);
    return &stripes->places[i];
}

/* Makes room for one more: at least half of the places stay free. */
static void make_room(struct stripes *stripes)
{
    if (2 * (stripes->used + 1) <= stripes->size)
        return;
    struct stripes larger = {.size = stripes->size ? 2 * stripes->size : FIRST_SIZE};
    larger.places = must_have(calloc(larger.size, sizeof *larger.places), "to watch the atomics");
    for (size_t i = 0; i < stripes->size; i++)
        if (stripes->places[i].number != 0)
            *place_of(&larger, stripes->places[i].number) = stripes->places[i];
    larger.used = stripes->used;
    free(stripes->places);
    *stripes = larger;
}

void stripes_count(struct stripes *stripes, uintptr_t number, uint64_t rounds)
{
    make_room(stripes);
    struct stripe *stripe = place_of(stripes, number);
    stripes->used += stripe->number == 0;
    stripe->number = number;
    stripe->rounds += rounds;
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

void stripes_add(struct stripes *stripes, const struct sim_event *event)
{
    uint32_t left = event->active;
    if (left != 0 && is_in_one_stripe(event)) {
        stripes_count(stripes, event->address[__builtin_ctz(left)] / STRIPE_BYTES, event->cost);
        return;
    }
    while (left != 0) {
        unsigned int first = (unsigned int)__builtin_ctz(left);
        uint32_t lanes;
        unsigned int rounds = rounds_of_sector(event, first, &lanes);
        stripes_count(stripes, event->address[first] / STRIPE_BYTES, rounds);
        left &= ~lanes;
    }
}

uint64_t stripes_busiest(const struct stripes *stripes)
{
    uint64_t most = 0;
    for (size_t i = 0; i < stripes->size; i++)
        most = stripes->places[i].rounds > most ? stripes->places[i].rounds : most;
    return most;
}

uint64_t stripes_above(const struct stripes *stripes, uint64_t rounds)
{
    uint64_t above = 0;
    for (size_t i = 0; i < stripes->size; i++)
        above += stripes->places[i].number != 0 && stripes->places[i].rounds > rounds;
    return above;
}

void stripes_free(struct stripes *stripes)
{
    free(stripes->places);
    *stripes = (struct stripes){0};
}
