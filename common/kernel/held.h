/* held.h - what a process holds, so that the judge sees what each call of a student's function leaves behind. */
#ifndef HELD_H
#define HELD_H

#include <stdint.h>

/* Of several that grow, the first is told. */
enum held_kind {
    HELD_FILES,         /* open descriptors */
    HELD_COMMUNICATORS, /* of NCCL and MPI */
    HELD_HANDLES,       /* streams and events */
    HELD_HOST_MEMORY,   /* pieces */
    HELD_KINDS
};

struct held {
    uint64_t count[HELD_KINDS];
};

/* Open descriptors of this process. */
uint64_t held_files(void);

#endif
