/* far_reads.c - how the last blocks read 4,294,967,295 elements that nobody has written. */
#include "far_watch.h"
#include "measure.h"
#include "target.h"

/* As those of histogram(). */
static const struct far_limits limits = {
    .laps = 3, .most = 3 * 1000 * 1000, .much = 6 * 1000 * 1000};

bool measure_far_end(const struct call *shape, const struct sim_trial *trial,
                     struct far_reads *seen, const char **stopped, char *error, size_t error_size)
{
    const enum operation operation = (enum operation)shape->operation;
    const size_t element = operation_element_bytes(operation);
    const size_t bins = shape->num_bins * operation_bin_bytes(operation);
    struct call call = *shape;
    sim_set_full_memory(1);
    void *d_elements = target_allocate(shape->length * element), *d_bins = target_allocate(bins);
    call.elements = (uintptr_t)d_elements;
    call.bins = (uintptr_t)d_bins;
    target_fill(d_bins, 0, bins);
    const struct far_input input = {call.elements, call.length, element};
    struct far_watch *watch = far_watch_begin(&input, &limits, trial, !stopped, seen);
    call_make(&call);
    const bool finished = target_finish(error, error_size);
    far_watch_end(watch, stopped);
    target_free(d_elements);
    target_free(d_bins);
    sim_set_full_memory(0);
    return finished;
}
