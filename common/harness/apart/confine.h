/* confine.h - what a process with a student's code may do: little. */
#ifndef CONFINE_H
#define CONFINE_H

/* How: "bwrap", under bubblewrap; "filter", where that is missing or may not work, with limits and a
 * filter of system calls; or "none" of both, with limits alone. JUDGE_SANDBOX chooses. */
const char *confine_how(void);

/* In a new process, before it executes anything: limits what it can use up, and executes `program`
 * with one argument. Under bubblewrap nothing can be written but a small /tmp, there is no network,
 * and no other process is seen. Of the environment only the simulator's settings are left. Returns
 * only when the program cannot be executed; errno says why. */
void confine_and_execute(const char *program, const char *argument);

#endif
