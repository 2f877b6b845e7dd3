/* remote.h - what the judge of a contract with an operation and the kernel's process say beyond
 * wire.h. */
#ifndef REMOTE_H
#define REMOTE_H

#include "far_watch.h"
#include "measure.h"
#include "sparse.h"
#include "wire.h"

enum {
    WIRE_CALL = WIRE_CONTRACT, /* struct call follows: struct wire_called */
    WIRE_MEASURE,              /* struct call follows: struct wire_measured */
    WIRE_FAR_END,              /* struct wire_far follows: struct wire_far_seen */
    WIRE_SPARSE                /* struct sparse follows: struct sparse_seen */
};

/* What a call did besides. */
struct wire_called {
    uint32_t is_device;
    uint32_t failed; /* a launch was refused, as target_finish will say */
    uint64_t launches;
    struct copies copies;
};

struct wire_measured {
    uint32_t finished;
    char error[256];
    struct measurement result;
};

/* The far end of a call's input: whether it stops late, and the trial. */
struct wire_far {
    struct call call;
    struct far_limits limits;
    uint32_t stops_late;
    struct wire_trial trial;
};

struct wire_far_seen {
    uint32_t finished;
    char error[256];
    char stopped[WIRE_NAME]; /* what stopped it: its name, or nothing */
    struct far_reads seen;
};

#endif
