/* together.c - what all ranks decide together: see count.h. */
#define _POSIX_C_SOURCE 200809L
#include "count.h"

#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { LONGEST_SENTENCE = 1024, SENTENCE = 1 };

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

static void send_sentence(const char *sentence)
{
    char said[LONGEST_SENTENCE + MPI_MAX_PROCESSOR_NAME + 32], host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    snprintf(said, sizeof said, "%.*s (on rank %d, %s)", LONGEST_SENTENCE - 1, sentence,
             this_rank(), host);
    MPI_Send(said, sizeof said, MPI_CHAR, 0, SENTENCE, MPI_COMM_WORLD);
}

static void print_sentence_of(int rank)
{
    char said[LONGEST_SENTENCE + MPI_MAX_PROCESSOR_NAME + 32];
    MPI_Recv(said, sizeof said, MPI_CHAR, rank, SENTENCE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fprintf(stderr, "count: %s\n", said);
}

bool nobody_complains(const char *sentence)
{
    const int rank = this_rank(), ranks = all_ranks(), mine = *sentence ? rank : ranks;
    int first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == rank && rank == 0)
        fprintf(stderr, "count: %s\n", sentence);
    else if (first == rank)
        send_sentence(sentence);
    else if (first < ranks && rank == 0)
        print_sentence_of(first);
    return first == ranks;
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
