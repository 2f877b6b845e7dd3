/* ranks.c - files that rank 0 writes for all. */
#define _GNU_SOURCE
#include "ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "binning.h"
#include "host_text.h"
#include "wall_clock.h"

enum { PIECE = 1 << 26 };

struct ranks ranks_begin(int *count, char ***arguments)
{
    struct ranks ranks;
    MPI_Init(count, arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
    return ranks;
}

void ranks_end(void)
{
    MPI_Finalize();
}

bool ranks_agree(bool is_so)
{
    int here = is_so, everywhere;
    MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return everywhere;
}

/* Returns how many of the bytes have got into the file. */
static size_t write_all(int file, const unsigned char *bytes, size_t length)
{
    size_t written = 0;
    while (written < length) {
        const ssize_t now = write(file, bytes + written, length - written);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            break;
        written += (size_t)now;
    }
    return written;
}

static size_t write_text(const char *path, size_t length, int kind, double seconds,
                         unsigned long long *truth)
{
    const double begun = wall_now();
    unsigned char *piece = malloc(PIECE);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    size_t at = 0, now = PIECE, wanted = PIECE;
    if (!piece || file < 0) {
        fprintf(stderr, "gpu: cannot write %s: %s\n", path, strerror(errno));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    while (at < length && now == wanted && wall_now() - begun < seconds) {
        wanted = length - at < PIECE ? length - at : PIECE;
        host_text_fill(piece, wanted, at, (enum host_text)kind);
        now = write_all(file, piece, wanted);
        uint64_t bins[NUM_BINS] = {0};
        host_text_count(piece, now, bins);
        for (int bin = 0; bin < NUM_BINS; bin++)
            truth[bin] += bins[bin];
        at += now;
    }
    close(file);
    free(piece);
    return at;
}

size_t ranks_write(const struct ranks *ranks, const char *file, size_t length, int kind,
                   double seconds, unsigned long long *truth)
{
    unsigned long long written =
        ranks->rank == 0 ? write_text(file, length, kind, seconds, truth) : 0;
    MPI_Bcast(&written, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    return (size_t)written;
}
