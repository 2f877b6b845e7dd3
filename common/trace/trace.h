/* trace.h - what the parts of the program behind `make trace` ask of each other: a recording of a call, trials
 * of a kernel, the story of one as a page. */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim.h"
#include "traced.h"

/* What one call of the function did, step by step, with values.
 *
 * A recording lies in memory that is shared with the process that ran, so it is there whatever
 * became of that one. Times of steps are their indexes. */

enum {
    LANES = 32,
    MOST_STEPS = 30000,
    MOST_ARRAYS = 4096,
    MOST_LAUNCHES = 64,
    MOST_SITES = 256,
    MOST_COPIES = 1024,
    MOST_INITIAL = 8192 /* bytes of an array whose contents are kept */
};

#define NOBODY UINT32_MAX /* the block and warp of a step of the host */

/* What a step is: of accesses as enum sim_access has them; the last two are the host's. */
enum recorded { LOADED, STORED, REDUCED, ATOMIC, BARRIER, INTRINSIC, ENDED, COPIED, ADDED_UP };

/* What an array holds: something of its own; the input, or what was copied from there; the outputs, or
 * copies of them by the kernel. */
enum role { OWN, INPUT, INPUT_COPY, OUTPUT, OUTPUT_COPY };

struct recorded_step {
    uint8_t what;   /* enum recorded; an atomic is ATOMIC until its site is known */
    uint8_t bytes;  /* of a lane's access */
    uint8_t atomic; /* enum sim_atomic */
    uint8_t launch; /* index */
    uint8_t device;
    bool carried_out; /* its values are known */
    bool refused;     /* it was an error, and never happened */
    uint32_t active;  /* bit i: lane i */
    unsigned int block, warp;
    int array;                                                  /* index, or -1 */
    unsigned int cost, used, unused, least, loads, least_loads; /* as in struct sim_event */
    uintptr_t pc;
    char name[20];             /* of an intrinsic */
    size_t moved;              /* bytes that the host has copied, or that each device brings */
    uintptr_t address[LANES];  /* of an access */
    uint64_t before[LANES][2]; /* as in struct sim_step */
    uint64_t after[LANES][2];
};

struct recorded_array {
    char name[64];
    enum sim_space space;
    unsigned int device, block; /* in shared memory: whose */
    uintptr_t base;             /* of element 0 */
    size_t bytes, element, row;
    enum role role;
    bool has_initial;
    unsigned char initial[MOST_INITIAL]; /* global memory, when it was first touched */
};

struct recorded_launch {
    struct sim_launch_shape shape;
    struct sim_counters counters; /* of this launch alone */
};

/* An atomic instruction of a launch: RED, or ATOM when the kernel uses its results. */
struct recorded_site {
    uintptr_t pc;
    unsigned int launch;
    bool returns;
};

struct recorded_race {
    bool found;
    char element[128];
    struct sim_race race;
    size_t reported_at; /* steps that were recorded when it was told */
};

struct recording {
    size_t steps, more; /* recorded, and after these */
    size_t launches, arrays, sites;
    struct recorded_race race; /* the first */
    size_t copies;
    uintptr_t copied_to[MOST_COPIES];               /* on a device, from the host */
    uintptr_t input, output;                        /* where they lie, of the device's memory */
    size_t input_bytes, output_bytes, behind_bytes; /* behind: of what lies behind the outputs */
    struct shape of_input, of_output;
    unsigned int device; /* of the launch that runs */
    struct recorded_launch launch[MOST_LAUNCHES];
    struct recorded_site site[MOST_SITES];
    struct recorded_array array[MOST_ARRAYS];
    struct recorded_step step[MOST_STEPS];
};

/* Records from here on, into zeroed memory, the launches of this process. */
void recording_start(struct recording *recording, const struct input *input,
                     const struct traced_memory *memory);

/* How the elements of an array are shown; NULL: as numbers. */
const struct shape *recording_shape(const struct recording *recording, int array);

/* Of a large grid: leaves out the barriers and the ends of blocks that read nothing of the input.
 * Returns whether it did. */
bool recording_compact(struct recording *recording);

/* How many blocks read the input. */
size_t recording_readers(const struct recording *recording);

/* The step of an access of a race, at or before step `from`: made by this lane, or by any when it
 * is negative, at this instruction and address. -1 when there is none. */
long recording_find(const struct recording *recording, long from, unsigned int block,
                    unsigned int warp, int lane, uintptr_t pc, uintptr_t address);

/* A call of the function on one input, in a process of its own, and what became of it. */

/* An input, and the schedule. */
struct trial {
    struct input input;
    uint64_t seed;
    unsigned int blocks; /* the last kernel's grid has so many; 0 for its own */
    char kernel[64];     /* which that is */
};

enum outcome_kind {
    RIGHT,
    WRONG_BINS, /* it ran to its end, with a wrong result */
    REPORTED,   /* a check of the simulator had something to say */
    STOPPED,    /* a launch or a kernel failed, or the function ended the program */
    CRASHED,    /* a signal */
    ENDLESS     /* host code that did not return in time */
};

enum { WORDS = 4096 };

struct trial_outcome {
    enum outcome_kind kind;
    bool miscounted;     /* it ran to its end, whatever was reported, with a wrong result */
    char check[24];      /* REPORTED: racecheck if there was a race, else the first */
    char place[2][256];  /* REPORTED: file and line of the first two, the lesser first */
    char words[WORDS];   /* what was printed, or what is wrong: lines */
    unsigned char *held; /* the outputs; zeros when it did not come to its end */
    struct sim_launch_shape shape; /* of the last launch */
};

/* A copy in memory of its own; `input_free` takes that back. */
struct input input_copy(const struct input *input);

/* Runs the trial, for some seconds at most; with a fresh recording, from trial_recording, it is
 * recorded. */
void trial_run(const struct trial *trial, struct trial_outcome *outcome,
               struct recording *recording);
void outcome_free(struct trial_outcome *outcome);

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
    struct trial_outcome outcome;
};

/* Looks for a failure among the inputs that break kernels, short ones first; one that is wanted, or
 * else the first. Returns false when all were right. */
bool failing_find(const struct wanted *wanted, uint64_t seed, struct failing *failing);

/* Makes the input shorter and simpler, as long as it fails in the same way. */
void failing_shrink(struct failing *failing);

/* All that a page tells. What there is nothing to say of is "". */

struct story {
    const char *source; /* the kernel's file */
    const char *number, *name;
    const char *command;   /* that makes the page */
    const char *text_file; /* where the input lies, when it is a text */
    const char *profile;   /* the command that prints the same sums */
    const char *input;     /* the input in words */
    const char *shrunk;    /* how it became so small */
    const char *note;      /* what the reader should know of it besides */
    const char *words;     /* what the judge says */
    bool right;            /* and whether that is praise */
    bool another;          /* right, but by another technique */
    const struct trial *trial;
    const struct trial_outcome *outcome;
    const struct recording *recording;
};

/* Writes the trace as JSON that may stand in a page, in about `most` bytes: steps that do not fit
 * are left out at the end, and counted. Returns how many. */
size_t story_write(const struct story *story, size_t most, FILE *file);

/* Which steps met; and, where the count is wrong, what got lost. */
struct race_story {
    long first, second; /* steps, or -1 */
    const char *lost;   /* a sentence, or "" */
};
struct race_story story_race(const struct recording *recording, bool miscounted);

#endif
