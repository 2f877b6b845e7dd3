/* count.h - a file that is counted, and how its bins are printed. */
#ifndef COUNT_H
#define COUNT_H

#include <stdio.h>
#include <sys/stat.h>

#include "binning.h"

struct counted_file {
    const char *name; /* as the command line has it */
    struct stat seen; /* before it was counted */
    unsigned long long length, bins[NUM_BINS];
};

/* Prints a heading, and a line for each byte that the file has: its value and character, its count, its share of the
 * file, a bar. */
void print_bin_table(FILE *out, const struct counted_file *counted);

/* Prints a line for each value of a byte, and in it a column for each file, under its name. */
void print_bin_csv(FILE *out, const struct counted_file *columns, size_t count);

#endif
