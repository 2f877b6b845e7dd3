/* mpi_calls.c - what this rank asks of MPI: by its profiling interface, functions of MPI's names that call
 * those with a P. */

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "sim.h"

static bool is_noted;
static size_t count;
static struct many_collective
    noted[sizeof((struct many_seen *)0)->collective / sizeof(struct many_collective)];

static struct {
    uint64_t communicators, types;
} live; /* made, and not freed */

uint64_t mpi_live_communicators(void)
{
    return live.communicators;
}

void mpi_calls_made_communicator(void)
{
    live.communicators++;
}

uint64_t mpi_live_types(void)
{
    return live.types;
}

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

static int members_of(MPI_Comm comm)
{
    int members = 0;
    PMPI_Comm_size(comm, &members);
    return members;
}

static bool is_root(int root, MPI_Comm comm)
{
    int rank = -1;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

static void note(const char *name, int elements, MPI_Datatype type, MPI_Comm comm)
{
    const int members = members_of(comm);
    int size = 0;
    PMPI_Type_size(type, &size);
    if (!is_noted || members < 2 || !is_root(0, comm))
        return;
    if (count < sizeof noted / sizeof *noted) {
        noted[count] = (struct many_collective){.members = (unsigned int)members,
                                                .elements = (uint64_t)elements,
                                                .bytes = (uint64_t)elements * (uint64_t)size};
        snprintf(noted[count].name, sizeof noted[count].name, "%s", name);
    }
    count++;
}

/* MPI reads or writes memory for the student's code, which called it at `at`. A type with gaps is not looked
 * at. */
static void touches(const void *memory, int elements, MPI_Datatype type, const void *at,
                    bool writes)
{
    MPI_Aint begin, extent;
    int size;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &begin, &extent);
    if (memory != MPI_IN_PLACE && elements > 0 && size == extent)
        sim_library_touches(memory, (size_t)elements * (size_t)size, at, writes);
}

/* Functions that call those with a P; so long this rank is in them. `touched` is what they read and write. */
#define CALL(function, touched, ...)                                                               \
    const void *const at = __builtin_return_address(0);                                            \
    position_enters("MPI_" #function, at);                                                         \
    touched;                                                                                       \
    const int result = PMPI_##function(__VA_ARGS__);                                               \
    position_leaves();
#define WATCHED(function, parameters, touched, ...)                                                \
    int MPI_##function parameters                                                                  \
    {                                                                                              \
        CALL(function, touched, __VA_ARGS__)                                                       \
        return result;                                                                             \
    }
/* Reductions of `elements` of a `type` among the ranks of `comm`, and what else may bring bins. */
#define NOTED(function, parameters, touched, ...)                                                  \
    int MPI_##function parameters                                                                  \
    {                                                                                              \
        CALL(function, touched, __VA_ARGS__)                                                       \
        if (result == MPI_SUCCESS)                                                                 \
            note("MPI_" #function, elements, type, comm);                                          \
        return result;                                                                             \
    }

/* Those that make one of what is counted in `kind`, where `is_made`, or free one. */
#define MAKES(function, parameters, kind, is_made, ...)                                            \
    int MPI_##function parameters                                                                  \
    {                                                                                              \
        CALL(function, NOTHING, __VA_ARGS__)                                                       \
        live.kind += result == MPI_SUCCESS && (is_made);                                           \
        return result;                                                                             \
    }
#define FREES(function, parameters, kind, ...)                                                     \
    int MPI_##function parameters                                                                  \
    {                                                                                              \
        CALL(function, NOTHING, __VA_ARGS__)                                                       \
        live.kind -= result == MPI_SUCCESS && live.kind > 0;                                       \
        return result;                                                                             \
    }

/* Parameters that several of them have, and their names. */
#define MOVED const void *send, void *receive, int elements, MPI_Datatype type, MPI_Op operation
#define ALL_MOVED send, receive, elements, type, operation
#define SENT const void *send, int elements, MPI_Datatype type
#define ALL_SENT send, elements, type
#define GOT void *receive, int received, MPI_Datatype received_type
#define ALL_GOT receive, received, received_type

/* What they touch: of what a root alone gets, or has, the others' pointers mean nothing. */
#define NOTHING (void)at
#define READS touches(send, elements, type, at, false)
#define REDUCES (READS, touches(receive, elements, type, at, true))
#define REDUCES_TO_ROOT                                                                            \
    (READS, is_root(root, comm) ? touches(receive, elements, type, at, true) : NOTHING)
#define WRITES(of_each) touches(receive, received *(of_each), received_type, at, true)

NOTED(Reduce, (MOVED, int root, MPI_Comm comm), REDUCES_TO_ROOT, ALL_MOVED, root, comm)
NOTED(Allreduce, (MOVED, MPI_Comm comm), REDUCES, ALL_MOVED, comm)
NOTED(Reduce_scatter_block, (MOVED, MPI_Comm comm), NOTHING, ALL_MOVED, comm)
NOTED(Ireduce, (MOVED, int root, MPI_Comm comm, MPI_Request *request), REDUCES_TO_ROOT, ALL_MOVED,
      root, comm, request)
NOTED(Iallreduce, (MOVED, MPI_Comm comm, MPI_Request *request), REDUCES, ALL_MOVED, comm, request)
WATCHED(Scan, (MOVED, MPI_Comm comm), REDUCES, ALL_MOVED, comm)
WATCHED(Exscan, (MOVED, MPI_Comm comm), REDUCES, ALL_MOVED, comm)
WATCHED(Barrier, (MPI_Comm comm), NOTHING, comm)
WATCHED(Bcast, (void *memory, int elements, MPI_Datatype type, int root, MPI_Comm comm),
        touches(memory, elements, type, at, !is_root(root, comm)), memory, elements, type, root,
        comm)
NOTED(Gather, (SENT, GOT, int root, MPI_Comm comm),
      (READS, is_root(root, comm) ? WRITES(members_of(comm)) : NOTHING), ALL_SENT, ALL_GOT, root,
      comm)
NOTED(Allgather, (SENT, GOT, MPI_Comm comm), (READS, WRITES(members_of(comm))), ALL_SENT, ALL_GOT,
      comm)
WATCHED(Scatter, (SENT, GOT, int root, MPI_Comm comm),
        (is_root(root, comm) ? touches(send, elements *members_of(comm), type, at, false) : NOTHING,
         WRITES(1)),
        ALL_SENT, ALL_GOT, root, comm)
NOTED(Alltoall, (SENT, GOT, MPI_Comm comm),
      (touches(send, elements *members_of(comm), type, at, false), WRITES(members_of(comm))),
      ALL_SENT, ALL_GOT, comm)
WATCHED(Send, (SENT, int to, int tag, MPI_Comm comm), READS, ALL_SENT, to, tag, comm)
WATCHED(Ssend, (SENT, int to, int tag, MPI_Comm comm), READS, ALL_SENT, to, tag, comm)
NOTED(Recv,
      (void *receive, int elements, MPI_Datatype type, int from, int tag, MPI_Comm comm,
       MPI_Status *status),
      touches(receive, elements, type, at, true), receive, elements, type, from, tag, comm, status)
NOTED(Sendrecv,
      (SENT, int to, int tag, GOT, int from, int received_tag, MPI_Comm comm, MPI_Status *status),
      (READS, WRITES(1)), ALL_SENT, to, tag, ALL_GOT, from, received_tag, comm, status)
WATCHED(Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), NOTHING, from, tag, comm,
        status)
WATCHED(Wait, (MPI_Request * request, MPI_Status *status), NOTHING, request, status)
WATCHED(Waitall, (int requests, MPI_Request *request, MPI_Status *statuses), NOTHING, requests,
        request, statuses)
WATCHED(Waitany, (int requests, MPI_Request *request, int *which, MPI_Status *status), NOTHING,
        requests, request, which, status)
MAKES(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), communicators,
      *made != MPI_COMM_NULL, comm, color, key, made)
MAKES(Comm_dup, (MPI_Comm comm, MPI_Comm *made), communicators, true, comm, made)
MAKES(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), communicators,
      *made != MPI_COMM_NULL, comm, group, made)
FREES(Comm_free, (MPI_Comm * comm), communicators, comm)
FREES(Comm_disconnect, (MPI_Comm * comm), communicators, comm)
MAKES(Type_contiguous, (int elements, MPI_Datatype type, MPI_Datatype *made), types, true, elements,
      type, made)
MAKES(Type_vector, (int elements, int length, int stride, MPI_Datatype type, MPI_Datatype *made),
      types, true, elements, length, stride, type, made)
MAKES(Type_create_struct,
      (int elements, const int lengths[], const MPI_Aint offsets[], const MPI_Datatype all[],
       MPI_Datatype *made),
      types, true, elements, lengths, offsets, all, made)
MAKES(Type_create_resized, (MPI_Datatype type, MPI_Aint begin, MPI_Aint extent, MPI_Datatype *made),
      types, true, type, begin, extent, made)
MAKES(Type_dup, (MPI_Datatype type, MPI_Datatype *made), types, true, type, made)
FREES(Type_free, (MPI_Datatype * type), types, type)
MAKES(Comm_group, (MPI_Comm comm, MPI_Group *made), types, true, comm, made)
MAKES(Group_incl, (MPI_Group group, int elements, const int ranks[], MPI_Group *made), types, true,
      group, elements, ranks, made)
FREES(Group_free, (MPI_Group * group), types, group)
MAKES(Op_create, (MPI_User_function * function, int commutes, MPI_Op *made), types, true, function,
      commutes, made)
FREES(Op_free, (MPI_Op * operation), types, operation)
WATCHED(File_close, (MPI_File * file), NOTHING, file)

int MPI_Abort(MPI_Comm comm, int status)
{
    position_ends(status);
    return PMPI_Abort(comm, status);
}
