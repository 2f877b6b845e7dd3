/* wall_clock.c - times by the clock on the wall, and rows of them. */
#define _GNU_SOURCE
#include "wall_clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grouped.h"

static const double most_seconds = 2;

const char wall_columns[] =
    "where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,runs,correct";

double wall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct wall_times wall_times_of(double *ms, int runs)
{
    qsort(ms, (size_t)runs, sizeof *ms, by_size);
    return (struct wall_times){(ms[(runs - 1) / 2] + ms[runs / 2]) / 2, ms[0], ms[runs - 1], runs};
}

struct wall_times wall_time(wall_run *run, void *what, int least)
{
    double ms[MOST_RUNS];
    int runs = 0;
    for (int i = 0; i < WARM_UPS; i++)
        run(what);
    for (const double begun = wall_now();
         runs < MOST_RUNS && (runs < least || wall_now() - begun < most_seconds);) {
        const double before = wall_now();
        run(what);
        ms[runs++] = (wall_now() - before) * 1e3;
    }
    return wall_times_of(ms, runs);
}

void wall_write(FILE *csv, const struct wall_row *row)
{
    const struct wall_times *times = &row->times;
    fprintf(csv, "%s,%s,%d,%d,%zu,%.5f,%.5f,%.5f,%d,%s\n", row->where, row->who, row->bins,
            row->devices, row->bytes, times->median, times->least, times->most, times->runs,
            row->correct);
    fflush(csv);
    printf("%-12s %-20s %4d bins %2d card%s %16s bytes %11.5f ms (%.5f to %.5f, %d runs) %8.1f "
           "GB/s  %s\n",
           row->where, row->who, row->bins, row->devices, row->devices == 1 ? " " : "s",
           grouped(row->bytes), times->median, times->least, times->most, times->runs,
           (double)row->bytes / times->median * 1e-6, row->correct);
    fflush(stdout);
}
