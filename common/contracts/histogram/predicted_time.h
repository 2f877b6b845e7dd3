/* predicted_time.h - how long an H200 would take for what the simulator has counted.
 *
 * A handful of constants, each measured by common/bench/gpu/micro.cu; none comes from a
 * chapter's time. docs/prediction.md tells the model, and where it misses. */
#ifndef PREDICTED_TIME_H
#define PREDICTED_TIME_H

#include <stddef.h>
#include <stdint.h>

#include "sim.h"

/* What one call of histogram() did. */
struct predict_work {
    struct sim_counters counters; /* of all its launches */
    uint64_t blocks;              /* of the launch that read the text */
    uint64_t threads_per_block;   /* of that launch */
    unsigned int bins; /* 5, 26 or 256, which decides how long it takes to find a character's bin */
    uint64_t text_bytes;     /* of the text, each read at least once */
    uint64_t atomic_stripes; /* stripes of 256 bytes that global atomics touched */
    uint64_t busiest_stripe; /* rounds of atomics on the one with most: see l2_rounds.h */
    uint64_t bins_in_turn;   /* as in measure.h, and so are the next three */
    uint64_t busiest_of_bins;
    uint64_t runs;
    uint64_t atomics; /* of threads */
};

/* Milliseconds: launch + the largest of bandwidth, waiting + working, and atomics. */
struct predict_times {
    double launch;    /* zeroing the bins, and an empty kernel */
    double bandwidth; /* reading the text from memory */
    double waiting;   /* a warp waits for its loads, one after the other */
    double working;   /* a multiprocessor works on all its warps */
    double atomics;   /* the L2 cache works on global atomics */
    double total;
};

/* All times are zero when the work has no launch. */
struct predict_times predict(const struct predict_work *work);

/* Why these counters do not tell the time, in a few words; NULL when they do, as far as
 * it was tried. The rules are in docs/prediction.md. */
const char *predict_doubt(const struct predict_work *work);

/* The constants, each with its row in docs/results/h200/micro.csv. */
struct predict_constant {
    const char *what;
    int parameter;
    double value; /* nanoseconds */
};
size_t predict_constant_count(void);
struct predict_constant predict_constant(size_t i);

#endif
