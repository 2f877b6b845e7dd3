/* mpi_calls.h - what this rank asks of MPI: reductions, and where it waits. */
#ifndef MPI_CALLS_H
#define MPI_CALLS_H

#include "many_run.h"

/* A call that fails ends the program with one line, unless it says otherwise itself. */
void mpi_calls_report(void);
/* From here on reductions are noted, of several ranks and on the first of them. */
void mpi_calls_begin(void);
/* Adds them to those that are in `seen`. */
void mpi_calls_end(struct many_seen *seen);

#endif
