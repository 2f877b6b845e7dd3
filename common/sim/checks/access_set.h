/* access_set.h - the sets that a cell keeps, and an access that meets them. */
#ifndef SIM_ACCESS_SET_H
#define SIM_ACCESS_SET_H

#include "checks/shadow.h"

/* One lane's access to (a part of) one word. */
struct access {
    struct warp *warp;
    unsigned int lane;
    uintptr_t word;              /* its address */
    uint32_t time, floor;        /* what is older than the floor, this lane knows */
    enum access_kind kind, kept; /* what it is, and is remembered as: see guesses.c */
    uint16_t pc;
    bool reported, guarded;
    const struct cell *cell;
    struct race race; /* for reports: what does not change from cell to cell */
};

static inline bool in_block(const struct block *block, uint32_t warp)
{
    return warp - block->first_warp < block->warp_count;
}

static inline bool is_atomic(enum access_kind kind)
{
    return kind == ATOMICS || kind == BLOCK_ATOMICS;
}

static inline bool is_volatile(enum access_kind kind)
{
    return kind == VOLATILE_READS || kind == VOLATILE_WRITES;
}

static inline bool is_load(enum access_kind kind)
{
    return kind == READS || kind == VOLATILE_READS;
}

/* A set of this access alone. */
static inline struct set sim_set_alone(const struct access *a)
{
    return (struct set){.time = a->time,
                        .warp = a->warp->id,
                        .lanes = 1u << a->lane,
                        .pc = a->pc,
                        .shape = SET_LANES,
                        .kind = (uint8_t)(a->kept & 15),
                        .lane = (uint8_t)(a->lane & 31)};
}

/* Empties a set. */
static inline void sim_set_drop(struct set *set)
{
    if (set->shape == SET_LIST)
        sim_pool_give_back(set->lanes, set->time);
    *set = (struct set){0};
}

/* The `lanes` of a set of bytes: in bits 20 to 23 which bytes are there, below these the lane
 * of each. */
static inline uint32_t bytes_flags(uint32_t lanes)
{
    return lanes >> 20;
}

static inline unsigned int bytes_lane(uint32_t lanes, int byte)
{
    return lanes >> 5 * byte & 31;
}

static inline void bytes_set(uint32_t *lanes, int byte, unsigned int lane)
{
    *lanes &= ~((uint32_t)31 << 5 * byte);
    *lanes |= (uint32_t)lane << 5 * byte | 1u << (20 + byte);
}

/* The lanes of a set of one warp that touched a byte in `bytes`. */
static inline uint32_t sim_set_lanes(const struct set *set, unsigned int bytes)
{
    uint32_t lanes = 0;
    if (set->shape == SET_LANES)
        return set->lanes;
    for (int byte = 0; byte < 4; byte++)
        if (bytes & bytes_flags(set->lanes) & 1u << byte)
            lanes |= 1u << bytes_lane(set->lanes, byte);
    return lanes;
}

/* access_set.c */
/* Adds an access of the whole word to what was seen. */
void sim_set_add(const struct access *a, struct set *set, struct set new);
/* Gives each byte of a word its own cell; false when there is no memory for it. */
bool sim_cell_split(struct cell *cell);

/* All lanes of the warp load or store at one time. Remembers it, if each goes on where the one
 * before ends, in words that nobody has touched since what everybody knows; else returns
 * false, and does nothing. */
bool sim_shadow_take_run(const struct access *a, const struct shadow *shadow, struct stop stop);

/* guarded_stores.c: of a lane that is about to store to a word. */
/* Whether it has just read what it overwrites: x = x + 1. */
bool sim_store_updates(const struct access *a, const struct set *seen);
/* Whether it stores since a branch on what it overwrites said so; it is watched, then. */
bool sim_store_is_guarded(const struct access *a, const struct cell *cell);

/* beside.c */
/* Launches of other streams may run at the same time. */
extern bool sim_launches_beside;
/* The word is touched: by one of these, too? */
void sim_race_with_others(const struct access *a, const struct cell *cell, unsigned int bytes);

/* observed.c */
/* The lane is about to read the word of this cell by a volatile load or an atomic. */
void sim_observe_word(const struct access *a, const struct cell *cell);
/* Whether it has read what the set's volatile store or atomic wrote, or what followed. */
bool sim_has_observed(const struct access *a, const struct set *set);

#endif
