/* measure.h - what one call of reduce_by_index() did, seen access by access.
 *
 * Everything a suite needs to tell one technique from another. Only on the simulated GPU. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copies.h"
#include "elements.h"
#include "longest.h"
#include "operations.h"
#include "sim.h"
#include "updates.h"

/* Accesses to one array, or memory. Bounds speak of lanes: a request is one instruction of a warp. */
struct watched {
    struct sim_traffic load, store;
    struct sim_traffic atomic; /* all atomics, of these: */
    struct sim_traffic add, extreme, cas,
        exchange;               /* atomicAdd (and Sub, Inc); atomicMin and Max; ... */
    struct sim_traffic bitwise; /* atomicAnd, Or, Xor */
    uint64_t addresses;         /* distinct addresses that atomics touched; of shared memory
                                   offsets, those of all blocks together */
    uint64_t most_meeting;      /* most lanes of one atomic request on one address */
    uint64_t meeting;  /* lanes of atomics that were not the first of their request on theirs */
    uint64_t distinct; /* addresses of a request, summed over the atomic requests */
};

struct measurement {
    size_t length, num_bins;
    uint64_t counted;       /* elements that have a bin */
    uint64_t distinct_keys; /* of elements that a warp loaded together, summed over its loads: those
                               that have a bin */
    uint64_t launches;      /* kernels that ran */
    uint64_t blocks, threads_per_block, threads; /* of the (last) launch that read the elements */
    uint64_t reading_blocks;       /* blocks that read any element, over all launches */
    struct sim_launch_shape shape; /* of the last launch */
    struct sim_counters counters;  /* all that ncu would show */
    struct watched elements, bins; /* the arrays of the call */
    struct watched elsewhere;      /* the rest of global memory: copies, locks, buckets */
    struct watched shared;
    uint64_t least_read,
        most_read;       /* how often an element was read: the fewest and the most times */
    uint64_t bytes_read; /* of elements, by all lanes */
    uint64_t
        atomics_while_reading; /* lanes' global atomics of a thread that read more elements later */
    uint64_t bins_while_reading; /* of these, on d_bins */
    uint64_t committing_blocks;  /* blocks that made an atomic on d_bins, or stored there */
    uint64_t most_committing;    /* of a batch: most of these that did so for one histogram */
    char reader[64];             /* the kernel of that launch, "" for none */
    struct updates updates;      /* compare-and-swaps, and locks that were held */
    struct copies copies;        /* by host code, meanwhile */
    uint64_t host_visible;       /* bytes that kernels stored where host code can read */
};

/* A call of reduce_by_index(), its arrays in the target's memory; or with `batch` that of
 * reduce_by_index_batched(), for so many histograms that share elements and bins equally. */
struct call {
    uint64_t operation; /* enum operation */
    uint64_t elements, length, bins, num_bins, batch;
};

/* Makes it. */
void call_make(const struct call *call);
/* The same, and watches. Returns false when a launch or a kernel failed; `error` then holds CUDA's
 * words for it. */
bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size);

/* Calls it on so many elements that nobody wrote, as a trial that watches only how they are read: see
 * struct longest. The call names no arrays. */
bool measure_far_end(const struct call *call, const struct sim_trial *trial, struct far_reads *seen,
                     const char **stopped, char *error, size_t error_size);

/* Runs reduce_by_index() once on the input, on the schedule of now; a failure, a report or a wrong bin
 * fails the test. Skips it where nobody counts accesses. */
struct measurement measure(const struct input *input);

#endif
