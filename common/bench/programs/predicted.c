/* predicted.c - predicts times from counters, for common/bench/prediction.py.
 *
 *     predicted <CELLS
 *
 * A line of CELLS has the number of bins, the length of the text, and the counters in the order of the
 * columns of docs/results/h200/prediction.csv. Prints the times for each, in milliseconds, in the order of
 * struct predict_times. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "predicted_time.h"

enum { COUNTERS = 12 };

static bool read_work(struct predict_work *work)
{
    uint64_t c[COUNTERS];
    *work = (struct predict_work){.counters.launches = 1};
    if (scanf("%u %" SCNu64, &work->bins, &work->text_bytes) != 2)
        return false;
    for (size_t i = 0; i < COUNTERS; i++)
        if (scanf("%" SCNu64, &c[i]) != 1)
            return false;
    work->counters.global[SIM_LOAD] =
        (struct sim_access_counters){.requests = c[0], .sectors = c[1]};
    work->counters.global[SIM_RED].sectors = c[2];
    work->counters.shared[SIM_ATOM] =
        (struct sim_access_counters){.requests = c[3], .wavefronts = c[4]};
    work->counters.shared[SIM_LOAD].wavefronts = c[5];
    work->counters.shared[SIM_STORE].wavefronts = c[6];
    work->counters.votes = c[7];
    work->atomic_stripes = c[8];
    work->busiest_stripe = c[9];
    work->blocks = c[10];
    work->threads_per_block = c[11];
    return true;
}

int main(void)
{
    for (struct predict_work work; read_work(&work);) {
        const struct predict_times times = predict(&work);
        printf("%.17g %.17g %.17g %.17g %.17g %.17g\n", times.launch, times.bandwidth,
               times.waiting, times.working, times.atomics, times.total);
    }
    return 0;
}
