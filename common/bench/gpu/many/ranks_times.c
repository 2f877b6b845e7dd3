/* ranks_times.c - times the chapter that counts a file on several ranks.
 *
 *     mpirun -n RANKS ranks_times OUT.csv NAME FILE SIZE
 *
 * NAME is the chapter's. FILE is written anew, with SIZE bytes, like 64G, or with as many as the disk takes
 * and a minute allows, and lies in memory then, where Linux keeps what was written. All ranks read it alone,
 * each a part, piece by piece into memory that is used again; then histogram_file() counts it. Both by
 * the clock of rank 0, from a barrier until all ranks are done. FILE is left there: the next numbers of
 * ranks read the same, when it has SIZE bytes already. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binning.h"
#include "grouped.h"
#include "host_text.h"
#include "last_words.h"
#include "many.h"
#include "ranks.h"
#include "room.h"
#include "row_file.h"
#include "wall_clock.h"

enum { PATIENCE_S = 300, RUNS = 5, PIECE = 1 << 23 };
static const double most_seconds = 60;

struct task {
    struct ranks ranks;
    const char *name, *file;
    size_t length;
    unsigned char *piece;
    unsigned long long bins[NUM_BINS];
    bool failed;
};

/* A wall_run of struct task: this rank's part of the file. */
static void read_part(void *what)
{
    struct task *task = what;
    const size_t share = task->length / (size_t)task->ranks.size;
    const size_t begin = (size_t)task->ranks.rank * share;
    const size_t end = task->ranks.rank + 1 < task->ranks.size ? begin + share : task->length;
    const int file = open(task->file, O_RDONLY);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t at = begin; at < end;) {
        const size_t length = end - at < PIECE ? end - at : PIECE;
        const ssize_t now = pread(file, task->piece, length, (off_t)at);
        if (now <= 0) {
            task->failed = true;
            break;
        }
        at += (size_t)now;
    }
    close(file);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void count_file(void *what)
{
    struct task *task = what;
    MPI_Barrier(MPI_COMM_WORLD);
    task->failed = histogram_file(task->file, task->bins) != 0 || task->failed;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All ranks do as many runs. */
static struct wall_times time_all(wall_run *run, struct task *task)
{
    double ms[RUNS];
    run(task); // warm
    for (int i = 0; i < RUNS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double before = wall_now();
        run(task);
        ms[i] = (wall_now() - before) * 1e3;
    }
    return wall_times_of(ms, RUNS);
}

static void write_row(FILE *csv, const struct task *task, const char *who, const char *correct,
                      struct wall_times times)
{
    if (task->ranks.rank == 0)
        wall_write(csv, &(struct wall_row){"file", who, correct, NUM_BINS, task->ranks.size,
                                           task->length, times});
}

/* The file, and what is in it: on rank 0. */
static void make_file(struct task *task, size_t size, unsigned long long *truth)
{
    struct stat there;
    unsigned long long length = 0;
    if (task->ranks.rank == 0 && stat(task->file, &there) == 0 && (size_t)there.st_size == size &&
        task->ranks.size > 1)
        length = size;
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    task->length = (size_t)length;
    if (task->length == 0)
        task->length = ranks_write(&task->ranks, task->file, size, MIXED, most_seconds, truth);
}

/* Of a file that was there: it is what host_text_fill makes. */
static void count_as_made(size_t length, unsigned long long *truth)
{
    unsigned char *piece = malloc((size_t)1 << 26);
    uint64_t bins[NUM_BINS] = {0};
    for (size_t at = 0; piece && at < length; at += (size_t)1 << 26) {
        const size_t now = length - at < (size_t)1 << 26 ? length - at : (size_t)1 << 26;
        host_text_fill(piece, now, at, MIXED);
        host_text_count(piece, now, bins);
    }
    free(piece);
    for (int bin = 0; bin < NUM_BINS; bin++)
        truth[bin] = bins[bin];
}

/* Returns "yes" or "NO", and says which bin is wrong. */
static const char *judged(const struct task *task, const unsigned long long *truth)
{
    for (int bin = 0; bin < NUM_BINS && task->ranks.rank == 0; bin++)
        if (task->failed || task->bins[bin] != truth[bin]) {
            fprintf(stderr, "%s, %d ranks, %s bytes, %d bins: %s: bin %d has %s in place of %s\n",
                    task->name, task->ranks.size, grouped(task->length), (int)NUM_BINS,
                    task->failed ? "it could not read the file" : "wrong", bin,
                    grouped(task->bins[bin]), grouped(truth[bin]));
            return "NO";
        }
    return "yes";
}

int main(int count, char **arguments)
{
    struct task task = {.ranks = ranks_begin(&count, &arguments)};
    unsigned long long truth[NUM_BINS] = {0};
    const size_t size = count == 5 ? size_typed(arguments[4]) : 0;
    if (size == 0) {
        fprintf(stderr, "usage: %s OUT.csv NAME FILE SIZE\n", arguments[0]);
        ranks_end();
        return 2;
    }
    FILE *csv = task.ranks.rank == 0 ? report_open(arguments[1], wall_columns) : NULL;
    task.name = arguments[2];
    task.file = arguments[3];
    task.piece = malloc(PIECE);
    make_file(&task, size, truth);
    if (task.ranks.rank == 0 && truth[NUM_BINS - 1] == 0)
        count_as_made(task.length, truth);
    write_row(csv, &task, "reading alone", "-", time_all(read_part, &task));
    being_at(PATIENCE_S, "%s, rank %d of %d, %s bytes of a file", task.name, task.ranks.rank,
             task.ranks.size, grouped(task.length));
    const struct wall_times times = time_all(count_file, &task);
    being_done();
    task.failed = !ranks_agree(!task.failed);
    const char *answer = judged(&task, truth);
    write_row(csv, &task, task.name, answer, times);
    if (csv)
        fclose(csv);
    free(task.piece);
    ranks_end();
    return strcmp(answer, "yes") == 0 ? 0 : 1;
}
