/* background.h - a make of its own that is sent for something, and can be called back. */
#ifndef BACKGROUND_H
#define BACKGROUND_H

#include <stdbool.h>
#include <sys/types.h>

/* Starts `make` with these goals, in a process group of its own and without standard input. It has
 * the settings that this program's make was given (BINS=26, CC=clang), and none of its options.
 * Returns 0, after a line that says why, when that cannot be done. */
pid_t background_start(const char *make, char *const goals[]);
/* Whether it has come to its end; then *status is its exit status, or 128 and the signal. */
bool background_has_ended(pid_t job, int *status);
/* Ends it and all that it has started, and waits until nothing of it is left. */
void background_end(pid_t job);

#endif
