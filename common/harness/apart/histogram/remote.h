/* remote.h - what histogram()'s judge and the kernel's process say beyond apart/wire.h. */
#ifndef REMOTE_H
#define REMOTE_H

#include "binning.h"
#include "measure.h"
#include "wire.h"

enum {
    WIRE_HISTOGRAM = WIRE_CONTRACT, /* text, length, bins */
    WIRE_MEASURE,                   /* misalignment; the text follows: struct wire_measured */
    WIRE_FAR_END                    /* whether it stops late; struct wire_trial follows: the same */
};

/* What a call of histogram() did besides. */
struct wire_called {
    uint32_t is_device, failed; /* a launch was refused, as target_finish will say */
    uint64_t launches;
    struct copies copies;
};

struct wire_measured {
    uint32_t finished;
    char error[256];
    char stopped[WIRE_NAME]; /* what stopped the far end: its name, or nothing */
    unsigned int bins[NUM_BINS];
    struct measurement result;
};

#endif
