/* taken.h - what lanes have changed, or tried to change, by atomics: which locks they hold (taken.c). */
#ifndef SIM_TAKEN_H
#define SIM_TAKEN_H

#include "memory/memory.h"

/* A word that a lane's atomicCAS or atomicExch changed: the lock that it holds, as far as that
 * can be known. */
struct taken {
    uintptr_t address, pc;
    uint64_t before, value; /* what was there, and what the lane left there */
    uint32_t times;         /* it took this word, in a row */
    uint8_t bytes;
    bool held; /* it has not put back what was there */
    /* As far as the instruction tells: it compares with a constant, or with nothing. */
    bool is_lock;
};
/* Whether what the lane left is still there. */
static inline bool sim_is_held(const struct taken *taken)
{
    uint64_t value = 0;
    if (!taken->held)
        return false;
    memcpy(&value, (const void *)taken->address, taken->bytes);
    return value == taken->value;
}
enum { WORDS_TAKEN = 3 };

/* Of a warp. */
struct tried {
    struct taken taken[WARP][WORDS_TAKEN];
    uint32_t took;          /* lanes whose `taken` is in use */
    uint32_t in_vain;       /* lanes whose last atomic has changed nothing */
    uintptr_t failed[WARP]; /* the address of the last atomic that changed nothing */
    uint64_t found[WARP];   /* what it found there */
};
/* Warps of deferred.c, which are copies, have places behind the others. */
enum { DEFERRED_WARPS = 64 };
extern struct tried sim_tried[MOST_WARPS + DEFERRED_WARPS];
static inline struct tried *sim_tried_of(const struct warp *warp)
{
    return &sim_tried[warp->at];
}

void sim_taken_start_warp(const struct warp *warp);
/* The lane's atomicCAS or atomicExch has put `new` in the place of `old`. Returns the word that it has taken; NULL
 * when it has put back what was there. */
const struct taken *sim_note_taken(const struct warp *warp, unsigned int lane, uint64_t old,
                                   uint64_t new);
/* The block has ended: what its threads have left in global memory is kept until the launch has. */
void sim_keep_taken(const struct block *block);
void sim_end_taken(void);
/* Who holds a lock. */
struct holder {
    const struct lane *lane; /* NULL when its block has ended */
    struct sim_index thread, block;
    struct taken taken;
};
/* Whether a thread has changed the word, and what it left is there. */
bool sim_find_holder(const struct launch *launch, uintptr_t address, struct holder *holder);

#endif
