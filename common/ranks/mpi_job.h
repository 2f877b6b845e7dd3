/* mpi_job.h - a job of ranks: what starts it, what it leaves, how it ends. */
#ifndef MPI_JOB_H
#define MPI_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control.h"
#include "many_run.h"

/* Whether ranks wait for what does not come. */

struct stuck {
    uint64_t steps; /* of all ranks, when they were last seen to do something */
    double since;   /* seconds */
};

/* Looks at the ranks that work on a case, at a time in seconds. Returns what holds them, "did not return on
 * rank 0: ...", or NULL: they may go on. Where all that have not returned wait in MPI, that is certain after
 * a second and a half, otherwise after half a minute. */
const char *stuck_look(struct stuck *stuck, const struct control *control, unsigned int number,
                       double now);

/* Where Open MPI is told in which folder the memory lies that ranks share. */

/* As Open MPI 4 calls it, and Open MPI 5. */
static const char *const backing_settings[] = {"OMPI_MCA_btl_vader_backing_directory",
                                               "OMPI_MCA_btl_sm_backing_directory"};
enum { BACKING_SETTINGS = sizeof backing_settings / sizeof *backing_settings };

/* Starts the ranks of a job, confined. */

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

/* How ranks ended that should not have. */

/* All ranks have begun to wait for cases. */
bool ranks_have_started(const struct control *control);

/* mpirun has ended with a status of waitpid, while its ranks worked on `what`, and the system was short of memory
 * or not: a sentence about the rank that ended first, and how. */
void ending_describe(const struct control *control, const char *folder, const char *what,
                     int status, bool short_of_memory, char *text, size_t size);

/* All reports of the simulator become entries (verdict_log.h), for the ranks cannot tell of them any more. */
void ending_tell_caught(const struct control *control, const char *folder);

/* Ranks under mpirun, that wait for cases: one after the other. */

struct mpi_job;

enum job_state { JOB_BUSY, JOB_ANSWERED, JOB_FAILED };

/* Starts so many ranks, of which `per_node` share a node; 0: all. Fails the test when it cannot. They end with
 * this program, or when they fail. */
struct mpi_job *job_start(unsigned int ranks, unsigned int per_node);
/* The job has room for another case. */
bool job_can_take(const struct mpi_job *job);
/* Gives it a case. It must not be busy. */
void job_ask(struct mpi_job *job, const struct many_case *asked);
/* Looks how far it is, without waiting. Answered: fills in `seen`. Failed: `*reason` says why, with the name of
 * the function and the input, and the job is over. */
enum job_state job_look(struct mpi_job *job, struct many_seen *seen, const char **reason);

#endif
