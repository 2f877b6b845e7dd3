/* ranks.h - what the programs share that call histogram_file() on the ranks of MPI. */
#ifndef RANKS_H
#define RANKS_H

#include <stdbool.h>
#include <stddef.h>

struct ranks {
    int rank, size;
};

/* MPI_Init and what comes with it. */
struct ranks ranks_begin(int *count, char ***arguments);
void ranks_end(void);

/* Rank 0 writes a text of `length` bytes (host_text.h; `kind` as there) to a file, whatever it is at, and adds
 * what is counted in it to `truth`, NUM_BINS counters: both on rank 0 alone. Others wait. Returns on all ranks
 * how long the file has become: shorter where the disk is full, or more than `seconds` went by. */
size_t ranks_write(const struct ranks *ranks, const char *file, size_t length, int kind,
                   double seconds, unsigned long long *truth);

/* Whether it is so on all ranks. */
bool ranks_agree(bool is_so);

#endif
