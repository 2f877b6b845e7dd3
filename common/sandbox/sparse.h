/* sparse.h - a call on an input that is too long to be sent: all its bytes are 0, but for a few units. */
#ifndef SPARSE_H
#define SPARSE_H

#include <stddef.h>
#include <stdint.h>

#include "call_arrays.h"

enum { SPARSE_VALUES = 4, SPARSE_BYTES = 16 };

struct sparse {
    struct call call; /* but for its addresses */
    uint64_t count;   /* values that are set, and which they are */
    uint64_t place[SPARSE_VALUES];
    unsigned char value[SPARSE_VALUES][SPARSE_BYTES];
    uint32_t is_trial; /* of a large grid only the last block runs: see struct sim_trial */
};

struct sparse_seen {
    uint32_t finished;
    uint64_t threads, threads_per_block; /* of the largest launch; 0 where nobody knows */
    char error[256];                     /* CUDA's words when it is not finished */
    unsigned char result[SPARSE_BYTES];
};

/* Makes the call, without checks. */
void sparse_run(const struct sparse *sparse, struct sparse_seen *seen);

#endif
