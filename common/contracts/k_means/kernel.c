/* kernel.c - calls what the contract promises: see drawn_points.h for how a call is laid out. */
#include "k_means.h"

#include "measure.h"
#include "drawn_points.h"

void call_make(const struct call *call)
{
    const bool is_longest = call->more[DIMENSIONS] == 0;
    const struct outputs at = outputs_of(call->length, call->more);
    const uint64_t none = is_longest ? NO_LABELS | NO_COUNTS | NO_STEPS : call->more[LEFT_OUT];
    unsigned int *words = (unsigned int *)(uintptr_t)call->bins;
    k_means((const float *)(uintptr_t)call->elements, at.points, (unsigned int)at.dimensions,
            (float *)(uintptr_t)call->bins, (unsigned int)at.clusters,
            is_longest ? 1 : (unsigned int)call->more[STEPS], (size_t)call->more[MAY_CHANGE],
            none & NO_LABELS ? NULL : words + at.labels, none & NO_COUNTS ? NULL : words + at.sums,
            none & NO_STEPS ? NULL : words + at.steps);
}
