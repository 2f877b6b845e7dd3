/* measure.h - what one call of a contract's function did, seen access by access.
 *
 * Everything a suite needs to tell one technique from another. Only on the simulated GPU. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "operations.h"
#include "sim.h"

/* One call of a contract's function, as the kernel's process knows it. */
enum { MORE_NUMBERS = 5 };

/* Of units and outputs the kernel's process needs to know no more than their size. */
struct call {
    enum operation operation;
    union {
        uint64_t elements, values; /* an address */
    };
    uint64_t length, unit_bytes;
    union {
        uint64_t bins, result; /* an address */
    };
    uint64_t num_bins, bin_bytes, batch;
    uint64_t
        more[MORE_NUMBERS]; /* what the function is given besides, in the contract's own order */
};

/* Accesses to one array, or memory. Bounds speak of lanes: a request is one instruction of a warp. */
struct watched {
    struct sim_access_counters load, store;
    struct sim_access_counters atomic;                               /* all atomics, of these: */
    struct sim_access_counters add, extreme, bitwise, cas, exchange; /* enum sim_atomic */
    uint64_t addresses;    /* distinct addresses that atomics touched; of shared memory offsets,
                              those of all blocks together */
    uint64_t most_to_one;  /* lanes' atomics on the address that got most of them */
    uint64_t most_meeting; /* most lanes of one atomic request on one address */
    uint64_t meeting;      /* lanes of atomics that were not the first of their request on theirs */
    uint64_t blocks;       /* that made an atomic, or stored, there; summed over launches */
};

/* What several devices, or ranks with a device each, did together. */
struct together {
    uint64_t units;             /* devices or ranks */
    uint64_t copied_bytes;      /* from the host to a device */
    uint64_t most_copied_bytes; /* of these, those to one device */
    uint64_t collectives;       /* reductions of bins, of NCCL and of MPI */
    uint64_t collective_bytes;  /* that each member brings to the largest of them */
};

/* How the threads of the grid read a text, each thread for itself. */
struct reading {
    uint64_t threads;        /* that read anything of the text */
    uint64_t contiguous;     /* of these, those that read one section, from either end, no gap */
    uint64_t longest;        /* most bytes that one thread read */
    uint64_t bytes;          /* read by all threads; more than the length when read twice */
    uint64_t runs;           /* runs of one bin, in the order in which a thread read: what
                            is left when a thread adds up equal neighbors */
    uint64_t in_a_row;       /* most loads that one thread made with no atomic between: what
                                it can have in flight before it counts */
    uint64_t in_a_round;     /* loads of a thread in a round of its loop, counted one by one
                                or not, where some threads have more rounds than others */
    uint64_t caught_up;      /* loads that a thread made when it had done a shared atomic for
                                each character that it had read before */
    uint64_t jumps;          /* lanes' loads that did not go on where the thread's last one ended */
    uint64_t jump;           /* characters from there to the first of these */
    uint64_t global_atomics; /* lanes' atomics in the main loop: made by a thread
                                that went on to read more of the text */
    uint64_t shared_atomics;
    uint64_t shared_loads; /* wavefronts of shared loads there */
    uint64_t
        counter_loads; /* of these, those of words that threads store or add to there: no table that is only read */
    uint64_t shared_conflicts; /* wavefronts of shared loads and stores there, beyond those that are
                                  needed when no lanes meet in a bank */
};

/* How bins are updated where no atomic function can do it. Values tell attempts and locks apart: a word that a
 * thread sets by an atomic, and sets back to what it was, is a lock, which the thread held in between. All other
 * compare-and-swaps are attempts to update something. */
struct updates {
    uint64_t attempts; /* lanes' compare-and-swaps on words that are no locks */
    uint64_t others;   /* lanes' adds, and atomics on bits, on words that are no locks */
    uint64_t locks;    /* times that one was held, from acquire to release by the same thread */
    uint64_t words;    /* that are locks */
    uint64_t held;     /* locks that are held in the end */
};

/* What host code copies while a contract's function runs. The work has to be the kernel's. */
struct host_copies {
    uint64_t from_input; /* bytes of the text or the elements, to host memory */
    uint64_t to_host;    /* bytes from anywhere to host memory */
    uint64_t
        to_device; /* copies and fills of memory that host code cannot read: each takes its time */
    uint64_t into_bins; /* bytes into the final bins, from anywhere, or by cudaMemset */
};

struct measurement {
    size_t length, num_bins, unit_bytes;
    enum operation operation;
    uint64_t counted;                            /* elements that have a bin */
    uint64_t distinct_keys;                      /* of elements that a warp loaded together, summed
                                                    over its loads: those that have a bin */
    uint64_t launches;                           /* kernels that ran */
    uint64_t cooperative_launches;               /* of these */
    uint64_t grid_barriers;                      /* times that a whole grid waited for itself */
    uint64_t blocks, threads_per_block, threads; /* of the (last) launch that read the input */
    uint64_t reading_blocks;                     /* blocks that read any unit, over all launches */
    uint64_t resident;             /* blocks of that launch that are on the device at a time */
    struct sim_launch_shape shape; /* of the last launch */
    struct sim_counters counters;  /* all that ncu would show */
    union {
        struct watched elements, values, text; /* the input of the call */
    };
    union {
        struct watched bins, result; /* its output */
    };
    struct watched elsewhere; /* the rest of global memory: copies, locks, partial results */
    struct watched shared;
    uint64_t least_read, most_read; /* how often a unit was read: the fewest and the most times */
    uint64_t most_by_thread;        /* units that one thread read */
    uint64_t busy_of;               /* threads of blocks with much to read */
    uint64_t busy_threads; /* of these: loaded input, or used shared memory to load or to count */
    uint64_t most_shared_atomics; /* of one thread, in shared memory */
    uint64_t
        most_found; /* loads of other global memory that one thread made, each of another place than
                              the one before */
    uint64_t found_beside;  /* those of all threads of its block */
    uint64_t left;          /* bytes of the device's memory that the call has not given back */
    uint64_t bytes_read;    /* of the input, by all lanes */
    uint64_t full_requests; /* load requests on it by 32 lanes of 16 bytes each */
    uint64_t
        atomics_while_reading;   /* lanes' global atomics of a thread that read more units later */
    uint64_t bins_while_reading; /* of these, on the bins */
    uint64_t atomics_between_loads; /* and those before the block met at a barrier */
    uint64_t most_laps;             /* times that a thread read from its beginning, at most */
    uint64_t most_committing;       /* of a batch: most blocks that came to one histogram's bins */
    uint64_t most_barriers; /* __syncthreads that one warp passed in one block of a launch */
    uint64_t most_words;    /* 4-byte words of shared memory that one block touched */
    uint64_t conflicts;     /* wavefronts of shared memory beyond the least */
    uint64_t shuffles;      /* collectives of warps, that ncu does not show: see sim.h, votes */
    char reader[64];        /* the kernel of the launch that read the input, "" for none */
    /* Of a text alone: */
    struct reading reading;
    uint64_t
        distinct_bins; /* among the characters that a warp loaded together, summed over its loads */
    uint64_t counting_blocks; /* blocks that made more atomics on the bins than there are bins */
    uint64_t atomic_stripes;  /* stripes of 256 bytes that global atomics touched */
    uint64_t busiest_stripe;  /* rounds of atomics on the one with most: see l2_rounds.h */
    uint64_t busiest_of_bins; /* the same of the bins alone */
    uint64_t bins_in_turn;    /* the same for each 270,336 atomics on them, as many as an H200 has
                                 threads; summed up. Far more than busiest_of_bins when the stripes take
                                 turns */
    /* Of all: */
    struct updates updates;    /* compare-and-swaps, and locks that were held */
    struct host_copies copies; /* by host code, meanwhile */
    uint64_t allocated;       /* bytes of device memory at a time, at most, beside what was there */
    uint64_t host_visible;    /* bytes that kernels stored where host code can read */
    struct together together; /* of a contract that has more than one device */
};

/* A question to the model of a chapter (model.h), and what it says: numbers, so many as the function takes
 * and gives. */
enum model_function { MODEL_RACE_FACTOR, MODEL_COPIES_IN_CACHE, MODEL_CHOOSE, MODEL_PARTS };
enum { MODEL_NUMBERS = 5 };
struct model {
    uint32_t function; /* enum model_function */
    uint32_t is_there; /* the kernel has it, and has answered */
    double asked[MODEL_NUMBERS], answers[MODEL_NUMBERS];
};

/* The kernel's half of a contract, in its kernel.c, with call_make below. */
enum watched_array { OF_INPUT, OF_OUTPUT, OF_OTHERS, OF_SHARED, ARRAYS };
struct job;
struct kernel_half {
    /* What it watches besides: `note` hears of each access of a warp and whether it is of the call's
     * input, its output, other global memory or shared memory. NULL: nothing more. */
    void *(*begin)(const struct call *call, struct measurement *result);
    void (*note)(void *observer, const struct sim_event *event, enum watched_array array);
    void (*end)(void *observer);
    /* The key of an element, of which there are as many as the call has units. NULL: units have none. */
    uint32_t (*key)(const struct call *call, const unsigned char *element);
    /* The unit of which a part lies so many bytes after the beginning of the input. NULL: units lie one behind the
     * other. */
    uint64_t (*unit_at)(const struct call *call, uint64_t offset);
    /* Answers a job that asks the contract (job.h), with `bytes` behind it, by *size bytes that stay until the next
     * one. NULL: there are none. */
    const void *(*answer)(const struct job *job, const unsigned char *bytes, size_t *size);
    /* Asks the kernel's model. NULL: there is none. */
    void (*model)(struct model *model);
};
extern const struct kernel_half kernel_half; /* of a contract without one all are NULL */

static inline void add_accesses(struct sim_access_counters *accesses, const struct sim_event *event)
{
    accesses->requests++;
    accesses->lanes += (uint64_t)__builtin_popcount(event->active);
    if (event->space == SIM_GLOBAL)
        accesses->sectors += event->cost;
    else
        accesses->wavefronts += event->cost;
}

/* What lanes have asked of memory. */
static inline uint64_t lanes_of(const struct sim_counters *counters)
{
    uint64_t lanes = 0;
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++)
        lanes += counters->global[kind].lanes + counters->shared[kind].lanes;
    return lanes;
}

/* From here on the copies of one call are added up in `copies`, until copies_end. */
void copies_begin(struct host_copies *copies, uintptr_t input, size_t input_bytes, uintptr_t bins,
                  size_t bins_bytes);
void copies_end(void);

/* From here on the observer of accesses and steps has to pass all of them on, until updates_end. With `are_all`
 * adds, and atomics on bits, are followed as well. */
void updates_begin(bool are_all);
void updates_note(const struct sim_event *event);
void updates_note_step(const struct sim_step *step);
struct updates updates_end(void);

/* Makes the call of the contract's function. */
void call_make(const struct call *call);
/* The same as call_make, and watches. Returns false when a launch or a kernel failed; `error` then holds CUDA's
 * words for it. */
bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size);

#endif
