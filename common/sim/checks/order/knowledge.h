/* knowledge.h - what the files of the happens-before order share.
 *
 * A lane knows all that its block did before the last barrier, and its warp before the
 * last __syncwarp: that is a comparison of times (happens_before.c). What was published
 * to it by way of flags is a graph of pieces of knowledge (knowledge.c, publish.c). */
#ifndef SIM_KNOWLEDGE_H
#define SIM_KNOWLEDGE_H

#include "checks/order/order.h"

enum { PUBLISHED_BLOCK, PUBLISHED_DEVICE, SCOPES };

/* "Of the lanes in `lanes` of warps [first, first + warps), all before `time`." */
struct fact {
    uint32_t first, warps, lanes, time;
};

/* A write to a flag that publishes. */
struct release {
    struct release *before; /* on the same flag, unless a plain store hid it */
    struct knowledge *piece;
    struct knowledge *own; /* of it, what the lane's own fence took down; or NULL */
    bool loose;            /* no fence before it: ORDER_LOOSE */
    uint64_t block_number;
    uint32_t at;
    bool block_scope;
    bool narrow;     /* it, or one before it, is of a block */
    uint32_t walked; /* the search that went from here to all before, for this reader */
    const struct knowledge *walker;
};

/* A piece of published knowledge. */
struct knowledge {
    uint32_t at; /* it knows of nothing at this time or later */
    uint32_t visited;
    struct release *acquired; /* a read of a flag: all that was published there */
    uint64_t block_number;
    bool block_scope;
    bool relaxed;               /* the read acquires nothing before a fence */
    uint8_t fence;              /* the widest that followed the read: enum reader_fence */
    struct knowledge *unfenced; /* the lane's read before, which waits for a fence, too */
    uint32_t entries, links;
    struct fact *fact;
    struct knowledge **link;
    const struct knowledge *linked_by; /* the last that was given a link to it */
};

enum reader_fence { NO_FENCE, BLOCK_FENCE, WIDE_FENCE };

/* What a lane knew at its last fence. */
struct fenced {
    bool set;
    uint32_t time, full_time, barrier_time;
    uint32_t row[WARP];
    bool has_row;
    struct knowledge *acquired, *block_acquired;
    struct knowledge *published; /* the piece of it, once there is one */
};

struct lane_order {
    uintptr_t relaxed[2]; /* flags that it read, to be acquired when it fences */
    struct knowledge *acquired;
    struct knowledge *unfenced; /* reads of flags since its last wide fence; strict only */
    struct fenced fenced[SCOPES];
    struct knowledge *inherited[SCOPES]; /* fences of others, known through a __syncwarp */
};

struct block_knowledge {
    bool relaxed; /* some lane has such flags */
    struct knowledge *acquired;
    struct knowledge *inherited[SCOPES];
    bool changed; /* a lane fenced or acquired since the last barrier */
};

/* knowledge.c */
/* What the lane knows of each lane of its warp, a time each, from a __syncwarp of some of them; NULL: nothing. */
const uint32_t *sim_order_row(const struct warp *warp, unsigned int lane);
/* The lanes in `mask` tell each other all that they know of the warp. */
void sim_order_share_rows(const struct warp *warp, uint32_t mask);
static inline struct lane_order *sim_order_of_lane(const struct lane *lane)
{
    return sim_warp_order[lane->warp->at].lane[lane->number];
}
extern uint32_t sim_order_time;
/* What is kept of a lane, or of a block; made when it is not there yet. NULL: no memory. */
struct lane_order *sim_lane_order(const struct lane *lane);
struct block_knowledge *sim_block_knowledge(const struct block *block);
/* Zeroed memory until the next sim_knowledge_forget; NULL when there is none left. */
void *sim_order_take(size_t bytes);
bool sim_knowledge_is_spent(void);
void sim_knowledge_forget(void);
/* To be called when a piece that is there becomes another: answers are looked for anew. */
void sim_knowledge_changed(void);
/* A piece as of now with room for so many facts and links; NULL when memory is out. */
struct knowledge *sim_knowledge_new(uint32_t entries, uint32_t links);
void sim_knowledge_add_fact(struct knowledge *piece, struct fact fact);
/* `other` may be NULL, or linked already: then nothing changes. */
void sim_knowledge_add_link(struct knowledge *piece, struct knowledge *other);
/* Adds the fences of the lanes in `mask` of a warp at one scope: lanes that fenced at
 * one time are one fact. */
void sim_knowledge_gather(struct knowledge *piece, const struct warp *warp, uint32_t mask,
                          int scope);
/* Adds to *facts and *links the room that this takes, for pieces never grow. */
void sim_knowledge_count(const struct warp *warp, uint32_t mask, int scope, uint32_t *entries,
                         uint32_t *links);
/* Those of the epoch's lanes of which nothing that was published to the lane speaks. */
uint32_t sim_knowledge_search(const struct warp *warp, unsigned int lane, struct epoch epoch,
                              enum sim_order_rule rule);

/* publish.c */
/* All that was published so far is known to everybody from here on, or nobody will ask for it
 * again. */
void sim_order_forget(struct launch *launch);
/* To be called before something is taken: when memory is spent, all is forgotten. */
void sim_order_make_room(void);
/* The lanes in `mask` fence: they acquire what they have read relaxed. */
void sim_order_acquire_relaxed(struct warp *warp, uint32_t mask);

#endif
