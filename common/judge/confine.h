/* confine.h - what a process with a student's code may do: little. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stddef.h>
#include <stdint.h>

/* How: "bwrap", under bubblewrap; "filter", where that is missing or may not work, with limits and a
 * filter of system calls; or "none" of both, with limits alone. JUDGE_SANDBOX chooses. */
const char *confine_how(void);

/* The words of a command line with which bubblewrap executes a program, as /proc/self/exe, where the program's own words
 * follow: the disk cannot be written, but for a small /tmp, /dev/shm and the folder `writable`, unless that is NULL;
 * there is no network, no other process is seen, and /proc holds the program alone. It is found there, for it may lie
 * below the /tmp that is hidden. Returns how many words there are; behind them is room. */
enum { CONFINE_WORDS = 64 };
size_t confine_words(const char *words[], const char *program, const char *writable);

/* In a new process: limits what it can use up, and files to so many bytes; it ends with its parent, and is the
 * first to go when memory is short. */
void confine_limits(size_t file_bytes);
/* Of the environment the simulator's settings, and those that begin with one of `more`, which ends with NULL, and may
 * be NULL. Not to be freed. */
char **confine_settings(const char *const *more);

/* In a new process, before it executes anything: limits what it can use up, and executes `program`
 * with one argument, and CONFINE_FILTERED unless "none" is asked for. Of the environment only the simulator's settings are
 * left. Returns only when the program cannot be executed; errno says why. */
void confine_and_execute(const char *program, const char *argument);

/* How many processes the system has ended so far because memory is short, on this machine, limits of groups
 * (containers) included; 0 where it does not say. A process that is ended by SIGKILL while it rises was one of them. */
uint64_t out_of_memory_ends(void);

#endif
