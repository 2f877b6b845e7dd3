/* read_progress.c - tells how far all ranks are: see count.h.
 *
 * Each rank adds what it reads (file_reads.h) to a counter in memory that the ranks of a machine share. A
 * thread of rank 0 looks at these some times a second, adds up, and shows the line; it never calls MPI.
 */
#define _POSIX_C_SOURCE 200809L

#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "count.h"
#include "file_reads.h"

typedef _Atomic uint64_t slot;

static struct {
    MPI_Comm machine;
    MPI_Win window;
    slot **slots; /* of the ranks of this machine */
    int ranks, everybody;
    bool on, shows;
    pthread_t looker;
    _Atomic bool over;
    unsigned long long length;
    const char *file;
    struct timespec began, reading; /* the second: when nothing was read yet, for the last time */
} self;

/* A counter for each rank of this machine, which all of them can read. */
static slot *share_slots(void)
{
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, this_rank(), MPI_INFO_NULL,
                        &self.machine);
    MPI_Comm_size(self.machine, &self.ranks);
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
    *own = 0;
    MPI_Barrier(self.machine);
    return own;
}

static double seconds_since(const struct timespec *began)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9;
}

static void show(unsigned long long done, const struct timespec *began)
{
    progress_line_write(how_far_in_words(
        &(struct how_far){.file = self.file,
                          .done = done,
                          .all = self.length,
                          .seconds = seconds_since(began),
                          .about = self.everybody > self.ranks && done < self.length}));
}

/* What the ranks of this machine have read, and of the others as much as they. */
static void show_all(void)
{
    double done = 0;
    for (int rank = 0; rank < self.ranks; rank++)
        done += (double)*self.slots[rank];
    done *= (double)self.everybody / self.ranks;
    const double most = (double)self.length * 0.999; /* it is all when it is counted, too */
    if (done <= 0)
        clock_gettime(CLOCK_MONOTONIC, &self.reading);
    show((unsigned long long)(done < most ? done : most), &self.reading);
}

/* What the thread of rank 0 does. */
static void *look(void *nothing)
{
    const int tenths = isatty(STDERR_FILENO) ? 2 : 10; /* of a second, from one line to the next */
    const struct timespec nap = {.tv_nsec = 100000000};
    for (int i = 0; !self.over; i++) {
        if (i % tenths == 0)
            show_all();
        nanosleep(&nap, NULL);
    }
    return nothing;
}

/* Called after each read, by the thread that read. */
static void add_read(const void *memory, uint64_t begin, uint64_t end, void *own)
{
    (void)memory;
    *(slot *)own += end - begin;
}

void read_progress_begin(const char *file, unsigned long long length, bool wanted)
{
    self.on = wanted;
    if (!wanted)
        return;
    self.file = file;
    self.length = length;
    self.shows = this_rank() == 0;
    self.everybody = all_ranks();
    file_reads_observe(add_read, share_slots());
    file_reads_begin(file, NULL);
    clock_gettime(CLOCK_MONOTONIC, &self.began);
    self.reading = self.began;
    self.over = false;
    if (!self.shows)
        return;
    progress_line_begin();
    if (pthread_create(&self.looker, NULL, look, NULL) != 0) {
        fprintf(stderr, "count: cannot start a thread that tells the progress\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

void read_progress_end(bool whole)
{
    if (!self.on)
        return;
    self.over = true;
    if (self.shows)
        pthread_join(self.looker, NULL);
    struct file_read *reads = NULL;
    file_reads_end(&reads);
    free(reads);
    file_reads_observe(NULL, NULL);
    if (self.shows && whole)
        show(self.length, &self.began);
    if (self.shows)
        progress_line_end(whole);
    free(self.slots);
    MPI_Win_free(&self.window);
    MPI_Comm_free(&self.machine);
}
