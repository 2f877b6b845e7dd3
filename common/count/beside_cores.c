/* beside_cores.c - counts a file on some cores, and compares that with the GPUs: see count.h.
 *
 * Each core takes the next piece of the file, reads it and counts it, as fast as it can: the loop is the best
 * of common/bench/cpu for these bins. A piece fits into the cache of a core, where it is counted. */
#define _GNU_SOURCE
#include "count.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grouped.h"
#include "util.h"
#include "ways.h"

enum { PIECE = 256 << 10, MOST_CORES = 1024 };

#if BINS == 5 || BINS == 26
static const char way_of_cores[] = "comparing";
static way *const best_way = count_by_comparing;
#else
static const char way_of_cores[] = "16 tables";
static way *const best_way = count_in_16_tables;
#endif

/* A file that several cores count together. */
struct job {
    int file;
    unsigned long long length;
    _Atomic unsigned long long next; /* the first byte that no core has taken */
    _Atomic int error;               /* an errno; -1 when the file ended early */
    pthread_mutex_t adding;
    unsigned long long *bins;
};

/* mpirun binds a process to a core. What is not allowed here is left out by the system. */
static void may_use_all_cores(cpu_set_t *cores)
{
    memset(cores, 0xff, sizeof *cores);
    sched_setaffinity(0, sizeof *cores, cores);
    CPU_ZERO(cores);
    sched_getaffinity(0, sizeof *cores, cores);
}

/* All cores that this process may ever use, whichever one it is bound to now. */
static unsigned int cores_here(void)
{
    cpu_set_t before, all;
    CPU_ZERO(&before);
    sched_getaffinity(0, sizeof before, &before);
    may_use_all_cores(&all);
    sched_setaffinity(0, sizeof before, &before);
    const int cores = CPU_COUNT(&all);
    return cores < 1 ? 1 : cores > MOST_CORES ? MOST_CORES : (unsigned int)cores;
}

/* Reads a piece as a whole. Returns 0, an errno, or -1 at the end of the file. */
static int read_piece(const struct job *job, unsigned char *piece, size_t length,
                      unsigned long long begin)
{
    for (size_t done = 0; done < length;) {
        const ssize_t got = pread(job->file, piece + done, length - done, (off_t)(begin + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : -1;
        done += (size_t)got;
    }
    return 0;
}

static void add(struct job *job, const unsigned long long *bins)
{
    pthread_mutex_lock(&job->adding);
    for (int bin = 0; bin < NUM_BINS; bin++)
        job->bins[bin] += bins[bin];
    pthread_mutex_unlock(&job->adding);
}

/* What one core does. */
static void *work(void *of_job)
{
    struct job *job = of_job;
    unsigned char *piece = malloc(PIECE);
    unsigned long long bins[NUM_BINS] = {0};
    int error = piece ? 0 : ENOMEM;
    for (unsigned long long begin;
         !error && !job->error && (begin = (job->next += PIECE) - PIECE) < job->length;) {
        unsigned int counted[NUM_BINS] = {0};
        const unsigned long long left = job->length - begin;
        const size_t length = left < PIECE ? (size_t)left : PIECE;
        error = read_piece(job, piece, length, begin);
        if (!error)
            best_way(piece, length, counted);
        for (int bin = 0; bin < NUM_BINS; bin++)
            bins[bin] += counted[bin];
    }
    if (error)
        job->error = error;
    add(job, bins);
    free(piece);
    return NULL;
}

/* One core is this thread. */
static void work_on(struct job *job, unsigned int cores)
{
    pthread_t threads[MOST_CORES];
    unsigned int others = 0;
    while (others + 1 < cores && pthread_create(&threads[others], NULL, work, job) == 0)
        others++;
    work(job);
    while (others > 0)
        pthread_join(threads[--others], NULL);
}

/* Adds to the bins what is in a file, read and counted by so many cores; `length` of its bytes. Returns
 * the seconds it took, or less than 0 when it could not be read to there; *why then says why. */
static double count_on_cores(const char *path, unsigned long long length, unsigned int cores,
                             unsigned long long *bins, const char **why)
{
    struct job job = {.length = length, .bins = bins, .adding = PTHREAD_MUTEX_INITIALIZER};
    cpu_set_t before, all;
    const double start = seconds_now();
    job.file = open(path, O_RDONLY | O_CLOEXEC);
    if (job.file < 0) {
        *why = format("cannot be opened: %s", strerror(errno));
        return -1;
    }
    CPU_ZERO(&before);
    sched_getaffinity(0, sizeof before, &before);
    if (cores > 1)
        may_use_all_cores(&all);
    work_on(&job, cores);
    sched_setaffinity(0, sizeof before, &before);
    close(job.file);
    const int error = job.error;
    if (error)
        *why = error < 0 ? "ended early" : strerror(error);
    return error ? -1 : seconds_now() - start;
}

/* Of the same file the cores have to count the same: "", or what differs. */
static const char *difference(const struct counted_file *file, const unsigned long long *bins)
{
    int bin = 0;
    while (bin < NUM_BINS && bins[bin] == file->bins[bin])
        bin++;
    return bin == NUM_BINS
               ? ""
               : format("%s: the cores count %s in bin %s, the GPUs %s: one of them is wrong",
                        file->name, grouped(bins[bin]), name_of_bin(bin), grouped(file->bins[bin]));
}

/* Adds the seconds that so many cores take for all files. Returns "", or what is wrong. */
static const char *time_cores(const struct counted_file *files, size_t count, unsigned int cores,
                              double *sum)
{
    const char *why = "";
    for (size_t i = 0; i < count && !*why; i++) {
        unsigned long long bins[NUM_BINS] = {0};
        const char *reason = "";
        const double seconds = count_on_cores(files[i].name, files[i].length, cores, bins, &reason);
        why = seconds < 0 ? format("%s: %s when the cores read it", files[i].name, reason)
                          : difference(&files[i], bins);
        *sum += seconds;
    }
    return why;
}

/* "all 8 cores", "2 simulated GPUs". */
static void print_row(FILE *out, const char *name, double seconds, unsigned long long bytes)
{
    const double rate = seconds > 0 ? (double)bytes / seconds / 1e6 : 0;
    fprintf(out, "%-28s %10.3f %12s\n", name, seconds,
            rate < 100 ? format("%.1f", rate) : grouped((unsigned long long)(rate + 0.5)));
}

static void print_honestly(FILE *out)
{
#ifdef SIMULATED_GPU
    fprintf(out, "The GPU is simulated, by one core for each process: its time is no GPU's.\n");
#else
    fprintf(
        out,
        "The time of the GPUs holds their start; the cores read what the GPUs had read before.\n");
#endif
}

const char *compare_with_cores(FILE *out, const struct counted_file *files, size_t count,
                               double seconds, int ranks)
{
    const unsigned int all = cores_here();
    double of_one = 0, of_all = 0;
    unsigned long long bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += files[i].length;
    const char *why = time_cores(files, count, 1, &of_one);
    if (!*why && all > 1)
        why = time_cores(files, count, all, &of_all);
    if (*why)
        return why;
    fprintf(out, "\n%-28s %10s %12s\n", "", "seconds", "MB/s");
    print_row(out, format("%d " COUNT_DEVICE "%s", ranks, ranks == 1 ? "" : "s"), seconds, bytes);
    print_row(out, format("1 core, %s", way_of_cores), of_one, bytes);
    if (all > 1)
        print_row(out, format("all %u cores, %s", all, way_of_cores), of_all, bytes);
    print_honestly(out);
    return "";
}
