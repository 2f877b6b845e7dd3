/* ladder_row.h - the row of the ladder that a program row.c writes, as far as it is the same for all
 * contracts: who ran on what, whether the result is right, and the counters. */
#ifndef LADDER_ROW_H
#define LADDER_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim.h"

struct ladder_row {
    const char *file, *chapter, *name;
    const char *bins;  /* a number; NULL where the contract has none */
    const char *input; /* what it ran on; in a field of CSV, without what would end it */
    size_t length;
    bool correct;
    const char *more; /* names of columns behind the counters: ",operation,passes" */
};

/* Writes the file, a header and one row: the counters, and what `print_more` writes for `context`. Ends
 * the program with one line when it cannot be written. */
void row_write(const struct ladder_row *row, const struct sim_counters *counters,
               void (*print_more)(FILE *file, const void *context), const void *context);

/* What came of the run. Says on standard error why it is not correct: `error` where it did not finish,
 * else `explanation`, else a report of the simulated GPU. */
void row_judge(struct ladder_row *row, bool finished, const char *error, bool right,
               const char *explanation);

#endif
