/* many.c - a histogram_file() without any GPU, in place of a chapter's: for what the program around it has to
 * withstand. The environment says what happens meanwhile to files that are called victim, FAKE=
 *
 *     loses     a byte of the last rank's part is not counted
 *     shrinks   the last rank cuts the file to half, and cannot read its part
 *     vanishes, grows, written   the file does, when all have read it
 *     leaves    the last rank ends in the middle
 *
 * and to all files:
 *
 *     slow      a slice takes a tenth of a second
 *     holes     what a sparse file has no room for is not read, and counted as zeros
 */
#define _GNU_SOURCE
#include "many.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binning.h"

enum { SLICE = 1 << 20 };

/* What is to happen to this file. */
static int is(const char *what, const char *path)
{
    const char *expected = getenv("FAKE");
    const int to_all = strcmp(what, "slow") == 0 || strcmp(what, "holes") == 0;
    return expected && strcmp(expected, what) == 0 && (to_all || strstr(path, "victim"));
}

/* The end of the hole in which `begin` lies; begin itself where there is none. Holes are zeros, and counted at
 * once: so a file may be longer than one likes to read in a test. */
static off_t end_of_hole(int file, off_t begin, off_t end)
{
    const off_t data = lseek(file, begin, SEEK_DATA);
    return data < 0 || data > end ? end : data;
}

static void add(unsigned long long *bins, unsigned char byte, unsigned long long times)
{
    if (bin_of(byte) >= 0)
        bins[bin_of(byte)] += times;
}

static int count_part(int file, const char *path, off_t begin, off_t end, unsigned long long *bins)
{
    static unsigned char slice[SLICE];
    while (begin < end) {
        const off_t data = is("holes", path) ? end_of_hole(file, begin, end) : begin;
        add(bins, 0, (unsigned long long)(data - begin));
        begin = data;
        const size_t wanted = end - begin < SLICE ? (size_t)(end - begin) : SLICE;
        const ssize_t got = pread(file, slice, wanted, begin);
        if (got < 0 || (got == 0 && wanted > 0))
            return 1;
        if (is("slow", path))
            usleep(100000);
        for (ssize_t i = 0; i < got; i++)
            add(bins, slice[i], 1);
        begin += got;
    }
    return 0;
}

static void happen(const char *path, off_t length, int last_rank)
{
    if (!last_rank)
        return;
    if (is("shrinks", path) && truncate(path, length / 2) != 0)
        exit(4);
    if (is("leaves", path))
        exit(3);
}

static void happen_at_the_end(const char *path, off_t length, int last_rank)
{
    if (!last_rank)
        return;
    if ((is("vanishes", path) && remove(path) != 0) ||
        (is("grows", path) && truncate(path, length + 1) != 0))
        exit(4);
    if (is("written", path)) {
        const int file = open(path, O_WRONLY);
        usleep(20000);
        if (file < 0 || pwrite(file, "x", 1, 0) != 1 || close(file) != 0)
            exit(4);
    }
}

int histogram_file(const char *path, unsigned long long *bins)
{
    unsigned long long sums[NUM_BINS] = {0};
    int rank, ranks, failed, any_failed;
    struct stat seen;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &seen) != 0)
        exit(5); /* the program has looked before */
    const off_t begin = seen.st_size / ranks * rank;
    const off_t end = rank == ranks - 1 ? seen.st_size : seen.st_size / ranks * (rank + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    happen(path, seen.st_size, rank == ranks - 1);
    failed = count_part(file, path, begin, end - (is("loses", path) && end == seen.st_size), sums);
    close(file);
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any_failed && rank == 0)
        fprintf(stderr, "%s: ended early\n", path);
    if (any_failed)
        return 1;
    MPI_Reduce(sums, bins, NUM_BINS, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    happen_at_the_end(path, seen.st_size, rank == ranks - 1);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
