/* longest.h - whether an index wraps: the far end of the longest input that a contract allows,
 * 2^32 - 1 characters, or elements. */
#ifndef LONGEST_H
#define LONGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    uint64_t launches;   /* kernels that began, where the contract's suites ask for it */
};

/* The kernel that reads the input, as it runs on a short one. */
struct longest_kernel {
    const char *name;
    uint64_t blocks, threads_per_block;
};

/* What a contract knows of it. */
struct longest {
    const char *before;        /* what a sentence begins with, "argmax: ", or "" */
    const char *units, *input; /* "characters", "text" */
    struct longest_kernel own;
    /* Runs a trial on the longest input. With `stopped` NULL it stops at the first unit; else that says
     * what stopped it, or NULL. Returns false when a kernel failed, with CUDA's words for it. */
    bool (*look)(const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                 char *error, size_t error_size);
    /* Whether the kernel is right on a short input in a grid of so many blocks. */
    bool (*works_in)(unsigned int blocks);
    /* Fails when a check has reported anything, on so many `units`. */
    void (*expect_no_reports)(const char *units);
};

/* Fails the test when a thread reads outside the input, over and over again, or not up to its end.
 * What cannot be known is held against nobody. */
void longest_judge(const struct longest *longest);

#endif
