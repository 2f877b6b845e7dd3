/* traffic.h - adds up what events ask of one memory. */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "sim.h"

static inline void add_traffic(struct sim_traffic *traffic, const struct sim_event *event)
{
    traffic->requests++;
    traffic->lanes += (uint64_t)__builtin_popcount(event->active);
    if (event->space == SIM_GLOBAL)
        traffic->sectors += event->cost;
    else
        traffic->wavefronts += event->cost;
}

/* What lanes have asked of memory. */
static inline uint64_t lanes_of(const struct sim_counters *counters)
{
    uint64_t lanes = 0;
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++)
        lanes += counters->global[kind].lanes + counters->shared[kind].lanes;
    return lanes;
}

#endif
