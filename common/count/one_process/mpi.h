/* mpi.h - what build/count and its kernel ask of MPI, for the one process that there is without MPI.
 *
 * Whatever is summed, sent to all or waited for is there already: a collective copies what it is given. Each
 * function returns MPI_SUCCESS; MPI_Init ends a program that a launcher has started in several processes. */
#ifndef ONE_PROCESS_MPI_H
#define ONE_PROCESS_MPI_H
#pragma GCC system_header /* what one process has no use for is no news to whoever includes it */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Info, MPI_Request, MPI_Status;
typedef void *MPI_Win;
typedef ptrdiff_t MPI_Aint;

#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
enum {
    MPI_SUCCESS = 0,
    MPI_UNDEFINED = -32766,
    MPI_MAX_ERROR_STRING = 256,
    MPI_MAX_PROCESSOR_NAME = 256,
    MPI_COMM_NULL = 0,
    MPI_COMM_WORLD = 1,
    MPI_COMM_TYPE_SHARED = 0,
    MPI_INFO_NULL = 0
};
enum { MPI_SUM, MPI_MIN, MPI_MAX, MPI_MAXLOC };
/* A type is its size in bytes. */
enum {
    MPI_BYTE = 1,
    MPI_CHAR = 1,
    MPI_INT = sizeof(int),
    MPI_2INT = 2 * sizeof(int),
    MPI_UNSIGNED_LONG_LONG = sizeof(unsigned long long)
};

static inline int MPI_Init(int *count, char ***arguments)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (int i = 0; i < 2; i++) {
        const char *size = getenv(sizes[i]);
        if (size && atoi(size) > 1) {
            fprintf(stderr,
                    "built without MPI, this program is one process: make count builds it anew\n");
            exit(1);
        }
    }
    return MPI_SUCCESS;
}

static inline int MPI_Finalize(void)
{
    return MPI_SUCCESS;
}

static inline int MPI_Abort(MPI_Comm comm, int status)
{
    exit(status);
}

static inline int MPI_Error_string(int error, char *words, int *length)
{
    *length = sprintf(words, "error %d", error);
    return MPI_SUCCESS;
}

static inline double MPI_Wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int MPI_Get_processor_name(char *name, int *length)
{
    name[0] = '\0';
    gethostname(name, MPI_MAX_PROCESSOR_NAME);
    name[MPI_MAX_PROCESSOR_NAME - 1] = '\0';
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

static inline int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    *rank = 0;
    return MPI_SUCCESS;
}

static inline int MPI_Comm_size(MPI_Comm comm, int *size)
{
    *size = 1;
    return MPI_SUCCESS;
}

static inline int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    *part = color == MPI_UNDEFINED ? (MPI_Comm)MPI_COMM_NULL : comm;
    return MPI_SUCCESS;
}

static inline int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                                      MPI_Comm *part)
{
    return MPI_Comm_split(comm, type, key, part);
}

static inline int MPI_Comm_free(MPI_Comm *comm)
{
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

static inline int MPI_Barrier(MPI_Comm comm)
{
    return MPI_SUCCESS;
}

static inline int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    *request = 0;
    return MPI_Barrier(comm);
}

static inline int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    *done = 1;
    return MPI_SUCCESS;
}

static inline int MPI_Bcast(void *values, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return MPI_Barrier(comm);
}

static inline int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type,
                                MPI_Op operation, MPI_Comm comm)
{
    if (from != MPI_IN_PLACE && count > 0)
        memcpy(to, from, (size_t)count * (size_t)type);
    return MPI_Barrier(comm);
}

static inline int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type,
                             MPI_Op operation, int root, MPI_Comm comm)
{
    return MPI_Allreduce(from, to, count, type, operation, comm);
}

static inline int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to,
                                int received, MPI_Datatype received_type, MPI_Comm comm)
{
    return MPI_Allreduce(from, to, count, type, MPI_SUM, comm);
}

/* Memory that all processes of a machine share is that of this one; its address is the window. */
static inline int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                                          void *address, MPI_Win *window)
{
    *window = calloc(1, (size_t)size);
    if (!*window)
        return MPI_Abort(comm, 1);
    memcpy(address, window, sizeof *window);
    return MPI_SUCCESS;
}

static inline int MPI_Win_shared_query(MPI_Win window, int rank, MPI_Aint *size, int *unit,
                                       void *address)
{
    *size = *unit = 0;
    memcpy(address, &window, sizeof window);
    return MPI_SUCCESS;
}

static inline int MPI_Win_free(MPI_Win *window)
{
    free(*window);
    *window = NULL;
    return MPI_SUCCESS;
}

#endif
