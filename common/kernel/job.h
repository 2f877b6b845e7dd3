/* job.h - what the judge asks the process of a kernel to do, and what came of it.
 *
 * A job is a call of the contract's function with its arrays, and how it is looked at. The kernel's process places the
 * arrays, makes the call, and frees them; it knows nothing of what is right. */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "far_reads.h"
#include "held.h"
#include "measure.h"
#include "sim.h"

enum watch {
    WATCH_NOTHING,
    WATCH_ALL,     /* every access: outcome.cost */
    WATCH_FAR_END, /* how blocks read the input: outcome.far */
    ASK_MODEL,     /* no call: a question to the chapter's model (outcome.model) */
    ASK_CONTRACT   /* what kernel_half.answer answers */
};

/* How the input's bytes come to its memory. */
enum content {
    AS_SENT,
    REPEATED, /* those that are sent come again and again */
    UNWRITTEN /* none is written; memory is only taken where it is touched */
};

/* Bytes that an input has at a place, whatever its content. */
enum { SPOTS = 5, SPOT_BYTES = 16 };
struct spot {
    uint64_t at, size;
    unsigned char bytes[SPOT_BYTES];
};

enum { NAME_BYTES = 64, PLACE_BYTES = 512, ERROR_BYTES = 256 };

/* Numbers that are 0 leave things as they are. Behind a job come input_bytes, and output_bytes that the output holds
 * before the first call. */
struct job {
    uint64_t nonce;   /* which the outcome repeats, so that nobody else can have sent it */
    struct call call; /* without addresses */
    uint32_t watch, content;
    uint32_t calls; /* one after the other; each finds what the one before has left */
    uint32_t
        output_inside; /* 1 + the place in the input where the output begins, which is not freed */
    uint64_t before_units; /* bytes of the input before the first unit */
    uint64_t seed;         /* of the schedule */
    uint64_t budget;       /* accesses of lanes in a launch; UINT64_MAX leaves it as it is */
    char function[48];     /* "reduce()", for what is said of it */
    char unit[32];         /* "value": of what a budget that is spent speaks */
    uint32_t multiprocessors, l2_bytes, devices;
    char checks[32];         /* "memcheck"; "" for all */
    uint32_t is_trial;       /* the trial follows: */
    struct sim_trial trial;  /* but for its kernel, which is */
    char kernel[NAME_BYTES]; /* "" for none */
    struct far_limits limits;
    uint32_t stops_at_first_read; /* WATCH_FAR_END ends with the first unit */
    uint32_t right_end; /* an exit status with which the process may end in the call; 0: none */
    struct model model;
    uint64_t spot_count;
    struct spot spots[SPOTS];
    uint64_t input_bytes, output_bytes;
};

/* What the kernel's process says first, once it is ready for jobs. */
#define READY "ready"

/* How a process can end in a job: exit() was called in it, or it asked the system for something that it may not do. */
enum farewell { STAYS, EXITS, REFUSED };

/* Behind it come output_bytes of the output, and report_bytes: a line "CHECK FILE:LINE" for each new report. */
struct outcome {
    uint64_t nonce;
    uint32_t farewell;
    uint32_t is_device; /* the function launches kernels */
    uint32_t
        finished; /* the calls came to their end, and nothing failed; else `error` is CUDA's words */
    uint32_t launch_failed;
    char error[ERROR_BYTES];
    uint64_t launches; /* of the last call */
    uint64_t errors;   /* that checks have reported, since the process began */
    struct sim_counters counters_before,
        counters;                        /* of all launches since the last one that was watched */
    struct sim_launch_shape shape;       /* of the last launch */
    struct host_copies copies;           /* by the last call */
    uint64_t left_before, left_after;    /* bytes of memory: after the first call, after the last */
    struct held held_before, held_after; /* the same */
    struct measurement cost;
    struct far_reads far;
    char last_load[PLACE_BYTES]; /* the place of far.last_load */
    char stopped[32];            /* what stopped a trial; "" when nothing has */
    struct model model;
    int32_t refused; /* the system's call */
    char place[PLACE_BYTES];
    uint64_t output_bytes, report_bytes;
};

/* Has the kernel's process do a job; a program that is linked with the kernel does it itself. `output` holds what is
 * there before, and gets what is there after. Where the process ends, or does not answer, the test fails with a
 * sentence that names `what`. */
struct outcome job_run(struct job *job, const char *what, const void *input, void *output);
/* The same of ASK_CONTRACT: `output` gets memory, to be freed, with what the contract's half answers. */
struct outcome job_ask_contract(struct job *job, const char *what, const void *input,
                                void **output);

/* Returns whether a process that has ended in a job had launched a kernel, or a check had reported anything. */
bool job_was_run(void);

/* Does a job in this process. With ASK_CONTRACT `output` is not used, and *answer gets what stays until the next. */
void job_do(struct job *job, unsigned char *input, unsigned char *output, struct outcome *outcome,
            const void **answer);

#endif
