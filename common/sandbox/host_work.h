/* host_work.h - whether it was the kernels that worked, and on all inputs in the same way.
 *
 * A right result is not enough: host code may have computed it. All of these fail the test with a
 * sentence. */
#ifndef HOST_WORK_H
#define HOST_WORK_H

#include <stddef.h>
#include <stdint.h>

#include "copies.h"

/* A contract's function, "histogram()", and what its kernels have to do. */
struct host_words {
    const char *function, *by_kernel;
};

/* Of one call. */
struct host_work {
    uint64_t bytes;  /* of the input */
    uint64_t sample; /* of these, how many the host may look at */
    uint64_t launches;
};

/* The input was not copied to the host, nothing was written into the bins from there, and a kernel
 * was launched. `what` describes the input. */
void expect_kernels_worked(const char *what, const struct host_work *work,
                           const struct copies *copies, const struct host_words *words);
/* Kernels stored at most `most` bytes where host code can read. */
void expect_written_on_device(const char *what, uint64_t host_visible, uint64_t most,
                              const struct host_words *words);

/* What a part of an input cost, and all of it. */
struct part_cost {
    uint64_t part, whole;
    size_t part_length, length;
    size_t misalignment; /* of the part, in units */
};
/* Fails when the part cost more: `what` is counted, "shared atomics", for `units`, "characters". */
void expect_part_costs_no_more(const char *what, const char *units, const struct part_cost *cost);
/* Units to leave out at the beginning: a number that is drawn, so that no length is always the same, nor
 * a multiple of anything. */
size_t part_left_out(size_t length, uint64_t *state);

/* The number from which this run's own inputs are drawn: DRAW in the environment, or 1. */
uint64_t run_draw(void);

#endif
