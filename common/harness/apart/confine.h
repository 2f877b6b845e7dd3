/* confine.h - what a process with a student's code may do: little. */
#ifndef CONFINE_H
#define CONFINE_H

/* In a new process, before it executes anything: limits what it can use up, and executes `program`
 * with one argument, under bubblewrap where that is there and works: nothing can be written but a
 * small /tmp, there is no network, no other process is seen, and of the environment only the
 * simulator's settings are left. Without it, or with JUDGE_SANDBOX=none, the limits and the empty
 * environment remain. Returns only when the program cannot be executed; errno says why. */
void confine_and_execute(const char *program, const char *argument);

#endif
