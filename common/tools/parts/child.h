/* child.h - programs that a tool starts, and what they print. */
#ifndef CHILD_H
#define CHILD_H

#include <stdio.h>
#include <sys/types.h>

enum child_output { CHILD_ERRORS, CHILD_EVERYTHING };

/* Starts a program with what it prints on standard error, or on both, in a new file. Ends this
 * program with one line when that cannot be done. */
pid_t child_start(char *const arguments[], const char *file, enum child_output which);
/* The same, with a descriptor as its standard output. */
pid_t child_start_to(char *const arguments[], const char *file, int output);
/* Waits for one program, or with 0 for any; sets *pid. Returns its exit status, or 128 and the
 * signal that ended it. */
int child_wait(pid_t *pid);

/* Copies what it printed to `out`, without the lines that sum up a run: error counts of the
 * simulator, "* suite test", "1 passed, 0 failed". Returns how many lines it copied. */
unsigned int child_repeat(const char *file, FILE *out);

#endif
