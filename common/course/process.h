/* process.h - programs that a subcommand starts, and what they print. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

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

#endif
