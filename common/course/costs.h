/* costs.h - what a kernel costs on 1 MiB of a text that is the same for everybody; or where its
 * contract has an operation, on 65,536 keys, or on an array of 1,048,576 values.
 *
 * The program `row` of a chapter counts it; make builds that. A row is kept beside it and counted
 * anew when the program is newer. */
#ifndef COSTS_H
#define COSTS_H

#include <stdbool.h>

#include "chapter.h"

/* Whose kernel. */
struct kernel {
    const char *build; /* "build/sim-gcc" */
    struct chapter chapter;
};

/* What it is counted on. */
struct workload {
    const char *text;  /* "english", "uniform", as TEXT of make; or "uniform", as KEYS; "values" */
    unsigned int bins; /* as BINS; of values how many there are, as SIZE */
    const char *operation; /* as OPERATION; "" where the contract has none */
};

/* Where nothing else is asked for: English text in 5 bins; or uniform keys, or values, as many as the contract
 * says, with the first operation of its chapter. */
struct workload workload_of(const struct chapter *chapter);
/* That in words: "1,048,576 characters of English text in 5 bins". */
const char *workload_words(const struct chapter *chapter, const struct workload *on);

/* Returns the name of the CSV file with the row; NULL when there is none, for the kernel does not
 * compile, does not end well, or counts wrong: *why is a sentence then. */
const char *count_row(const struct kernel *kernel, const struct workload *on, const char **why);

/* The value of a sum (predictions.h) of columns of that row. Returns false when there is none; *why
 * as above. A sum of numbers alone needs no row. */
bool count_sum(const struct kernel *kernel, const char *sum, const struct workload *on,
               double *value, const char **why);
/* Whether a sum names a column. */
bool is_of_kernel(const char *sum);

#endif
