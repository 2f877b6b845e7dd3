/* launch.h - starts the ranks of a job, confined. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/* What mpirun prints, in the job's folder. */
#define LAUNCHED_FILE "mpirun"

/* Starts mpirun with so many ranks of the program, each of which finds so many devices. Only the folder, which is
 * the program's argument, can be written to, and there is no network, where bubblewrap works; elsewhere there
 * are limits. Returns the process to wait for, and to end; -1: there is none, errno says why. */
pid_t launch_ranks(const char *program, const char *folder, unsigned int ranks,
                   unsigned int devices);
/* Ends it, with all ranks, and waits for that. Idle ranks, which wait for a case and have been told that there
 * is none, get half a second to go by themselves. */
void launch_end(pid_t process, bool idle);

#endif
