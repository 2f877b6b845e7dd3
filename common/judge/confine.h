/* confine.h - what a process with a student's code may do: little. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stddef.h>
#include <stdint.h>

/* How a process is confined: "bwrap", by bubblewrap, a filter of system calls and limits; "filter", by the last two,
 * where bubblewrap is missing or may not work; or "none", by limits alone. JUDGE_SANDBOX chooses. */
const char *confine_how(void);

/* Writes the words of a command line with which bubblewrap executes a program; the program's own words follow. The
 * disk cannot be written, but for a small /tmp, /dev/shm and the folder `writable`, unless that is NULL. There is no
 * network, no other process is seen, and /proc holds the program alone, as /proc/self/exe, since it may lie below the
 * /tmp that is hidden. Returns how many words there are; behind them is room. */
enum { CONFINE_WORDS = 64 };
size_t confine_words(const char *words[], const char *program, const char *writable);

/* Limits what a new process can use up, and its files to so many bytes. The process ends with its parent, and is the
 * first that the system ends when memory is short. */
void confine_limits(size_t file_bytes);
/* Returns the simulator's settings of the environment, and those that begin with one of `more`, which ends with NULL
 * and may be NULL. They are not to be freed. */
char **confine_settings(const char *const *more);

/* Limits what a new process can use up, and has it execute `program` with one argument, and with CONFINE_FILTERED
 * unless "none" is asked for. Only the simulator's settings are left of the environment. Returns only when the program
 * cannot be executed; errno says why. */
void confine_and_execute(const char *program, const char *argument);

/* How many processes the system has ended so far because memory is short, on this machine, limits of groups
 * (containers) included; 0 where it does not say. A process that is ended by SIGKILL while it rises was one of them. */
uint64_t out_of_memory_ends(void);

#endif
