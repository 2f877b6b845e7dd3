/* held.h - what a process holds, so that the judge sees what each call of a student's function leaves behind. */
#ifndef HELD_H
#define HELD_H

#include <fcntl.h>
#include <stdint.h>

/* Where several grow, the first of them is told. */
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
static inline uint64_t held_files(void)
{
    enum { DESCRIPTORS = 1024 }; /* as many as a process may usually have */
    uint64_t open = 0;
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++)
        open += fcntl(descriptor, F_GETFD) >= 0;
    return open;
}

#endif
