/* queue.h - times work on the GPU alone, and a single call as its user sees it.
 *
 * A short run cannot be timed by itself: events around it, or a host that starts one run, waits,
 * and starts the next, time the host's calls, too. So runs are *queued*: while a gate holds
 * the GPU back, the host queues an event, many runs, and another event; then the gate
 * opens, and the GPU does all of them, back to back. The time between the events over the number
 * of runs is the time of a run. What is between two runs of a queue, the end of one launch and the
 * start of the next, is in it, once for each run; calls of the host are not. A run that waits for the
 * GPU itself, as with cudaFree, lets nothing be queued behind it: `queued` is 0 then, and each
 * repetition is one run between two events, with the host's calls in it.
 *
 * The *latency* is the opposite: an idle GPU, one run, and the host's clock from before the call
 * until cudaDeviceSynchronize says that all is done.
 *
 * A run queues its work on the default stream. It should use other memory than the last ones, or it
 * finds its input in the L2 cache. */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>

#include "clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From so many milliseconds on few repetitions say enough, and one run warms up. */
enum { LONG_MS = 10 };

/* One run between two events, in milliseconds. */
double queue_alone(timed_run *run, void *what);

/* Runs it a few times. Returns how long a run takes once the GPU is warm, in milliseconds. */
double queue_warm_up(timed_run *run, void *what);

/* Times so many repetitions, at most MOST_REPETITIONS, of a run that takes `ms`. Before each of them
 * `afresh` makes new what so many runs leave their results in: this is not timed. */
struct times queue_time(timed_run *run, void (*afresh)(void *what, int runs), void *what, double ms,
                        int repetitions, bool with_latency);

#ifdef __cplusplus
}
#endif

#endif
