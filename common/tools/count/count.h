/* count.h - what the parts of build/count ask of each other. */
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

/* Reads a command line. Returns "", or one sentence about the first thing that is wrong with it, which
 * stays valid until the next call. The words stay those of `arguments`, in another order. */
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
void name_of_bin(int bin, char *name, size_t size);

/* What was counted, as a table for people and as comma-separated values. */

/* A table: a line for each bin that holds anything, with its share of the file and a bar. `heading`: with
 * the file's name and length above it. */
void print_bin_table(FILE *out, const struct counted_file *counted, bool heading);

/* A line for each bin: its number, its first and last byte, and a column for each file, with its name. */
void print_bin_csv(FILE *out, const struct counted_file *columns, size_t count);

/* What was counted, as a picture: by gnuplot, where there is one. */

/* Whether there is a gnuplot: else false, and a sentence in `why`. */
bool can_plot(char *why, size_t size);

/* Draws a bar for each bin into an SVG file, which replaces what is there when it is complete. Else false, and a
 * sentence in `why`. */
bool plot_bins(const char *path, const struct counted_file *counted, char *why, size_t size);

/* The same files counted by the cores of this machine, in a stream as well. */

/* All cores that this process may ever use, whichever one it is bound to now. */
unsigned int cores_here(void);

/* How these count, "16 tables". */
extern const char way_of_cores[];

/* Adds to the bins what is in a file, read and counted by so many cores; `length` of its bytes. Returns the
 * seconds it took, or less than 0 when it could not be read to there; `why` then says why. */
double count_on_cores(const char *path, unsigned long long length, unsigned int cores,
                      unsigned long long *bins, char *why, size_t size);

/* What the GPUs did beside what the cores of this machine do with the same files. */

/* Counts the files again, on one core and on all, and compares times and bins. Prints a table to `out`:
 * seconds and rates of all files together. `seconds` is what `ranks` GPUs took. Returns false, and why, when a
 * file cannot be read any more, or the cores count something else. */
bool compare_with_cores(FILE *out, const struct counted_file *files, size_t count, double seconds,
                        int ranks, char *why, size_t size);

/* One line on standard error that is written again and again, or several where that
 * is no terminal, and how far it says that the reading is. */

struct how_far {
    const char *file;
    unsigned long long done, all; /* bytes */
    double seconds;               /* since it began */
    bool about;                   /* done is an estimate */
};

/* "43%  1.2 of 2.8 GB  310 MB/s  5 s left  big.bin", for one line of a terminal. */
const char *how_far_in_words(const struct how_far *how);

/* From here on the line is there, and all that this process prints to standard error stands above it. */
void progress_line_begin(void);
void progress_line_write(const char *words);
/* The line stays as it is when it is the last word, else it is taken away. */
void progress_line_end(bool stays);

/* Tells while all ranks read a file how far they are. Both functions are collective. */

/* From here to the end rank 0 shows how much of the file the ranks of its machine have read; where ranks are
 * on other machines, too, it is told as an estimate of all. Nothing happens without `wanted`. */
void read_progress_begin(const char *file, unsigned long long length, bool wanted);
/* With `whole` the line says for the last time that all was read, and stays. */
void read_progress_end(bool whole);

/* Whether a file can be counted, and whether it held still meanwhile. */

/* Looks at a file before it is counted. Writes to `why` what is in the way, "no such file", or "" when
 * it is a regular file that this process can read; then *seen tells its length. */
void look_at_file(const char *path, struct stat *seen, char *why, size_t size);

/* Looks again after it has been counted. Writes to `why` what became of it, "shrank while it was read, from
 * 20 to 10 bytes", or "" when it is the same. */
void look_again(const char *path, const struct stat *before, char *why, size_t size);

/* A file that is there as a whole or not at all: it is written beside the old one, which it
 * replaces at the end. */

struct whole_file {
    FILE *stream;
    char *path; /* of the file to be; links are followed */
    char
        *written; /* of what is written now; NULL when it is written where it is, as for a device */
};

/* Whether such a file can be made: "" or why not, in *why. Nothing is made yet. */
bool whole_file_possible(const char *path, char *why, size_t size);

/* Begins it. Returns false, and why, when it cannot be made. */
bool whole_file_begin(struct whole_file *file, const char *path, char *why, size_t size);
/* Puts it in its place. When something could not be written, then or before, what was there stays;
 * returns false, and why. */
bool whole_file_end(struct whole_file *file, char *why, size_t size);
/* Leaves off: what was there stays. */
void whole_file_drop(struct whole_file *file);

/* What all ranks decide together, so that none is left behind. All are collective. */

int this_rank(void);
int all_ranks(void);

/* Whether no rank complains. Each gives a sentence, "" for none; rank 0 prints the one of the first rank
 * that has one, to standard error, and names the machine when it is not its own sentence. */
bool nobody_complains(const char *sentence);

/* Waits until rank 0 comes here, without using the core. */
void wait_for_rank_0(void);

#endif
