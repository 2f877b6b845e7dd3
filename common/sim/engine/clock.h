/* clock.h - the clocks of warps: what things take on the card, and what is served one after the other. */
#ifndef CLOCK_H
#define CLOCK_H

#include "engine/engine.h"

enum {
    CYCLE = 100,
    PICOSECONDS = 505,       /* of a cycle: "clock", 1,980 MHz */
    SHARED_LOAD = 2869,      /* "load from shared memory" */
    SHARED_ATOMIC = 3181,    /* "shared atomicAdd by lanes", 1 */
    SHARED_CAS = 3518,       /* "shared atomicCAS by lanes", 1 */
    SHARED_WIDE_CAS = 4018,  /* "shared 64-bit atomicCAS by lanes", 1 */
    SHARED_PASS = 1 * CYCLE, /* also of atomics: "shared add by lanes at an address", 32, 16.2 ns */
    /* "shared atomicAdd by lanes": by how much 32 lanes wait longer than one */
    SHARED_ATOMIC_PASS = 2 * CYCLE,
    SHARED_LOOP = 9400, /* "shared float atomicAdd by lanes": for each round */
    L2_LOAD = 32862,    /* "load from L2", 4 MB */
    L2_ATOMIC = 28202,  /* "atomicCAS in L2 by lanes", 1: on this side of the cache */
    L2_ACROSS = 22646,  /* twice what "atomicCAS in L2", both sides, takes more */
    L2_CAS_ROUND = 242, /* "atomicCAS in L2 by lanes": 31 more take so much longer each */
    L2_ROUND = 145,     /* "global add in one stripe by lanes at an address", 0.73 ns */
    L2_FLOAT_ROUND =
        347, /* "float atomicAdd without result at one address", 1.755 ns; float4 as long */
    /* "global add within bytes": one slice more every 512 bytes. On the card these are two stripes of 256 bytes,
     * 512 apart; here they lie side by side. */
    SLICE_BITS = 9,
    SLICES = 64,
    FENCE_OF_BLOCK = 842, /* "fence of the block" and so on */
    FENCE_OF_DEVICE = 26533,
    FENCE_OF_SYSTEM = 98188,
    INTRINSIC = 2414, /* "shuffle" */
    BARRIER = 1430,   /* "barrier by threads", 32 */
    /* Not measured alone: what the card executes for an attempt (smsp__inst_executed of chapters 21
     * and 22, by their atomics), each behind another ("integer multiply-add behind another"). */
    INSTRUCTIONS = 8 * CYCLE,
    COMPUTING = 8 * 432,
    /* What a try of a compare-and-swap takes beyond its latency and these: its YIELD, and the branches of the loop */
    TRY = 43 * CYCLE,
    /* The queue of a slice is not served in order. What waited comes back late by up to so many times
     * its wait: found by chapter 21's attempts on 31 bins. */
    OUT_OF_ORDER = 2,
    AHEAD = 1000 * CYCLE, /* by so much loads may come too early */
    STEPS = 1 << 12       /* of one multiprocessor before others are looked at */
};

/* By the clock: what a warp's lanes do in a loop of tries around a compare-and-swap. */
struct tries {
    uint32_t failed;      /* lanes back at the swap */
    uint32_t joined;      /* lanes that have come to the convergence barrier around it; */
    uint32_t kept;        /* those that wait there for others */
    bool copied;          /* nvcc has several copies of the swap */
    uint64_t turns;       /* how often lanes have yielded; */
    uint64_t since[WARP]; /* when each has */
};

/* Of a warp, in hundredths of a cycle. */
struct warp_clock {
    uint64_t at, done;  /* its next step, and when it has what that asks for */
    unsigned int fence; /* what it waits for besides */
    unsigned int spun;  /* steps in which it was seen to spin */
    struct tries tries; /* tries.c */
};

struct queued_warp {
    uint64_t at;
    struct warp *warp;
};

struct multiprocessor {
    struct queued_warp *heap;
    size_t count, room;
    uint64_t shared; /* when its shared memory is free */
    uint64_t back;   /* when all that it asked of the L2 cache so far has come back */
    uint64_t issue[4];
};

/* Of the L2 cache. */
struct slice {
    uint64_t free;          /* when it is */
    uintptr_t last_address; /* the address of its last atomic */
};

struct clock {
    struct multiprocessor *multiprocessors;
    unsigned int *heap; /* of their numbers, by when their first warp comes */
    unsigned int count;
    struct slice slices[SLICES];
    struct warp_clock *warps; /* of each resident warp */
    uint32_t *queued;         /* of each resident block: its warps that are in a queue */
    uint64_t now;             /* the step that was made last */
    uint64_t end;             /* of all steps so far */
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline struct warp_clock *sim_clock_of(const struct warp *warp)
{
    return &warp->block->launch->clock->warps[warp->at];
}

static inline struct multiprocessor *home_of(const struct warp *warp)
{
    const struct clock *clock = warp->block->launch->clock;
    return &clock->multiprocessors[warp->block->slot % clock->count];
}

#endif
