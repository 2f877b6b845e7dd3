/* far_watch.h - how the blocks that run read the longest input, which nobody has written. */
#ifndef FAR_WATCH_H
#define FAR_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "longest.h"

/* The input, in the target's memory. */
struct far_input {
    uintptr_t begin;
    size_t length, unit; /* in units; bytes of one */
};

/* When a trial has seen enough. */
struct far_limits {
    uint64_t laps; /* of one thread: it begins again and again */
    uint64_t most; /* units read by all threads */
    uint64_t much; /* of a block whose share is more the end is not waited for */
};

/* From here on until the end launches are a trial, without the checks of what is in memory, of which
 * `seen` tells how the input was read; one that `stops_at_once` ends with the first unit. */
struct far_watch *far_watch_begin(const struct far_input *input, const struct far_limits *limits,
                                  const struct sim_trial *trial, bool stops_at_once,
                                  struct far_reads *seen);
/* When the call has come to its end. `stopped`, unless it is NULL, gets what stopped it, or NULL. */
void far_watch_end(struct far_watch *watch, const char **stopped);

#endif
