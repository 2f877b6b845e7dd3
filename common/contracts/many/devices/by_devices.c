/* by_devices.c - run.h of histogram_many(): several devices of this process. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "letters.h"
#include "many.h"
#include "run.h"
#include "text_watch.h"

enum { USUAL_DEVICES = 4 };

static int devices;

bool run_begin(char **arguments)
{
    (void)arguments;
    const char *asked = getenv("SIM_DEVICES");
    if (!asked || !*asked)
        sim_set_devices(USUAL_DEVICES);
    cudaGetDeviceCount(&devices); /* it refuses what is no number of devices */
    return true;
}

void run_kernel(struct run *run)
{
    unsigned long long bins[MOST_BINS] = {0};
    struct many_seen seen = {.result = 0};
    sim_reset_counters();
    text_watch_begin(run->input.values, run->input.length, (unsigned int)devices, false);
    histogram_many(run->input.values, run->input.length, bins);
    const cudaError_t error = cudaDeviceSynchronize();
    text_watch_end(&seen);
    run->cost.counters = sim_counters();
    run->cost.together = text_watch_together(&seen, (unsigned int)devices);
    run->finished = error == cudaSuccess;
    snprintf(run->error, sizeof run->error, "%s", cudaGetErrorString(error));
    run_compare(run, bins, NULL);
    many_seen_free(&seen);
}

void run_end(void)
{
}
