/* far_reads.c - how the last blocks read 4,294,967,295 units that nobody has written. */
#include "far_watch.h"
#include "measure.h"
#include "target.h"

bool measure_far_end(const struct call *shape, const struct far_limits *limits,
                     const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                     char *error, size_t error_size)
{
    const size_t bins = shape->num_bins * shape->bin_bytes;
    struct call call = *shape;
    sim_set_full_memory(1);
    void *d_units = target_allocate(shape->length * shape->unit_bytes);
    void *d_bins = target_allocate(bins);
    call.elements = (uintptr_t)d_units;
    call.bins = (uintptr_t)d_bins;
    if (call.num_bins < call.length) /* of as many outputs nobody reads one before it is written */
        target_fill(d_bins, 0, bins);
    const struct far_input input = {call.elements, call.length, call.unit_bytes};
    struct far_watch *watch = far_watch_begin(&input, limits, trial, !stopped, seen);
    call_make(&call);
    const bool finished = target_finish(error, error_size);
    far_watch_end(watch, stopped);
    target_free(d_units);
    target_free(d_bins);
    sim_set_full_memory(0);
    return finished;
}
