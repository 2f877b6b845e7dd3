/* mpi_job.h - a job of ranks under mpirun: whether it is stuck, and how it has ended. */
#ifndef MPI_JOB_H
#define MPI_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"
#include "many_run.h"

/* The settings that tell Open MPI in which folder the memory lies that ranks share, of its versions 4 and 5. */
static const char *const backing_settings[] = {"OMPI_MCA_btl_vader_backing_directory",
                                               "OMPI_MCA_btl_sm_backing_directory"};
enum { BACKING_SETTINGS = sizeof backing_settings / sizeof *backing_settings };

/* ending.c: whether ranks wait for what does not come, and how ranks ended that should not have. */

struct stuck {
    uint64_t steps; /* of all ranks, when they were last seen to do something */
    double since;   /* seconds */
};

/* Looks at the ranks that work on a case, at a time in seconds. Returns what holds them, "did not return on all ranks:
 * rank 0 ...", or NULL: they may go on. Where all that have not returned wait in MPI, that is certain after a second and
 * a half, otherwise after half a minute. */
const char *stuck_look(struct stuck *stuck, const struct control *control, double now);

/* All ranks have begun to wait for cases. */
bool ranks_have_started(const struct control *control);

/* mpirun has ended with a status of waitpid, while its ranks worked on `what`, and the system was short of memory
 * or not; `said` is the first line that the rank wrote: a sentence about the rank that ended first, and how. */
void ending_describe(const struct control *control, const char *folder, const char *what,
                     const char *said, int status, bool short_of_memory, char *text, size_t size);

#endif
