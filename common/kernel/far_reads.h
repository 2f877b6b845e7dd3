/* far_reads.h - how the blocks that run read the longest input, which nobody has written. */
#ifndef FAR_READS_H
#define FAR_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure.h"
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
    uint64_t largest_threads,
        largest_block; /* of the largest launch, whatever it read, and of its blocks */
};

/* When a trial has seen enough. */
struct far_limits {
    uint64_t laps; /* of one thread: it begins again and again; UINT64_MAX: it may */
    uint64_t most; /* units read by all threads */
    uint64_t much; /* units: the end of a block whose share is larger is not waited for */
};

/* Makes a call and watches only how it reads its input; as a trial it may end when that is clear, or with the first
 * unit. Returns false when a launch or a kernel failed; `error` then holds CUDA's words for it. */
bool measure_far_end(const struct call *call, const struct far_limits *limits,
                     bool stops_at_first_read, struct far_reads *seen, char *error,
                     size_t error_size);

#endif
