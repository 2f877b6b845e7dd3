/* timing.h - times ways of counting on the same text, in turn, and checks what they count. */
#ifndef TIMING_H
#define TIMING_H

#include <stdbool.h>
#include <stddef.h>

#include "clock.h"
#include "text.h"
#include "ways.h"

enum { MOST_RUNS = MOST_REPETITIONS, LEAST_RUNS = 7, MOST_CONTESTANTS = 16 };

struct contestant {
    const char *name;
    way *run;
    bool counts;      /* leaves the histogram in the bins; otherwise it only reads */
    bool all_cores;   /* else on one */
    struct spread ms; /* what was measured */
};

/* Times all contestants, at most MOST_CONTESTANTS. Each is run once before the first and once after the last timed run,
 * and its counts are compared with an independent count. There are MOST_RUNS rounds, or as
 * many from LEAST_RUNS on as begin within `seconds`; in a round each contestant has one run,
 * so that what else happens on the machine falls on all of them. Each run reads another copy
 * of the text, of which there are enough to come from memory and not from a cache.
 * Returns how many rounds there were; 0 when a count is wrong or there is no memory, and
 * `error` then says why. */
int time_all(struct contestant *contestants, size_t count, const struct text *text, double seconds,
             char *error, size_t error_size);

#endif
