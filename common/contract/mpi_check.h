/* mpi_check.h - what a chapter on several machines does when a call of MPI fails: it says so, and all ranks
 * end. */
#ifndef MPI_CHECK_H
#define MPI_CHECK_H

#include <mpi.h>
#include <stdio.h>

/* CHECK_MPI(MPI_Bcast(...)) makes the call, once. When it returns an error, one line on standard error says
 * where, as with CHECK of cuda_check.h, and the programs of all ranks end with status 1. By default MPI
 * ends them before the call returns; this is for programs that have chosen MPI_ERRORS_RETURN. */
#define CHECK_MPI(call)                                                                            \
    do {                                                                                           \
        const int error = (call);                                                                  \
        if (error != MPI_SUCCESS) {                                                                \
            char words[MPI_MAX_ERROR_STRING] = "";                                                 \
            int used = 0;                                                                          \
            MPI_Error_string(error, words, &used);                                                 \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, words);                  \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

#endif
