/* trial.h - histogram() on one input, in a process of its own, and what became of it. */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording.h"

/* An input, and the schedule. */
struct trial {
    const unsigned char *text;
    size_t length;
    size_t misalignment; /* bytes after a multiple of 256 */
    uint64_t seed;
    unsigned int calls;  /* of histogram(), one after the other: 1, or 2 */
    unsigned int blocks; /* the last kernel's grid has so many; 0 for its own */
    char kernel[64];     /* which that is */
};

enum outcome_kind {
    RIGHT,
    WRONG_BINS, /* it ran to its end, and counted wrong */
    REPORTED,   /* a check of the simulator had something to say */
    REFUSED,    /* a launch or a kernel failed, or histogram() ended the program */
    CRASHED,    /* a signal */
    ENDLESS     /* host code that did not return in time */
};

enum { WORDS = 4096 };

struct outcome {
    enum outcome_kind kind;
    bool miscounted;    /* it ran to its end, whatever was reported, and counted wrong */
    char check[24];     /* REPORTED: racecheck if there was a race, else the first */
    char place[2][256]; /* REPORTED: file and line of the first two, the lesser first */
    char words[WORDS];  /* what was printed, or what is wrong: lines */
    unsigned int counted[NUM_BINS], expected[NUM_BINS];
    struct sim_launch_shape shape; /* of the last launch */
};

/* Runs the trial, for some seconds at most; with a fresh recording, from trial_recording, it is
 * recorded. */
void trial_run(const struct trial *trial, struct outcome *outcome, struct recording *recording);

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

/* Calls histogram(), or on a card has one lane call it: see one_lane.cu. */
void call_histogram(const unsigned char *text, size_t length, unsigned int *bins);
/* Whether histogram() is plain C, so that this lane is all there is. */
bool is_plain_c(void);

#endif
