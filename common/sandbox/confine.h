/* confine.h - what the process of a kernel may do: its files, its system calls. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a process with a student's code may do: little. */

/* The second argument of a program that is to narrow its filter before the student's code runs. */
#define CONFINE_FILTERED "filtered"

/* How: "bwrap", under bubblewrap; "filter", where that is missing or may not work, with limits and a
 * filter of system calls; or "none" of both, with limits alone. JUDGE_SANDBOX chooses. */
const char *confine_how(void);

/* In a new process: limits what it can use up, and files to so many bytes; it ends with its parent, and is the
 * first to go when memory is short. */
void confine_limits(size_t file_bytes);
/* Of the environment the simulator's settings, and `more`, which ends with NULL, and may be NULL. Not to be
 * freed. */
char **confine_settings(const char *const *more);

/* In a new process, before it executes anything: limits what it can use up, and executes `program`
 * with one argument, and CONFINE_FILTERED unless "none" is asked for. Under bubblewrap nothing can be written but a small /tmp, there is no network,
 * and no other process is seen. Of the environment only the simulator's settings are left. Returns
 * only when the program cannot be executed; errno says why. */
void confine_and_execute(const char *program, const char *argument);

/* What a process with a student's code may ask the system for: the table in filter.c. */

/* A process that starts, and its loader; then with the student's code at work in it; and a rank of
 * MPI, once MPI_Init has returned. */
enum filter_list { FILTER_START, FILTER_KERNEL, FILTER_RANK };

/* A descriptor from which the filter can be read, for bubblewrap; -1 when this machine has none. */
int filter_open(enum filter_list list);
/* Filters what this process asks from here on, and what it executes. A second list narrows the
 * first. Returns false where this machine cannot. */
bool filter_install(enum filter_list list);
/* Who asks for something else is ended by SIGSYS. This has `told` hear of it before: the number of
 * the call, and the place in the student's code from which it came, or "?". To be called before the
 * list that keeps it from being undone is installed. */
void filter_tell(void (*on_call)(int call, const char *place));
/* The name of a call of this machine, "call 999" without one. Not to be freed. */
const char *filter_name(int call);

#endif
