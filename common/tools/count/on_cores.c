/* on_cores.c - counts a file on some cores: see count.h.
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

#include "ways.h"

enum { PIECE = 256 << 10, MOST_CORES = 1024 };

#if BINS == 5 || BINS == 26
const char way_of_cores[] = "comparing";
static way *const best_way = count_by_comparing;
#else
const char way_of_cores[] = "16 tables";
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

unsigned int cores_here(void)
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

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double count_on_cores(const char *path, unsigned long long length, unsigned int cores,
                      unsigned long long *bins, char *why, size_t size)
{
    struct job job = {.length = length, .bins = bins, .adding = PTHREAD_MUTEX_INITIALIZER};
    cpu_set_t before, all;
    const double start = now();
    job.file = open(path, O_RDONLY | O_CLOEXEC);
    if (job.file < 0) {
        snprintf(why, size, "cannot be opened: %s", strerror(errno));
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
        snprintf(why, size, "%s", error < 0 ? "ended early" : strerror(error));
    return error ? -1 : now() - start;
}
