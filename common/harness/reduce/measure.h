/* measure.h - what one call of reduce() did, seen access by access.
 *
 * Everything a suite needs to tell one technique from another. Only on the simulated GPU. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copies.h"
#include "longest.h"
#include "operations.h"
#include "sim.h"
#include "values.h"

/* Accesses to one array, or memory. Bounds speak of lanes: a request is one instruction of a warp. */
struct watched {
    struct sim_traffic load, store;
    struct sim_traffic atomic;                               /* all atomics, of these: */
    struct sim_traffic add, extreme, bitwise, cas, exchange; /* enum sim_atomic */
    uint64_t addresses;   /* distinct addresses that atomics touched */
    uint64_t most_to_one; /* lanes' atomics on the address that got most of them */
    uint64_t blocks;      /* blocks that made an atomic, or stored, there; summed over launches */
    uint64_t fewest_by_block,
        most_by_block; /* lanes' atomics there, of one block of the launch that
                                                 made any: of all blocks of its grid */
};

struct measurement {
    size_t length;
    uint64_t launches;                           /* kernels that ran */
    uint64_t cooperative_launches;               /* of these */
    uint64_t grid_barriers;                      /* times that a whole grid waited for itself */
    uint64_t blocks, threads_per_block, threads; /* of the (last) launch that read the values */
    uint64_t reading_blocks;                     /* blocks that read any value, over all launches */
    uint64_t resident;             /* blocks of that launch that are on the device at a time */
    struct sim_launch_shape shape; /* of the last launch */
    struct sim_counters counters;  /* all that ncu would show */
    struct watched values, result; /* the array of the call, and *d_result */
    struct watched elsewhere;      /* the rest of global memory: partial results, tickets */
    struct watched shared;
    uint64_t least_read, most_read; /* how often a value was read: the fewest and the most times */
    uint64_t most_by_thread;        /* values that one thread read */
    uint64_t bytes_read;            /* of values, by all lanes */
    uint64_t full_requests;         /* load requests on values by 32 lanes of 16 bytes each */
    uint64_t other_bytes;           /* of values, read by all other requests */
    uint64_t most_barriers; /* __syncthreads that one warp passed in one block of a launch */
    uint64_t most_words;    /* 4-byte words of shared memory that one block touched */
    uint64_t conflicts;     /* wavefronts of shared memory beyond the least */
    uint64_t shuffles;      /* collectives of warps, that ncu does not show: see sim.h, votes */
    char reader[64];        /* the kernel of the launch that read values, "" for none */
    struct copies copies;   /* by host code, meanwhile */
    uint64_t host_visible;  /* bytes that kernels stored where host code can read */
};

/* A call of reduce(), its arrays in the target's memory. */
struct call {
    uint64_t operation; /* enum operation */
    uint64_t values, length, result;
};

/* Makes it. */
void call_make(const struct call *call);
/* The same, and watches. Returns false when a launch or a kernel failed; `error` then holds CUDA's
 * words for it. */
bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size);

/* Calls it on so many values that nobody wrote, as a trial that watches only how they are read: see
 * struct longest. The call names no arrays. */
bool measure_far_end(const struct call *call, const struct sim_trial *trial, struct far_reads *seen,
                     const char **stopped, char *error, size_t error_size);

/* Runs reduce() once on the input, on the schedule of now; a failure, a report or a wrong result fails
 * the test. Skips it where nobody counts accesses. */
struct measurement measure(const struct input *input);

#endif
