/* wall_clock.h - times what is done on several devices, by the clock on the wall. */
#ifndef WALL_CLOCK_H
#define WALL_CLOCK_H

#include <stdbool.h>
#include <stdio.h>

/* Of several runs, in milliseconds. */
struct wall_times {
    double median, least, most;
    int runs;
};

/* Does its work once, and returns when all of it is done. */
typedef void wall_run(void *what);

/* Seconds since some moment. */
double wall_now(void);

/* Runs it WARM_UPS times, then as often as fits into two seconds: from `least` to MOST_RUNS times. */
enum { WARM_UPS = 2, MOST_RUNS = 21 };
struct wall_times wall_time(wall_run *run, void *what, int least);

/* Of so many runs, each in milliseconds; sorts them. */
struct wall_times wall_times_of(double *ms, int runs);

/* A row of the CSV file that many_summary.c reads, and of the table on standard output. `where` says where
 * the text is; `correct` is "yes", "NO", "-" for what counts nothing. */
struct wall_row {
    const char *where, *who, *correct;
    int bins, devices;
    size_t bytes; /* of the whole text */
    struct wall_times times;
};
extern const char wall_columns[];
void wall_write(FILE *csv, const struct wall_row *row);

#endif
