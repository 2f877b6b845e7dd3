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

/* Calls the function itself; so long this rank is in it. */
#define CALL(function, ...)                                                                        \
    ({                                                                                             \
        position_enters("MPI_" #function, __builtin_return_address(0));                            \
        int result_ = PMPI_##function(__VA_ARGS__);                                                \
        position_leaves();                                                                         \
        result_;                                                                                   \
    })
#define CALL_NOTED(function, elements, type, comm, ...)                                            \
    ({                                                                                             \
        int called_ = CALL(function, __VA_ARGS__);                                                 \
        if (called_ == MPI_SUCCESS)                                                                \
            note("MPI_" #function, elements, type, comm);                                          \
        called_;                                                                                   \
    })

int MPI_Reduce(const void *send, void *receive, int elements, MPI_Datatype type, MPI_Op operation,
               int root, MPI_Comm comm)
{
    return CALL_NOTED(Reduce, elements, type, comm, send, receive, elements, type, operation, root,
                      comm);
}

int MPI_Allreduce(const void *send, void *receive, int elements, MPI_Datatype type,
                  MPI_Op operation, MPI_Comm comm)
{
    return CALL_NOTED(Allreduce, elements, type, comm, send, receive, elements, type, operation,
                      comm);
}

int MPI_Reduce_scatter_block(const void *send, void *receive, int elements, MPI_Datatype type,
                             MPI_Op operation, MPI_Comm comm)
{
    return CALL_NOTED(Reduce_scatter_block, elements, type, comm, send, receive, elements, type,
                      operation, comm);
}

int MPI_Ireduce(const void *send, void *receive, int elements, MPI_Datatype type, MPI_Op operation,
                int root, MPI_Comm comm, MPI_Request *request)
{
    return CALL_NOTED(Ireduce, elements, type, comm, send, receive, elements, type, operation, root,
                      comm, request);
}

int MPI_Iallreduce(const void *send, void *receive, int elements, MPI_Datatype type,
                   MPI_Op operation, MPI_Comm comm, MPI_Request *request)
{
    return CALL_NOTED(Iallreduce, elements, type, comm, send, receive, elements, type, operation,
                      comm, request);
}

int MPI_Scan(const void *send, void *receive, int elements, MPI_Datatype type, MPI_Op operation,
             MPI_Comm comm)
{
    return CALL(Scan, send, receive, elements, type, operation, comm);
}

int MPI_Exscan(const void *send, void *receive, int elements, MPI_Datatype type, MPI_Op operation,
               MPI_Comm comm)
{
    return CALL(Exscan, send, receive, elements, type, operation, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    return CALL(Barrier, comm);
}

int MPI_Bcast(void *memory, int elements, MPI_Datatype type, int root, MPI_Comm comm)
{
    return CALL(Bcast, memory, elements, type, root, comm);
}

int MPI_Gather(const void *send, int elements, MPI_Datatype type, void *receive, int received,
               MPI_Datatype received_type, int root, MPI_Comm comm)
{
    return CALL_NOTED(Gather, elements, type, comm, send, elements, type, receive, received,
                      received_type, root, comm);
}

int MPI_Allgather(const void *send, int elements, MPI_Datatype type, void *receive, int received,
                  MPI_Datatype received_type, MPI_Comm comm)
{
    return CALL_NOTED(Allgather, elements, type, comm, send, elements, type, receive, received,
                      received_type, comm);
}

int MPI_Scatter(const void *send, int elements, MPI_Datatype type, void *receive, int received,
                MPI_Datatype received_type, int root, MPI_Comm comm)
{
    return CALL(Scatter, send, elements, type, receive, received, received_type, root, comm);
}

int MPI_Alltoall(const void *send, int elements, MPI_Datatype type, void *receive, int received,
                 MPI_Datatype received_type, MPI_Comm comm)
{
    return CALL_NOTED(Alltoall, elements, type, comm, send, elements, type, receive, received,
                      received_type, comm);
}

int MPI_Send(const void *send, int elements, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return CALL(Send, send, elements, type, to, tag, comm);
}

int MPI_Ssend(const void *send, int elements, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return CALL(Ssend, send, elements, type, to, tag, comm);
}

int MPI_Recv(void *receive, int elements, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    return CALL_NOTED(Recv, elements, type, comm, receive, elements, type, from, tag, comm, status);
}

int MPI_Sendrecv(const void *send, int elements, MPI_Datatype type, int to, int tag, void *receive,
                 int received, MPI_Datatype received_type, int from, int received_tag,
                 MPI_Comm comm, MPI_Status *status)
{
    return CALL_NOTED(Sendrecv, received, received_type, comm, send, elements, type, to, tag,
                      receive, received, received_type, from, received_tag, comm, status);
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    return CALL(Probe, from, tag, comm, status);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    return CALL(Wait, request, status);
}

int MPI_Waitall(int requests, MPI_Request *request, MPI_Status *statuses)
{
    return CALL(Waitall, requests, request, statuses);
}

int MPI_Waitany(int requests, MPI_Request *request, int *which, MPI_Status *status)
{
    return CALL(Waitany, requests, request, which, status);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    return CALL(Comm_split, comm, color, key, made);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    return CALL(Comm_dup, comm, made);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    return CALL(Comm_create, comm, group, made);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    return CALL(Comm_free, comm);
}

int MPI_File_close(MPI_File *file)
{
    return CALL(File_close, file);
}

int MPI_Abort(MPI_Comm comm, int status)
{
    position_ends(status);
    return PMPI_Abort(comm, status);
}
