/* clock.h - the spread of many times, and times by the clock on the wall. */
#ifndef CLOCK_H
#define CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of several repetitions, in milliseconds: the median, the 10th and 90th percentile, and the ends. */
struct spread {
    double median, low, high, least, most;
};

struct times {
    struct spread run, latency;
    int repetitions;
    int queued; /* runs in the queue of a repetition (queue.h); by the wall 1 */
};

/* Does its work once. */
typedef void timed_run(void *what);

enum { MOST_REPETITIONS = 21 };

/* Sorts them. */
struct spread spread_of(double *ms, int count);

/* Milliseconds since some moment. */
double wall_now(void);

/* Runs it twice to warm up, then `fewest` times, and more while `ms` have not passed: at most
 * MOST_REPETITIONS. A run returns when all of it is done. */
struct times wall_time(timed_run *run, void *what, int fewest, double ms);

#ifdef __cplusplus
}
#endif

#endif
