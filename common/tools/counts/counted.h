/* counted.h - what a kernel costs on 1 MiB of a text that is the same for everybody; or where its
 * contract has an operation, on 65,536 keys, or on an array of 1,048,576 values.
 *
 * The program `row` of a chapter counts it; make builds that. A row is kept beside it and counted
 * anew when the program is newer. */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdbool.h>
#include <stddef.h>

#include "csv.h"

enum { COUNTED_PATH = 4096 };

/* Whose kernel. */
struct kernel {
    const char *build;  /* "build/sim-gcc" */
    bool solution;      /* the reference; else the student's, in `folder` */
    const char *folder; /* "chapters" */
    const char *file;   /* "chapters/05_name/histogram.cu" */
    const char *stem;   /* "05_name" */
};

/* What is counted. */
struct counted_on {
    const char *text;  /* "english", "uniform", as TEXT of make; or "uniform", as KEYS; "values" */
    unsigned int bins; /* as BINS; of values how many there are, as SIZE */
    const char *operation; /* as OPERATION; "" where the contract has none */
    bool array;            /* of values */
    bool batched;          /* of many histograms */
};

/* What a kernel is counted on where nothing else is asked for: English text in 5 bins; or uniform
 * keys in 12,281, or 1,048,576 values, with the first operation of its chapter. */
struct counted_on counted_usually(const struct kernel *kernel);

/* That in words: "1,048,576 characters of English text in 5 bins". One buffer. */
const char *counted_words(const struct counted_on *on);

/* Returns the name of the CSV file with the row, which the next call overwrites; NULL when there is
 * none, for the kernel does not compile, does not end well, or counts wrong: *why is a sentence
 * then. */
const char *counted_row(const struct kernel *kernel, const struct counted_on *on, const char **why);

/* The value of a sum (expression.h) of columns of that row. Returns false when there is none; *why
 * as above. A sum of numbers alone needs no row. */
bool counted_sum(const struct kernel *kernel, const char *sum, const struct counted_on *on,
                 double *value, const char **why);

/* Whether a sum names a column. */
bool counted_is_of_kernel(const char *sum);

#endif
