/* kernel.c - calls what the contract promises: see drawn_sky.h for how a call is laid out. */
#include "pair_counts.h"

#include "drawn_sky.h"
#include "measure.h"

void call_make(const struct call *call)
{
    const struct outputs at = sky_outputs(call->length, call->more);
    const float4 *points = (const float4 *)(uintptr_t)call->elements;
    const char *random = (const char *)points + at.points * call->unit_bytes;
    unsigned long long *counters = (unsigned long long *)(uintptr_t)call->bins;
    pair_counts(points, (const float4 *)(const void *)random, at.points, at.sets,
                (const float *)(counters + at.edges), (unsigned int)at.bins, counters,
                counters + at.counters, counters + 2 * at.counters);
}
