/* observer.h - who looks on while a launch runs, and what they are told.
 *
 * The engine makes the steps of a launch. What comes of them is the business of observers: racecheck compares
 * accesses, initcheck looks for bytes that nobody wrote, the counters count, the clock charges time, and a program
 * that uses sim.h may look on, too. Each is a constant of its own file, with a function for each event that it wants
 * to hear of. engine/observers.c chooses those of a launch; they are told one after the other, in its order. */
#ifndef SIM_OBSERVER_H
#define SIM_OBSERVER_H

#include "machine/machine.h"

/* Where the lanes of one access are. */
struct extent {
    uintptr_t low, high; /* the first byte, and the first behind the last */
    uintptr_t odd;       /* the low bits of all addresses */
    bool run;            /* all lanes take part, and each begins where the one before ends */
};

/* The sectors or wavefronts that an access cost. */
struct cost {
    unsigned int in_event;           /* what an event says */
    unsigned int unused, used;       /* of an atomic, when its result is not used and when it is */
    unsigned int least;              /* of these wavefronts, when no lanes meet in a bank */
    unsigned int loads, least_loads; /* of a compare-and-swap loop in shared memory */
    bool waits; /* of an atomic: the lanes use its result, as far as is known */
};

/* What lanes of a warp, which wait at one instruction, are about to do. */
struct warp_access {
    struct warp *warp;
    uint32_t mask;
    struct stop stop;
    enum sim_space space;
    const struct sim_allocation *allocation; /* of lanes_touch: NULL in shared memory */
    struct extent extent;                    /* of warp_requests */
    struct cost cost; /* of warp_requests: the counters, who come first, fill it in */
};

struct observer {
    void (*launch_begins)(struct launch *launch);
    void (*block_begins)(struct block *block);
    /* The lanes may touch what they are about to touch, and all of it lies in one allocation or variable. */
    void (*lanes_touch)(const struct warp_access *access);
    /* This is one request of the warp, in one memory; lanes_touch was told of all its lanes before. */
    void (*warp_requests)(struct warp_access *access);
    /* It may not be made, and ends the launch. */
    void (*lane_is_refused)(const struct warp_access *access);
    /* A lane that sim_lane_watch has named is about to carry its access out; it has done so. */
    void (*before_store)(struct lane *lane);
    void (*after_store)(struct lane *lane);
    /* The lanes of `mask` have met at a warp intrinsic; result[i] is what lane i will get, and may be changed. */
    void (*warp_meets)(struct warp *warp, uint32_t mask, enum sim_warp_intrinsic operation,
                       uint64_t *result);
    /* All have come to the barrier of a block, or of the grid, and wait there still. */
    void (*block_meets)(struct block *block);
    void (*grid_meets)(struct launch *launch);
    void (*lane_fences)(struct lane *lane, enum sim_fence scope);
    /* No block runs any more, but all is still there; later all is gone, and the memory closed. */
    void (*launch_ends)(struct launch *launch);
    void (*launch_is_over)(struct launch *launch);
};

/* SIM_TELL(launch, event, arguments): all observers of the launch who want to hear of it. */
#define SIM_TELL(LAUNCH, EVENT, ...)                                                               \
    for (const struct observer *const *each = (LAUNCH)->observers; *each; each++)                  \
        if ((*each)->EVENT)                                                                        \
    (*each)->EVENT(__VA_ARGS__)

#endif
