/* clock.c - the spread of many times, and times by the clock on the wall. */
#define _GNU_SOURCE
#include "clock.h"

#include <stdlib.h>
#include <time.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct spread spread_of(double *ms, int count)
{
    qsort(ms, (size_t)count, sizeof *ms, by_value);
    return (struct spread){(ms[(count - 1) / 2] + ms[count / 2]) / 2, ms[count / 10],
                           ms[count - 1 - count / 10], ms[0], ms[count - 1]};
}

double wall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

struct times wall_time(timed_run *run, void *what, int fewest, double ms)
{
    double runs[MOST_REPETITIONS];
    struct times times = {.queued = 1};
    run(what);
    run(what);
    for (const double begun = wall_now();
         times.repetitions < fewest ||
         (times.repetitions < MOST_REPETITIONS && wall_now() - begun < ms);) {
        const double before = wall_now();
        run(what);
        runs[times.repetitions++] = wall_now() - before;
    }
    times.run = spread_of(runs, times.repetitions);
    return times;
}
