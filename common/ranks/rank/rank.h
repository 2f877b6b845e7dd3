/* rank.h - what the parts of the program of one rank ask of each other. */
#ifndef RANK_H
#define RANK_H

#include <stddef.h>

#include "control.h"
#include "many_run.h"

/* position.c: where this rank is, for the judge to see. */

/* This rank's place in the control of the job. Before it the others do nothing. */
void position_is(struct control *control, unsigned int rank);
/* Something was done. */
void position_steps(void);
void position_phase(enum rank_phase phase);
/* The program is about to end itself, or to be ended: with an exit status, or for a call of the system. */
void position_ends(enum rank_end how, int number, const char *place);
/* A function of MPI is entered at a place of the program, and left. Only a call of the student's function counts. */
void position_enters(const char *function, const void *place);
void position_leaves(void);
/* That function, and where it was called: "many.cu:12: MPI_Reduce". */
const char *position_where(void);

/* mpi_calls.c: what this rank asks of MPI. text_watch hears of reductions. */

/* A call that fails ends the program with one line, unless it says otherwise itself. */
void mpi_calls_report(void);
/* The communicators of MPI that this rank has made and not given back. */
uint64_t mpi_live_communicators(void);
/* From here on MPI and the system tell this rank that it shares its node with `per_node` ranks in all; 0: with all. Call it
 * after MPI_Init. */
void nodes_begin(unsigned int rank, unsigned int ranks, unsigned int per_node);

/* meetings.c: memory that ranks share, for NCCL. Opens the file of the job whose parts it gives to sim_nccl_share, before
 * anything of the student's runs, for afterwards a rank can open none. Ends the program when it cannot. */
void meetings_begin(const char *folder, struct control *shared);

#endif
