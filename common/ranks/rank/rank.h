/* rank.h - what the parts of the program of one rank ask of each other. */
#ifndef RANK_H
#define RANK_H

#include <stddef.h>

#include "control.h"
#include "many_run.h"

/* Where this rank is, for the judge to see: ranks/control.h. */

/* This rank's place in the control of the job. */
void position_is(struct control *control, unsigned int rank);

/* Something was done. */
void position_steps(void);
void position_phase(enum rank_phase phase);
/* The program is about to end itself. */
void position_ends(int status);
/* A function of MPI is entered at a place of the program, and left. Only within a call of the student's. */
void position_enters(const char *function, const void *place);
void position_leaves(void);
/* That function, and where it was called: "many.cu:12: MPI_Reduce". */
const char *position_where(void);

/* Machines, played on one: so many ranks are a node. */

/* From here on MPI, the system and the environment tell this rank that it shares its node with `per_node` ranks in
 * all; 0: with all. Call it after MPI_Init. */
void nodes_begin(unsigned int rank, unsigned int ranks, unsigned int per_node);

/* What this rank asks of MPI: reductions, and where it waits. */

/* A call that fails ends the program with one line, unless it says otherwise itself. */
void mpi_calls_report(void);
/* From here on reductions are noted, of several ranks and on the first of them. */
void mpi_calls_begin(void);
/* Adds them to those that are in `seen`. */
void mpi_calls_end(struct many_seen *seen);
/* What this rank has made of MPI's and not given back: communicators; types, groups and operations. */
uint64_t mpi_live_communicators(void);
void mpi_calls_made_communicator(void); /* that no function of mpi_calls.c has made */
uint64_t mpi_live_types(void);

/* Memory that ranks share, for NCCL: parts of a file of the job that was opened before anything of
 * the student's ran, for afterwards a rank can open none.
 *
 * meetings.c has what the simulated NCCL asks for, sim_nccl_share and sim_nccl_forget: a name gets one of the
 * parts, in all ranks the same. */

/* Opens the file. Ends the program when it cannot. */
void meetings_begin(const char *folder, struct control *shared);

#endif
