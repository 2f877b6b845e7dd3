/* no_counters.c - what programs that are linked with a kernel ask of sim.h, on a real GPU: it counts nothing, and reports
 * nothing. */
#include "sim.h"

uint64_t sim_error_count(void)
{
    return 0;
}

struct sim_counters sim_counters(void)
{
    return (struct sim_counters){0};
}

void sim_reset_counters(void)
{
}

struct sim_launch_shape sim_last_launch(void)
{
    return (struct sim_launch_shape){.grid = {0, 0, 0}};
}

size_t sim_metric_count(void)
{
    return 0;
}

struct sim_metric sim_metric(size_t i)
{
    (void)i;
    return (struct sim_metric){.name = ""};
}

uint64_t sim_metric_value(const struct sim_counters *counters, size_t i)
{
    (void)counters, (void)i;
    return 0;
}

void sim_library_touches(const void *memory, size_t bytes, const void *called_at, int writes)
{
    (void)memory, (void)bytes, (void)called_at, (void)writes;
}
