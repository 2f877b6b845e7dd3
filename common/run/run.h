/* run.h - one run of a kernel on the input that all chapters of its contract share, outside of the
 * judge: what row.c and replay.c ask, whatever the contract. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "call_arrays.h"
#include "measure.h"

/* Writes down in `file` which input the environment asks for: INPUT, TEXT, KEYS, TEXT_SEED and SIZE;
 * contracts that count texts take the default files where it says nothing. Returns 0, or -1, and errno
 * says why. What cannot be asked for ends the program with one line and status 1. */
int input_write(const char *file, char *const *default_files, size_t count);
/* That input, made for the operation that is chosen; to be freed. `called` gets what a table calls it. For a trace it
 * has `traced` units, where no SIZE was typed; else that is 0. Ends the program with one line when the file does not
 * say one. */
struct input input_read(const char *file, size_t traced, char *called, size_t size);

struct run {
    const char *file; /* that the program input wrote */
    struct input input;
    char called[80]; /* the input, as a table calls it */
    struct measurement cost;
    bool finished, right;
    char error[256], why[1400]; /* why it did not finish; what is wrong, and the likeliest cause */
};

/* To be called first in main. Several processes may run one kernel: whether this is the one that has
 * the result. */
bool run_begin(char **arguments);
/* Runs the kernel on run->input, and compares. All processes do. */
void run_kernel(struct run *run);
/* Compares the bytes of an output with what is right, and says why they are not; `before` is what they
 * were, or NULL where nobody knows. A run that has not finished is left as it is. */
void run_compare(struct run *run, const void *held, const void *before);
/* How long an H200 would take for kernels that the simulated GPU has run by its clock, so many launches that took so
 * many picoseconds together: milliseconds. docs/prediction.md tells how good that is. */
double clocked_ms(uint64_t launches, uint64_t picoseconds);
/* Before main returns. */
void run_end(void);

#endif
