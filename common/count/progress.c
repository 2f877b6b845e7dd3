/* progress.c - tells how far all ranks are: see count.h.
 *
 * Each rank adds what it reads (file_reads.h) to a counter in memory that the ranks of a machine share. A
 * thread of rank 0 looks at these some times a second, adds up, and shows the line (status_line.h); it never calls MPI. */
#define _GNU_SOURCE

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "file_reads.h"
#include "status_line.h"
#include "util.h"

enum { UNITS = 32 };

/* Bytes in the largest unit of which there is at least one, "1.2 GB". */
static const char *in_units(unsigned long long bytes, char words[UNITS])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < LENGTH(units); unit++)
        value /= 1000;
    snprintf(words, UNITS, unit > 0 && value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return words;
}

static void tell_time_left(double left, char *words, size_t size)
{
    const unsigned long seconds = (unsigned long)(left + 0.5), minute = 60, hour = 60 * minute;
    if (seconds >= hour)
        snprintf(words, size, "  %lu h %02lu min left", seconds / hour, seconds % hour / minute);
    else if (seconds >= minute)
        snprintf(words, size, "  %lu min %02lu s left", seconds / minute, seconds % minute);
    else
        snprintf(words, size, "  %lu s left", seconds);
}

typedef _Atomic uint64_t slot;

static struct {
    MPI_Comm machine;
    MPI_Win window;
    slot **slots; /* of the ranks of this machine */
    int ranks, everybody;
    bool on, shows;
    unsigned long long length;
    const char *file;
    double began, reading; /* the second: when nothing was read yet, for the last time */
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
    self.slots = grow(NULL, 0, (size_t)self.ranks, sizeof *self.slots);
    for (int rank = 0; rank < self.ranks; rank++) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(self.window, rank, &size, &unit, &self.slots[rank]);
    }
    *own = 0;
    MPI_Barrier(self.machine);
    return own;
}

/* "43%  1.2 of 2.8 GB  310 MB/s  5 s left  big.bin", for one line of a terminal. */
static const char *line_of(unsigned long long done, double began)
{
    static _Thread_local char words[256]; /* the last line is made while another is shown */
    char of_done[UNITS], of_all[UNITS], of_rate[UNITS], left[48] = "";
    const unsigned long long all = self.length;
    const double seconds = seconds_now() - began, rate = seconds > 0 ? (double)done / seconds : 0;
    const bool about = self.everybody > self.ranks && done < all;
    if (done == all)
        snprintf(left, sizeof left, "  in %.1f s", seconds);
    else if (done > 0 && rate > 0)
        tell_time_left((double)(all - done) / rate, left, sizeof left);
    snprintf(words, sizeof words, "%3d%%  %s%s of %s  %s/s%s  %s",
             all > 0 ? (int)(100 * (double)done / (double)all) : 100, about ? "about " : "",
             in_units(done, of_done), in_units(all, of_all),
             in_units((unsigned long long)rate, of_rate), left, self.file);
    return words;
}

/* What the ranks of this machine have read, and of the others as much as they. */
static const char *line_of_all(const void *unused)
{
    (void)unused;
    double done = 0;
    for (int rank = 0; rank < self.ranks; rank++)
        done += (double)*self.slots[rank];
    done *= (double)self.everybody / self.ranks;
    const double most = (double)self.length * 0.999; /* it is all when it is counted, too */
    if (done <= 0)
        self.reading = seconds_now();
    return line_of((unsigned long long)(done < most ? done : most), self.reading);
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
    self.began = self.reading = seconds_now();
    if (self.shows)
        status_line_begin(line_of_all, NULL);
}

void read_progress_end(bool whole)
{
    if (!self.on)
        return;
    if (self.shows)
        status_line_end(whole ? line_of(self.length, self.began) : NULL);
    struct file_read *reads = NULL;
    file_reads_end(&reads);
    free(reads);
    file_reads_observe(NULL, NULL);
    free(self.slots);
    MPI_Win_free(&self.window);
    MPI_Comm_free(&self.machine);
}
