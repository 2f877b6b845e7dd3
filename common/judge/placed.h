/* placed.h - an input and its output, laid out as a call of the contract's function finds them. */
#ifndef PLACED_H
#define PLACED_H

#include "call_arrays.h"
#include "job.h"

enum { BIN_BYTES = 32 }; /* of a bin */

struct placed {
    struct job job; /* one call that nobody watches; who wants more changes a copy of it */
    const struct input *input;
    unsigned char *units;  /* those of the input, behind some that would be seen in an output */
    unsigned char *before; /* what the output holds before a call */
    unsigned char *output; /* what it holds now */
    struct outcome last;   /* of the last call */
};

/* A job without addresses, on the settings of now, which stops after as many accesses as such an input takes. */
struct job job_of(const struct contract *contract, const struct call *call);

/* The job is a trial, with so many accesses, and with the checks that are named; "" are all. */
void job_tries(struct job *job, const struct sim_trial *trial, uint64_t budget, const char *checks);

/* Places an input, which has to stay as long as what is returned. */
struct placed place(const struct input *input);
/* Has the output hold what it should before a call: the bins of the input, or something that nobody wants, something
 * else each time. */
void place_output(struct placed *placed);
/* Has it hold the same as before, once more. */
void place_output_again(struct placed *placed);
size_t place_output_bytes(const struct placed *placed);
/* Makes one call, on the settings of now. */
void place_run(struct placed *placed, const char *what);
/* Makes one call, and watches. Returns false when it fails, and on a real GPU: placed->last.error then says why. */
bool place_measure(struct placed *placed, struct measurement *seen);
/* Returns what the output holds, to be freed. Ends the program with one line when there is no memory. */
unsigned char *place_read(const struct placed *placed);
void place_free(struct placed *placed);

/* Asks the model of the chapter's kernel; is_there tells whether it has one. */
void ask_model(const struct contract *contract, struct model *model);
/* Makes one call on the input, and watches. Returns false when it fails, and on a real GPU. */
bool place_and_measure(const struct input *input, struct measurement *seen);

/* How many accesses lanes may make in a call before they are stopped. */
uint64_t most_accesses(const struct contract *contract, const struct call *call);

/* The last outcome of a call on an input, if it was with this operation; else zeros. */
const struct outcome *last_outcome(enum operation operation);
/* Whether the contract's function launches kernels. */
bool runs_on_device(const struct contract *contract);

#endif
