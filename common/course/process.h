/* process.h - other programs: one that is run, one that goes on in the background. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Programs that a subcommand starts, and what they print. */

/* Starts a program. What it prints on standard error goes to a new file; on standard output to
 * this descriptor, or with -1 to the file as well. Ends this program with one line when that
 * cannot be done. */
pid_t process_start(char *const arguments[], const char *log, int output);
/* Waits for one program, or with 0 for any; sets *pid. Returns its exit status, or 128 and the
 * signal that ended it. */
int process_wait(pid_t *pid);
/* Starts one, with all that it prints in a new file, and waits for it. Returns the same. */
int process_run(char *const arguments[], const char *log);

/* Runs `make` with these words, which end with NULL, in the root of the course, with jobs and
 * options of its own. BINS is for chapters that have bins: it is one of the words, or not set.
 * What it prints goes to `log`, whose folder is made. Returns its exit status. */
int process_make(const char *const words[], const char *log);

/* Copies what a program printed to `out`, without the lines that sum up a run: error counts of the
 * simulator, "* suite test", "1 passed, 0 failed". Returns how many lines it copied. */
unsigned int process_repeat(const char *log, FILE *out);

/* A make of its own that is sent for something, and can be called back. */

/* Starts `make` with these goals, in a process group of its own and without standard input. It has
 * the settings that this program's make was given (BINS=26, CC=clang), and none of its options.
 * Returns 0, after a line that says why, when that cannot be done. */
pid_t background_start(const char *make, char *const goals[]);
/* Whether it has come to its end; then *status is its exit status, or 128 and the signal. */
bool background_has_ended(pid_t job, int *status);
/* Ends it and all that it has started, and waits until nothing of it is left. */
void background_end(pid_t job);

#endif
