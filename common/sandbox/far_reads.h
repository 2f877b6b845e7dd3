/* far_reads.h - how the blocks that run read the longest input, which nobody has written. */
#ifndef FAR_READS_H
#define FAR_READS_H

#include "call_arrays.h"
#include "sim.h"

/* How the blocks that ran have read it, in its units. */
struct far_reads {
    size_t length;
    uint64_t blocks, threads_per_block, threads; /* of the launch that read it */
    uint64_t units;                              /* read by all threads */
    uint64_t longest;                            /* of these, most by one thread */
    uint64_t laps;       /* most times that one thread went back by 2^31 or more */
    size_t end;          /* the unit behind the last that was read, 0 when none was */
    uintptr_t last_load; /* the instruction of the last, for sim_locate */
    uint64_t launches;   /* kernels that began */
};

/* When a trial has seen enough. */
struct far_limits {
    uint64_t laps; /* of one thread: it begins again and again; UINT64_MAX: it may */
    uint64_t most; /* units read by all threads */
    uint64_t much; /* of a block whose share is more the end is not waited for */
};

/* Gives a call arrays of its lengths, and takes them back. The input nobody has written; memory it takes only where it
 * is touched. */
void far_call_begin(struct call *call);
void far_call_end(const struct call *call);

/* Makes such a call as a trial, without the checks of what is in memory, and has it observed: accesses, steps or
 * both. `stopped`, unless it is NULL, gets what stopped it, or NULL. Returns whether launches and kernels were fine;
 * if not `error` holds CUDA's words for it. */
struct far_watch {
    sim_observer *access;
    sim_step_observer *step;
    void *context;
    const char **stopped;
};
bool far_call_watched(const struct call *call, const struct sim_trial *trial,
                      const struct far_watch *watch, char *error, size_t error_size);

/* Calls the contract's function on so many units that nobody wrote, as a trial without the checks of what
 * is in memory, which watches only how they are read. The call names no arrays. `stopped` gets what stopped
 * it, or NULL; with `stopped` NULL it ends with the first unit. Returns false when a launch or a kernel
 * failed; `error` then holds CUDA's words for it. */
bool measure_far_end(const struct call *call, const struct far_limits *limits,
                     const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                     char *error, size_t error_size);

#endif
