/* read_progress.c - tells how far all ranks are: see read_progress.h.
 *
 * A thread of each rank looks, some times a second, how much its rank has read (file_reads.h), and writes
 * it into memory that the ranks of a machine share; that of rank 0 adds up and shows the line. Only the
 * first thread calls MPI. */
#define _POSIX_C_SOURCE 200809L
#include "read_progress.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "file_reads.h"
#include "progress_line.h"
#include "together.h"

typedef _Atomic uint64_t slot;

static struct {
    MPI_Comm machine;
    MPI_Win window;
    slot **slots; /* of the ranks of this machine */
    int ranks, rank;
    bool on, shows;
    pthread_t looker;
    atomic_bool over;
    unsigned long long length;
    const char *file;
    struct timespec began;
} self;

/* A counter for each rank of this machine, which all of them can read. */
static void share_slots(void)
{
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, this_rank(), MPI_INFO_NULL,
                        &self.machine);
    MPI_Comm_size(self.machine, &self.ranks);
    MPI_Comm_rank(self.machine, &self.rank);
    slot *own;
    MPI_Win_allocate_shared(sizeof *own, sizeof *own, MPI_INFO_NULL, self.machine, &own,
                            &self.window);
    self.slots = malloc((size_t)self.ranks * sizeof *self.slots);
    if (!self.slots)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int rank = 0; rank < self.ranks; rank++) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(self.window, rank, &size, &unit, &self.slots[rank]);
    }
    atomic_store(own, 0);
    MPI_Barrier(self.machine);
}

static double seconds_since(const struct timespec *began)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
}

static void show(unsigned long long done, bool about)
{
    progress_line_write(how_far_in_words(&(struct how_far){.file = self.file,
                                                           .done = done,
                                                           .all = self.length,
                                                           .seconds = seconds_since(&self.began),
                                                           .about = about}));
}

/* What the ranks of this machine have read, and of the others as much as they. */
static void show_all(int everybody)
{
    double done = 0;
    for (int rank = 0; rank < self.ranks; rank++)
        done += (double)atomic_load(self.slots[rank]);
    done *= (double)everybody / self.ranks;
    const double most = (double)self.length; /* the line says 100% when it is counted */
    show((unsigned long long)(done < most ? done : most * 0.999), everybody > self.ranks);
}

static void *look(void *everybody)
{
    const struct timespec nap = {.tv_nsec = 100000000};
    while (!atomic_load(&self.over)) {
        atomic_store(self.slots[self.rank], file_reads_bytes());
        if (self.shows)
            show_all(*(int *)everybody);
        nanosleep(&nap, NULL);
    }
    return NULL;
}

void read_progress_begin(const char *file, unsigned long long length, bool wanted)
{
    static int everybody;
    self.on = wanted;
    if (!wanted)
        return;
    self.file = file;
    self.length = length;
    self.shows = this_rank() == 0;
    everybody = all_ranks();
    share_slots();
    file_reads_begin(file, NULL);
    if (self.shows)
        progress_line_begin();
    clock_gettime(CLOCK_MONOTONIC, &self.began);
    atomic_store(&self.over, false);
    if (pthread_create(&self.looker, NULL, look, &everybody) != 0) {
        fprintf(stderr, "count: cannot start a thread that tells the progress\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void read_progress_end(bool whole)
{
    if (!self.on)
        return;
    atomic_store(&self.over, true);
    pthread_join(self.looker, NULL);
    struct file_read *reads;
    file_reads_end(&reads);
    free(reads);
    if (self.shows && whole)
        show(self.length, false);
    if (self.shows)
        progress_line_end(whole);
    free(self.slots);
    MPI_Win_free(&self.window);
    MPI_Comm_free(&self.machine);
}
