/* shadow.h - the cells of shadow memory, and where they are kept.
 *
 * A cell stands for a word of four bytes. It holds the last store and what was read since,
 * each as a set of accesses that do not know of each other, in 16 bytes. */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

#include "checks/race.h"

enum shape {
    SET_EMPTY,
    SET_LANES, /* `lanes` of one warp, the whole word, at one time */
    SET_BYTES, /* lanes of one warp, one for each byte, at one time */
    SET_BLOCK, /* several warps of one block; `warp` and `lane` were last */
    SET_GRID,  /* several blocks */
    SET_LIST,  /* an item of the pool: `lanes` is its number */
    SET_SPLIT  /* an item of the pool: a cell for each byte */
};
enum access_kind {
    READS,
    VOLATILE_READS,
    ATOMICS,
    BLOCK_ATOMICS, /* of block scope */
    WRITES,
    VOLATILE_WRITES
};

/* Accesses of one kind that do not know of each other. */
struct set {
    uint32_t time;
    uint32_t warp;
    uint32_t lanes; /* by shape: a mask; 5 bits a byte and 4 flags; another warp; an item */
    uint16_t pc;
    uint8_t shape : 4, kind : 4;
    uint8_t lane : 5;   /* of the last access */
    uint8_t fenced : 1; /* a volatile store of a lane that had fenced */
    uint8_t guard : 1;  /* a store behind a branch on what it overwrites: guarded_stores.c */
};

/* What is known of four bytes. */
struct cell {
    struct set write; /* the last plain or volatile store */
    struct set seen;  /* loads and atomics since */
};

enum { LISTED = 7 };
union pool_item {
    struct {
        uint32_t count;
        struct set set[LISTED];
    } list;
    struct cell part[4];
    uint32_t next_free;
};

struct shadow {
    uintptr_t base;
    size_t words;
    struct cell *cells;
    unsigned char *written; /* initcheck.c: a bit for each byte; NULL at first */
    struct shadow *next, *before;
};

/* The shadow of an allocation, and of a block's shared memory. NULL when the
 * machine has no memory left. */
struct shadow *sim_shadow_global(const struct sim_allocation *allocation);
struct shadow *sim_shadow_shared(const struct block *block);
/* Makes its bits of written bytes; false when the machine has no memory left. */
bool sim_shadow_written(struct shadow *shadow);
/* The allocation's on_release: drops its shadow, and what is known of its bytes. */
void sim_shadow_drop(struct sim_allocation *allocation);
/* initcheck.c: forgets what the host has written to the allocation. */
void sim_init_forget(struct sim_allocation *allocation);
/* Forgets all accesses; what was written stays known. */
void sim_shadow_wipe(void);

/* Items for lists and parts; 0 when there is none left. */
uint32_t sim_pool_take(void);
void sim_pool_give_back(uint32_t item, uint32_t time);
/* All items are free again; those of sets older than `time` were. */
void sim_pool_reset(uint32_t time);
union pool_item *sim_pool_item(uint32_t item);
/* A word was touched for the first time. */
void sim_shadow_note_word(void);

#endif
