/* mpi_calls.c - what this rank asks of MPI: by its profiling interface, functions of MPI's names that call
 * those with a P. */

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"

static bool is_noted;
static size_t count;
static struct many_collective
    noted[sizeof((struct many_seen *)0)->collective / sizeof(struct many_collective)];

static void report(MPI_Comm *comm, int *error, ...)
{
    char words[MPI_MAX_ERROR_STRING];
    int length = 0;
    (void)comm;
    PMPI_Error_string(*error, words, &length);
    fprintf(stderr, "%s: %s\n", position_where(), words);
    exit(1);
}

void mpi_calls_report(void)
{
    MPI_Errhandler handler;
    PMPI_Comm_create_errhandler(report, &handler);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
}

void mpi_calls_begin(void)
{
    count = 0;
    is_noted = true;
}

void mpi_calls_end(struct many_seen *seen)
{
    enum { PLACES = sizeof noted / sizeof *noted };
    is_noted = false;
    for (size_t i = 0; i < count && i < PLACES && seen->collectives + i < PLACES; i++)
        seen->collective[seen->collectives + i] = noted[i];
    seen->collectives += count;
}

static void note(const char *name, int elements, MPI_Datatype type, MPI_Comm comm)
{
    int members = 0, rank = -1, size = 0;
    PMPI_Comm_size(comm, &members);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Type_size(type, &size);
    if (!is_noted || members < 2 || rank != 0)
        return;
    if (count < sizeof noted / sizeof *noted) {
        noted[count] = (struct many_collective){.members = (unsigned int)members,
                                                .elements = (uint64_t)elements,
                                                .bytes = (uint64_t)elements * (uint64_t)size};
        snprintf(noted[count].name, sizeof noted[count].name, "%s", name);
    }
    count++;
}

/* Functions that call those with a P; so long this rank is in them. */
#define CALL(function, ...)                                                                        \
    position_enters("MPI_" #function, __builtin_return_address(0));                                \
    const int result = PMPI_##function(__VA_ARGS__);                                               \
    position_leaves();
#define WATCHED(function, parameters, ...)                                                         \
    int MPI_##function parameters                                                                  \
    {                                                                                              \
        CALL(function, __VA_ARGS__)                                                                \
        return result;                                                                             \
    }
/* Reductions of `elements` of a `type` among the ranks of `comm`, and what else may bring bins. */
#define NOTED(function, parameters, ...)                                                           \
    int MPI_##function parameters                                                                  \
    {                                                                                              \
        CALL(function, __VA_ARGS__)                                                                \
        if (result == MPI_SUCCESS)                                                                 \
            note("MPI_" #function, elements, type, comm);                                          \
        return result;                                                                             \
    }

/* Parameters that several of them have, and their names. */
#define MOVED const void *send, void *receive, int elements, MPI_Datatype type, MPI_Op operation
#define ALL_MOVED send, receive, elements, type, operation
#define SENT const void *send, int elements, MPI_Datatype type
#define ALL_SENT send, elements, type
#define GOT void *receive, int received, MPI_Datatype received_type
#define ALL_GOT receive, received, received_type

NOTED(Reduce, (MOVED, int root, MPI_Comm comm), ALL_MOVED, root, comm)
NOTED(Allreduce, (MOVED, MPI_Comm comm), ALL_MOVED, comm)
NOTED(Reduce_scatter_block, (MOVED, MPI_Comm comm), ALL_MOVED, comm)
NOTED(Ireduce, (MOVED, int root, MPI_Comm comm, MPI_Request *request), ALL_MOVED, root, comm,
      request)
NOTED(Iallreduce, (MOVED, MPI_Comm comm, MPI_Request *request), ALL_MOVED, comm, request)
WATCHED(Scan, (MOVED, MPI_Comm comm), ALL_MOVED, comm)
WATCHED(Exscan, (MOVED, MPI_Comm comm), ALL_MOVED, comm)
WATCHED(Barrier, (MPI_Comm comm), comm)
WATCHED(Bcast, (void *memory, int elements, MPI_Datatype type, int root, MPI_Comm comm), memory,
        elements, type, root, comm)
NOTED(Gather, (SENT, GOT, int root, MPI_Comm comm), ALL_SENT, ALL_GOT, root, comm)
NOTED(Allgather, (SENT, GOT, MPI_Comm comm), ALL_SENT, ALL_GOT, comm)
WATCHED(Scatter, (SENT, GOT, int root, MPI_Comm comm), ALL_SENT, ALL_GOT, root, comm)
NOTED(Alltoall, (SENT, GOT, MPI_Comm comm), ALL_SENT, ALL_GOT, comm)
WATCHED(Send, (SENT, int to, int tag, MPI_Comm comm), ALL_SENT, to, tag, comm)
WATCHED(Ssend, (SENT, int to, int tag, MPI_Comm comm), ALL_SENT, to, tag, comm)
NOTED(Recv,
      (void *receive, int elements, MPI_Datatype type, int from, int tag, MPI_Comm comm,
       MPI_Status *status),
      receive, elements, type, from, tag, comm, status)
NOTED(Sendrecv,
      (SENT, int to, int tag, GOT, int from, int received_tag, MPI_Comm comm, MPI_Status *status),
      ALL_SENT, to, tag, ALL_GOT, from, received_tag, comm, status)
WATCHED(Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), from, tag, comm, status)
WATCHED(Wait, (MPI_Request * request, MPI_Status *status), request, status)
WATCHED(Waitall, (int requests, MPI_Request *request, MPI_Status *statuses), requests, request,
        statuses)
WATCHED(Waitany, (int requests, MPI_Request *request, int *which, MPI_Status *status), requests,
        request, which, status)
WATCHED(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), comm, color, key, made)
WATCHED(Comm_dup, (MPI_Comm comm, MPI_Comm *made), comm, made)
WATCHED(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), comm, group, made)
WATCHED(Comm_free, (MPI_Comm * comm), comm)
WATCHED(File_close, (MPI_File * file), file)

int MPI_Abort(MPI_Comm comm, int status)
{
    position_ends(status);
    return PMPI_Abort(comm, status);
}
