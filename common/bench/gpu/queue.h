/* queue.h - times work on the GPU alone, and a single call as its user sees it.
 *
 * A short run cannot be timed by itself: events around it, or a host that starts one run, waits,
 * and starts the next, time the host's calls, too. So runs are *queued*: while a gate holds
 * the GPU back, the host queues an event, many runs, and another event; then the gate
 * opens, and the GPU does all of them, back to back. The time between the events over the number
 * of runs is the time of a run. What is between two runs of a queue, the end of one launch and the
 * start of the next, is in it, once for each run; calls of the host are not.
 *
 * The *latency* is the opposite: an idle GPU, one run, and the host's clock from before the call
 * until cudaDeviceSynchronize says that all is done. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Queues one run on the default stream. Each run should use other memory than the last ones, or it
 * finds its text in the L2 cache. */
typedef void gpu_run(void *what);

/* Of several repetitions, in milliseconds: the median, the 10th and the 90th percentile. */
struct spread {
    double median, low, high;
};

struct gpu_times {
    struct spread run, latency;
    int repetitions;
    /* How many runs are in the queue of a repetition. 0: the run itself waits for the GPU, as
     * with cudaFree, so that nothing can be queued behind it. Then each repetition is one
     * run between two events, with the host's calls in it. */
    int queued;
};

/* Runs it a few times. Returns how long a run takes once the GPU is warm, in milliseconds. */
double queue_warm_up(gpu_run *run, void *what);

/* How many repetitions a run of so many milliseconds gets. */
int queue_repetitions(double ms);

/* Times it. `ms` is what queue_warm_up returned. */
struct gpu_times queue_time(gpu_run *run, void *what, double ms);

/* The same for work that would be done already if it found its results in place: before each queue
 * `afresh` makes all new that so many runs use, which is not timed. No latency; as low and high the
 * least and the most of `repetitions`, at most 21. */
struct gpu_times queue_time_afresh(gpu_run *run, void (*afresh)(void *what, int runs), void *what,
                                   double ms, int repetitions);

#ifdef __cplusplus
}
#endif

#endif
