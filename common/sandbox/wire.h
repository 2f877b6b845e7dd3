/* wire.h - what the judge and the process of the kernel say to each other.
 *
 * The judge asks, or tells without waiting; the kernel's process does so in order, and answers what
 * was asked. An answer repeats the nonce of its question, which nobody could know before. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>
#include <string.h>

#include "far_reads.h"
#include "measure.h"
#include "sample.h"
#include "sim.h"
#include "sparse.h"
#include "spoil.h"

enum wire_what {
    WIRE_ALLOCATE, /* bytes: an address */
    WIRE_RESERVE,  /* bytes: an address, or 0 */
    WIRE_FREE,     /* address */
    WIRE_FILL,     /* address, value, bytes */
    WIRE_WRITE,    /* address; the bytes follow */
    WIRE_READ,     /* address, bytes: the bytes */
    WIRE_FINISH,   /* struct wire_finished */
    WIRE_LEFT,     /* bytes of memory that are left */
    WIRE_HELD,     /* struct held */
    WIRE_IS_DEVICE,
    WIRE_SEED,
    WIRE_BUDGET, /* accesses, units; the name of a unit follows */
    WIRE_MULTIPROCESSORS,
    WIRE_L2_BYTES,
    WIRE_RESET_COUNTERS,
    WIRE_COUNTERS, /* struct sim_counters */
    WIRE_TRY,      /* struct wire_trial follows; ended when nothing does */
    WIRE_STOPPED,  /* what stopped the trial: its name, or nothing */
    WIRE_LOCATE,   /* an instruction: its place in the source */
    WIRE_CALL,     /* struct call follows: struct wire_called */
    WIRE_MEASURE,  /* struct call follows: struct wire_measured */
    WIRE_FAR_END,  /* struct wire_far follows: struct wire_far_seen */
    WIRE_SPARSE,   /* struct sparse follows: struct sparse_seen */
    WIRE_SAMPLE,   /* struct sample follows: struct measurement */
    WIRE_SPOIL,    /* struct call follows, values[0] is an enum spoil: struct spoiled */
    WIRE_MODEL,    /* struct model follows: struct model */
    WIRE_CONTRACT  /* from here on the contract's own: kernel_half.answer */
};

enum {
    WIRE_VALUES = 4,
    WIRE_NAME = 32,
    WIRE_PLACE = 512
}; /* places in a question; bytes of texts */

/* Why a process ends: exit() was called in it; or it asked the system for what it may not, and the
 * value of the answer is the call's number, its bytes are the place: char[WIRE_PLACE]. */
enum wire_farewell { WIRE_STAYS, WIRE_EXITS, WIRE_REFUSED };

struct wire_question {
    uint64_t nonce;
    uint32_t what;
    uint32_t wants_answer;
    uint64_t values[WIRE_VALUES];
    uint64_t bytes; /* that follow */
};

struct wire_answer {
    uint64_t nonce;
    uint64_t value;
    uint64_t launches, errors; /* of the simulator, so far */
    uint32_t farewell;         /* the process ends: enum wire_farewell */
    uint32_t reports;          /* bytes that follow: lines "CHECK FILE:LINE" of new reports */
    uint64_t bytes;            /* that follow them */
};

/* Where the work of the target stands. */
struct wire_finished {
    uint32_t fine;
    char error[256];
    struct sim_launch_shape shape; /* of the last launch */
};

/* struct sim_trial, with the kernel's name in it. */
struct wire_trial {
    struct sim_trial trial; /* but for its kernel */
    uint32_t has_kernel;
    char kernel[64];
};

static inline struct wire_trial wire_of_trial(const struct sim_trial *trial)
{
    struct wire_trial wire = {.trial = *trial, .has_kernel = trial->kernel != NULL};
    wire.trial.kernel = NULL;
    if (trial->kernel)
        strncpy(wire.kernel, trial->kernel, sizeof wire.kernel - 1);
    return wire;
}

/* The trial's kernel is in `wire`, which has to live as long. */
static inline struct sim_trial wire_trial(struct wire_trial *wire)
{
    struct sim_trial trial = wire->trial;
    wire->kernel[sizeof wire->kernel - 1] = '\0';
    trial.kernel = wire->has_kernel ? wire->kernel : NULL;
    return trial;
}

/* What a call did besides. */
struct wire_called {
    uint32_t is_device;
    uint32_t failed; /* a launch was refused, as target_finish will say */
    uint64_t launches;
    struct host_copies copies;
};

struct wire_measured {
    uint32_t finished;
    char error[256];
    struct measurement result;
};

/* The far end of a call's input: whether it stops late, and the trial. */
struct wire_far {
    struct call call;
    struct far_limits limits;
    uint32_t stops_late;
    struct wire_trial trial;
};

struct wire_far_seen {
    uint32_t finished;
    char error[256];
    char stopped[WIRE_NAME]; /* what stopped it: its name, or nothing */
    struct far_reads seen;
};

#endif
