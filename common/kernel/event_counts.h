/* event_counts.h - adds up what events ask of one memory. */
#ifndef EVENT_COUNTS_H
#define EVENT_COUNTS_H

#include "sim.h"

static inline void add_accesses(struct sim_access_counters *accesses, const struct sim_event *event)
{
    accesses->requests++;
    accesses->lanes += (uint64_t)__builtin_popcount(event->active);
    if (event->space == SIM_GLOBAL)
        accesses->sectors += event->cost;
    else
        accesses->wavefronts += event->cost;
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
