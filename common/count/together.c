/* together.c - what all ranks decide together: see count.h. */
#define _POSIX_C_SOURCE 200809L
#include "count.h"

#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { LONGEST = 1024 }; /* sentence */

int this_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int all_ranks(void)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

bool nobody_complains(const char *sentence)
{
    const int rank = this_rank(), ranks = all_ranks(), mine = *sentence ? rank : ranks;
    char said[LONGEST + MPI_MAX_PROCESSOR_NAME + 32], host[MPI_MAX_PROCESSOR_NAME];
    int first, length;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == ranks)
        return true;
    MPI_Get_processor_name(host, &length);
    if (rank == 0 && first == 0)
        snprintf(said, sizeof said, "%s", sentence);
    else
        snprintf(said, sizeof said, "%.*s (on rank %d, %s)", LONGEST - 1, sentence, rank, host);
    MPI_Bcast(said, sizeof said, MPI_CHAR, first, MPI_COMM_WORLD);
    if (rank == 0)
        fprintf(stderr, "count: %s\n", said);
    return false;
}

void wait_for_rank_0(void)
{
    const struct timespec nap = {.tv_nsec = 5000000};
    MPI_Request here;
    int all_here = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &here);
    for (MPI_Test(&here, &all_here, MPI_STATUS_IGNORE); !all_here;
         MPI_Test(&here, &all_here, MPI_STATUS_IGNORE))
        nanosleep(&nap, NULL);
}
