/* times_table.h - what the benchmark found: a table to read, and rows of CSV to keep. */
#ifndef TIMES_TABLE_H
#define TIMES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "queue.h"
#include "row_file.h"

/* The times of one implementation on one text. */
struct timing {
    const char *name, *input;
    size_t length;
    struct gpu_times times;
    enum { RIGHT, WRONG, COUNTS_NOTHING } bins;
};

/* What the rows of one text are compared with; 0 as long as it has not run. */
struct yardsticks {
    double reading, cub; /* milliseconds */
};

/* The header of what report_row writes. */
extern const char report_columns[];

/* The head of the table for one text. */
void report_heading(const char *input, size_t length);

/* One row of the table, to standard output, and one of CSV. */
void report_row(FILE *csv, const struct timing *timing, const struct yardsticks *yardsticks);

/* A row that was not measured: why in the table, 0 runs and "left out" in the CSV. */
void report_left_out(FILE *csv, const char *name, const char *input, size_t length,
                     const char *why);

#endif
