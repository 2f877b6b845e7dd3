/* trial.h - kernels of a trial, and inputs on which one fails. */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording.h"
#include "traced_contract.h"

/* A call of the function on one input, in a process of its own, and what became of it. */

/* An input, and the schedule. */
struct trial {
    struct traced_input input;
    uint64_t seed;
    unsigned int blocks; /* the last kernel's grid has so many; 0 for its own */
    char kernel[64];     /* which that is */
};

enum outcome_kind {
    RIGHT,
    WRONG_BINS, /* it ran to its end, with a wrong result */
    REPORTED,   /* a check of the simulator had something to say */
    REFUSED,    /* a launch or a kernel failed, or the function ended the program */
    CRASHED,    /* a signal */
    ENDLESS     /* host code that did not return in time */
};

enum { WORDS = 4096 };

struct outcome {
    enum outcome_kind kind;
    bool miscounted;     /* it ran to its end, whatever was reported, with a wrong result */
    char check[24];      /* REPORTED: racecheck if there was a race, else the first */
    char place[2][256];  /* REPORTED: file and line of the first two, the lesser first */
    char words[WORDS];   /* what was printed, or what is wrong: lines */
    unsigned char *held; /* the outputs; zeros when it did not come to its end */
    struct sim_launch_shape shape; /* of the last launch */
};

/* A copy in memory of its own; `traced_free` takes that back. */
struct traced_input traced_copy(const struct traced_input *input);
void traced_free(struct traced_input *input);

/* Runs the trial, for some seconds at most; with a fresh recording, from trial_recording, it is
 * recorded. */
void trial_run(const struct trial *trial, struct outcome *outcome, struct recording *recording);
void outcome_free(struct outcome *outcome);

/* Seconds: of a processor for the trials so far, and on the clock. */
struct trial_time {
    double worked, passed;
};
struct trial_time trial_time(void);
/* Whether so many seconds of work have gone; on a busy machine they may take twenty times as long. */
bool trial_time_is_up(struct trial_time begun, double most);

/* Memory for a recording; ends the program when there is none. */
struct recording *trial_recording(void);
void trial_forget(struct recording *recording);

/* The smallest input on which a kernel is seen to be wrong. */

/* A kind of failure that is looked for. */
struct wanted {
    enum outcome_kind kind; /* RIGHT: any */
    char check[24];         /* REPORTED: by which, or "" */
};

/* A failing trial. */
struct failing {
    struct trial trial;
    struct outcome outcome;
};

/* Looks for a failure among the inputs that break kernels, short ones first; one that is wanted, or
 * else the first. Returns false when all were right. */
bool failing_find(const struct wanted *wanted, uint64_t seed, struct failing *failing);

/* Makes the input shorter and simpler, as long as it fails in the same way. */
void failing_shrink(struct failing *failing);

#endif
