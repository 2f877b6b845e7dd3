/* process.h - other programs that a subcommand starts, and what they print. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Starts a program. What it prints on standard error goes to a new file, or where this program's goes without
 * one; on standard output to this descriptor, or with -1 to the same place. Ends this program with one line
 * when that cannot be done. */
pid_t process_start(char *const arguments[], const char *log, int output);
/* Waits for one program, or with 0 for any; sets *pid. Returns its exit status, or 128 and the
 * signal that ended it. */
int process_wait(pid_t *pid);
/* Starts one, with all that it prints in a new file, and waits for it. Returns the same. */
int process_run(char *const arguments[], const char *log);

/* Runs a make with these words, which end with NULL, in the root of the course, with jobs and options of its
 * own. What it prints goes to `log`, whose folder is made, and then it has no setting of the make that this
 * program is run by; or it has those, and prints as this program does. Returns its exit status. */
int process_make(const char *const words[], const char *log);

/* Copies what a program printed to `out`, without the simulator's counts of errors. Returns how many lines it
 * copied. */
struct lines;
unsigned int process_repeat(struct lines in, FILE *out);

#endif
