/* spoil.h - a call in which a part of what a technique does is undone: what reaches the output is seen
 * by what is missing there then, whichever way it goes. */
#ifndef SPOIL_H
#define SPOIL_H

#include <stdint.h>

#include "call.h"

enum spoil {
    SPOIL_SHARED_ADDS, /* lanes' atomics in shared memory that add to a word of 4 bytes */
    SPOIL_VOTES,       /* votes and matches of several lanes of a warp */
    SPOIL_SHUFFLES     /* shuffles and reductions of several lanes */
};

struct spoiled {
    uint32_t finished;    /* the kernels came to their ends */
    uint64_t done;        /* of the kind, adds of 0 left out */
    uint64_t undone;      /* of these */
    uint64_t amount;      /* that the undone adds would have added, modulo 2^32; */
    uint64_t in_parts[2]; /* where a word holds two counters, or four: the sum of all of them */
};

/* Makes the call, which is a trial. */
void spoil_run(const struct call *call, enum spoil what, struct spoiled *spoiled);

#endif
