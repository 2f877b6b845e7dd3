/* measure.h - what one call of histogram() did, seen access by access.
 *
 * Everything a suite needs to tell one technique from another. Only on the
 * simulated GPU; in chapter 1, which launches no kernel, all of it is zero. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copies.h"
#include "sim.h"
#include "text.h"

/* Accesses to one array. Bounds that speak of "an atomic a character" speak of
 * lanes: a request is one instruction of a warp, and has 1 to 32 lanes. */
struct watched {
    struct sim_traffic load, store, atomic; /* atomic: RED and ATOM together */
};

/* How the threads of the grid read the text, each thread for itself. */
struct reading {
    uint64_t threads;        /* that read anything of the text */
    uint64_t contiguous;     /* of these, those that read one section, in rising order, no gap */
    uint64_t longest;        /* most bytes that one thread read */
    uint64_t shortest;       /* fewest bytes that a thread read which read anything */
    uint64_t bytes;          /* read by all threads; more than the length when read twice */
    uint64_t runs;           /* runs of one bin, in the order in which a thread read: what
                            is left when a thread adds up equal neighbors */
    uint64_t touched;        /* bins that a thread met, summed over the threads */
    uint64_t in_a_row;       /* most loads that one thread made with no atomic between: what
                                it can have in flight before it counts */
    uint64_t in_a_round;     /* loads of a thread in a round of its loop, counted one by one
                                or not, where some threads have more rounds than others */
    uint64_t caught_up;      /* loads that a thread made when it had done a shared atomic for
                                each character that it had read before */
    uint64_t apart;          /* lanes' loads that did not go on where the thread's last one ended */
    uint64_t jump;           /* characters from there to the first of these */
    uint64_t global_atomics; /* lanes' atomics in the main loop: made by a thread
                                that went on to read more of the text */
    uint64_t shared_atomics;
    uint64_t shared_conflicts; /* wavefronts of shared loads and stores there, beyond those that are
                                  needed when no lanes meet in a bank */
    size_t end;                /* the character behind the last that was read, 0 when none was */
    uint64_t laps;             /* most times that one thread went back by 2^31 characters or more */
    uintptr_t last_load;       /* the instruction of the last, for sim_locate */
};

struct measurement {
    size_t length;                     /* of the text */
    uint64_t counted;                  /* characters that belong to a bin */
    uint64_t launches;                 /* kernels that histogram() ran */
    uint64_t blocks;                   /* of the launch that read the text */
    uint64_t threads_per_block;        /* of that launch */
    uint64_t threads;                  /* blocks x threads_per_block */
    struct sim_launch_shape shape;     /* of the last launch */
    char reader[64];                   /* the kernel that read the text, "" for none */
    struct sim_counters counters;      /* all that ncu would show */
    struct watched text;               /* the text in global memory */
    struct watched bins;               /* d_bins, the final bins */
    struct watched elsewhere;          /* the rest of global memory: private copies */
    struct watched shared;             /* shared memory; cost in wavefronts */
    uint64_t shared_conflicting_lanes; /* lanes of shared atomics that were not the first of
                                      their request on that address */
    uint64_t least_sectors;            /* of the text's loads, if each warp's bytes lay together
                                      and were aligned: bytes of a request / 32, rounded up */
    uint64_t private_counters;         /* addresses beside the final bins that global atomics
                                      touched */
    uint64_t counting_blocks;          /* blocks that made more atomics on the final bins than
                                      there are bins */
    uint64_t distinct_bins;            /* bins among the characters that a warp loaded
                                      together, summed over the warps' loads */
    uint64_t atomic_stripes;           /* stripes of 256 bytes that global atomics touched */
    uint64_t busiest_stripe;           /* rounds of atomics on the one with most: see stripes.h */
    uint64_t busiest_of_bins;          /* the same of the final bins alone */
    uint64_t bins_in_turn;             /* the same for each 270,336 atomics on them, as many as
                                      an H200 has threads; summed up. Far more than
                                      busiest_of_bins when the stripes take turns */
    struct reading reading;
    struct copies copies;  /* by host code, while histogram() ran */
    uint64_t host_visible; /* bytes that kernels stored where host code can read */
};

/* Runs histogram() once on the text, which begins `misalignment` bytes (0 to 255) after a
 * multiple of 256, with zeroed bins, and reads the NUM_BINS counters back into `bins`.
 * Returns false when a launch or a kernel failed; `error` then holds CUDA's words for it. */
bool measure_run(const struct text *text, size_t misalignment, struct measurement *result,
                 unsigned int *bins, char *error, size_t error_size);

/* Runs histogram() on 2^32 - 1 characters that nobody wrote, and watches only how they are read. It
 * is a trial (sim.h), which stops when a thread reads the text over and over again. With `stopped`
 * NULL it stops at the first character; else that says what stopped it, or NULL.
 * Returns false as measure_run does. Not in chapter 1. */
bool measure_far_end(const struct sim_trial *trial, struct measurement *result,
                     const char **stopped, char *error, size_t error_size);

/* As measure_run on an aligned text, for suites: a failure or a wrong result fails the test as in
 * expect_right_on, since the cost of a wrong result means nothing. In expect_right.c. */
struct measurement measure(const struct text *text);
struct measurement measure_at(const struct text *text, size_t misalignment);

#endif
