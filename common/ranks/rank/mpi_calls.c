/* mpi_calls.c - what this rank asks of MPI: by its profiling interface, functions of MPI's names that call
 * those with a P. And the nodes on which ranks are, played on one machine. */
#define _GNU_SOURCE

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "rank.h"
#include "sim.h"
#include "text_watch.h"

static uint64_t live_communicators; /* made, and not freed */
static char name_of_node[32];       /* "" before it begins */
static int node;

void nodes_begin(unsigned int rank, unsigned int ranks, unsigned int per_node)
{
    node = (int)(rank / (per_node ? per_node : ranks));
    snprintf(name_of_node, sizeof name_of_node, "node%d", node);
    sim_set_host((unsigned int)node);
}

uint64_t mpi_live_communicators(void)
{
    return live_communicators;
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

/* Several ranks have brought together `elements` of a type, which the first of them notes. */
static void note_rank(const char *name, int elements, MPI_Datatype type, MPI_Comm comm)
{
    const int members = members_of(comm);
    int size = 0;
    PMPI_Type_size(type, &size);
    if (members > 1 && is_root(0, comm))
        text_watch_reduces(&(struct sim_collective_seen){.name = name,
                                                         .devices = (unsigned int)members,
                                                         .elements = (size_t)elements,
                                                         .bytes = (size_t)elements * (size_t)size},
                           NULL);
}

/* MPI reads or writes memory for the student's code, which called it at `at`. A type with gaps is not looked
 * at. */
static void note_touch(const void *memory, int elements, MPI_Datatype type, const void *at,
                       bool writes)
{
    MPI_Aint begin, extent;
    int size;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &begin, &extent);
    if (memory != MPI_IN_PLACE && elements > 0 && size == extent)
        sim_library_touches(memory, (size_t)elements * (size_t)size, at, writes);
}

/* Functions that call those with a P; meanwhile this rank is in them. `touched` is what they read and write, and
 * `then` is done when they have succeeded. Others of MPI are not known here: who waits in them is at work. */
#define WATCHED(function, parameters, touched, then, ...)                                          \
    int MPI_##function parameters                                                                  \
    {                                                                                              \
        const void *const at = __builtin_return_address(0);                                        \
        position_enters("MPI_" #function, at);                                                     \
        touched;                                                                                   \
        const int result = PMPI_##function(__VA_ARGS__);                                           \
        position_leaves();                                                                         \
        if (result == MPI_SUCCESS)                                                                 \
            then;                                                                                  \
        return result;                                                                             \
    }

/* What they touch: of what a root alone gets, or has, the others' pointers mean nothing. */
#define NOTHING (void)at
#define READS note_touch(send, elements, type, at, false)
#define REDUCES (READS, note_touch(receive, elements, type, at, true))
#define REDUCES_TO_ROOT                                                                            \
    (READS, is_root(root, comm) ? note_touch(receive, elements, type, at, true) : NOTHING)
#define GATHERS (READS, note_touch(receive, received * members_of(comm), received_type, at, true))
#define GATHERS_TO_ROOT (is_root(root, comm) ? GATHERS : READS)

/* What they are noted for: `elements` of a `type` may be bins that the ranks of `comm` bring together. */
#define NOTED(function) note_rank("MPI_" #function, elements, type, comm)
#define MADE live_communicators += *made != MPI_COMM_NULL
#define FREED live_communicators -= live_communicators > 0

/* Parameters that several of them have, and their names. */
#define MOVED const void *send, void *receive, int elements, MPI_Datatype type, MPI_Op operation
#define ALL_MOVED send, receive, elements, type, operation
#define SENT const void *send, int elements, MPI_Datatype type
#define ALL_SENT send, elements, type
#define GOT void *receive, int received, MPI_Datatype received_type
#define ALL_GOT receive, received, received_type

WATCHED(Reduce, (MOVED, int root, MPI_Comm comm), REDUCES_TO_ROOT, NOTED(Reduce), ALL_MOVED, root,
        comm)
WATCHED(Allreduce, (MOVED, MPI_Comm comm), REDUCES, NOTED(Allreduce), ALL_MOVED, comm)
WATCHED(Ireduce, (MOVED, int root, MPI_Comm comm, MPI_Request *request), REDUCES_TO_ROOT,
        NOTED(Ireduce), ALL_MOVED, root, comm, request)
WATCHED(Gather, (SENT, GOT, int root, MPI_Comm comm), GATHERS_TO_ROOT, NOTED(Gather), ALL_SENT,
        ALL_GOT, root, comm)
WATCHED(Allgather, (SENT, GOT, MPI_Comm comm), GATHERS, NOTED(Allgather), ALL_SENT, ALL_GOT, comm)
WATCHED(Bcast, (void *memory, int elements, MPI_Datatype type, int root, MPI_Comm comm),
        note_touch(memory, elements, type, at, !is_root(root, comm)), NOTHING, memory, elements,
        type, root, comm)
WATCHED(Barrier, (MPI_Comm comm), NOTHING, NOTHING, comm)
WATCHED(Send, (SENT, int to, int tag, MPI_Comm comm), READS, NOTHING, ALL_SENT, to, tag, comm)
WATCHED(Recv,
        (void *receive, int elements, MPI_Datatype type, int from, int tag, MPI_Comm comm,
         MPI_Status *status),
        note_touch(receive, elements, type, at, true), NOTED(Recv), receive, elements, type, from,
        tag, comm, status)
WATCHED(Wait, (MPI_Request * request, MPI_Status *status), NOTHING, NOTHING, request, status)
WATCHED(Waitall, (int requests, MPI_Request *request, MPI_Status *statuses), NOTHING, NOTHING,
        requests, request, statuses)
WATCHED(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), NOTHING, MADE, comm, color,
        key, made)
WATCHED(Comm_dup, (MPI_Comm comm, MPI_Comm *made), NOTHING, MADE, comm, made)
WATCHED(Comm_free, (MPI_Comm * comm), NOTHING, FREED, comm)

/* Ranks share memory with those of their node alone. */
static int split_by_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
    return type == MPI_COMM_TYPE_SHARED ? PMPI_Comm_split(comm, node, key, made)
                                        : PMPI_Comm_split_type(comm, type, key, info, made);
}
#define PMPI_Comm_split_type split_by_type
WATCHED(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made), NOTHING,
        MADE, comm, type, key, info, made)

int MPI_Get_processor_name(char *text, int *length)
{
    if (!name_of_node[0])
        return PMPI_Get_processor_name(text, length);
    *length = snprintf(text, MPI_MAX_PROCESSOR_NAME, "%s", name_of_node);
    return MPI_SUCCESS;
}

int gethostname(char *text, size_t size)
{
    struct utsname machine;
    uname(&machine);
    snprintf(text, size, "%s", name_of_node[0] ? name_of_node : machine.nodename);
    return 0;
}

int MPI_Abort(MPI_Comm comm, int status)
{
    position_ends(RANK_EXITED, status, "");
    return PMPI_Abort(comm, status);
}
