/* count.h - what the parts of build/count ask of each other. A function that says what is wrong returns a
 * sentence, or "" when all is well. */
#ifndef COUNT_H
#define COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

#include "binning.h"

/* A file and what was counted in it. */

struct counted_file {
    const char *name; /* as the command line has it; of a sum "sum of 3 files" */
    struct stat seen; /* before it was counted */
    unsigned long long length, bins[NUM_BINS];
};

/* What a command line of count asks for. */

struct count_options {
    char **files; /* of the command line */
    size_t file_count;
    bool csv, quiet, compare, help;
    bool progress;      /* --progress: also where standard error is no terminal */
    const char *output; /* of the table or CSV; NULL: standard output */
    const char *plot;   /* an SVG file, or NULL */
};

/* Reads a command line; says the first thing that is wrong with it. The words stay those of `arguments`,
 * in another order. */
const char *read_count_options(int count, char **arguments, struct count_options *options);

/* What --help prints. */
extern const char count_help[];

/* What the program calls that on which it counts. */

#ifdef SIMULATED_GPU
#define COUNT_DEVICE "simulated GPU"
#else
#define COUNT_DEVICE "GPU"
#endif

/* Which bytes a bin holds, for people and for programs. */

/* The first and the last byte of a bin, 0 to 255. */
void bytes_of_bin(int bin, int *first, int *last);

/* "10 \n", "97 a", "97-102 a-f", "128-131": the values, and characters where all are printable. */
const char *name_of_bin(int bin);

/* What was counted, as a table for people and as comma-separated values. */

/* A table: a line for each bin that holds anything, with its share of the file and a bar. `heading`: with
 * the file's name and length above it. */
void print_bin_table(FILE *out, const struct counted_file *counted, bool heading);

/* What is in the bin that holds most. */
unsigned long long largest_bin(const struct counted_file *counted);

/* A line for each bin: its number, its first and last byte, and a column for each file, with its name. */
void print_bin_csv(FILE *out, const struct counted_file *columns, size_t count);

/* What was counted, as a picture: by gnuplot, where there is one. */

/* Says whether there is a gnuplot. */
const char *can_plot(void);

/* Draws a bar for each bin into an SVG file, which replaces what is there when it is complete. */
const char *plot_bins(const char *path, const struct counted_file *counted);

/* Counts the files again, on one core and on all of this machine, and compares times and bins. Prints a table
 * to `out`: seconds and rates of all files together. `seconds` is what `ranks` GPUs took. Says when a file
 * cannot be read any more, or the cores count something else. */
const char *compare_with_cores(FILE *out, const struct counted_file *files, size_t count,
                               double seconds, int ranks);

/* Tells while all ranks read a file how far they are. Both functions are collective. */

/* From here to the end rank 0 shows how much of the file the ranks of its machine have read; where ranks are
 * on other machines, too, it is told as an estimate of all. Nothing happens without `wanted`. */
void read_progress_begin(const char *file, unsigned long long length, bool wanted);
/* With `whole` the line says for the last time that all was read, and stays. */
void read_progress_end(bool whole);

/* Whether a file can be counted, and whether it held still meanwhile. */

/* Looks at a file before it is counted. Says what is in the way, "no such file"; when it is a regular file
 * that this process can read, *seen tells its length. */
const char *look_at_file(const char *path, struct stat *seen);

/* Looks again after it has been counted. Says what became of it, "shrank while it was read, from 20 to 10
 * bytes". */
const char *look_again(const char *path, const struct stat *before);

int this_rank(void);
int all_ranks(void);

#endif
