/* access_set.h - the sets that a cell keeps, and an access that meets them. */
#ifndef SIM_ACCESS_SET_H
#define SIM_ACCESS_SET_H

#include "checks/shadow.h"

/* One lane's access to (a part of) one word. */
struct access {
    struct warp *warp;
    unsigned int lane;
    uint32_t time, floor;        /* what is older than the floor, this lane knows */
    enum access_kind kind, kept; /* what it is, and is remembered as: see cas_loops.c */
    uint16_t pc;
    bool reported;
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

/* access_set.c */
/* A set of this access alone. */
struct set sim_set_alone(const struct access *a);
/* Empties a set. */
void sim_set_drop(struct set *set);
/* Adds an access of the whole word to what was seen. */
void sim_set_add(const struct access *a, struct set *set, struct set new);
/* The lanes of a set of one warp that touched a byte in `bytes`. */
uint32_t sim_set_lanes(const struct set *set, unsigned int bytes);
/* Whether a set can take this narrow access of the lane, as one of bytes. */
bool sim_set_takes_bytes(const struct access *a, const struct set *set, unsigned int bytes);
void sim_set_add_bytes(const struct access *a, struct set *set, unsigned int bytes);
/* Gives each byte of a word its own cell; false when there is no memory for it. */
bool sim_cell_split(struct cell *cell);

#endif
