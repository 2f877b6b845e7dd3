/* confine.h - what a process with a student's code may do: little. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stddef.h>
#include <stdint.h>

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

#endif
