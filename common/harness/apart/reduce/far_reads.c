/* far_reads.c - how the last blocks read 4,294,967,295 values that nobody has written. */
#include "far_watch.h"
#include "measure.h"
#include "target.h"

/* A block of the largest grid that just fits a device has a share of 16 million values, which takes a
 * second; in a smaller grid it never comes to the end. A thread that has gone back twice began anew:
 * once it may go, from a rest to the beginning. */
static const struct far_limits limits = {
    .laps = 2, .most = 40 * 1000 * 1000, .much = 20 * 1000 * 1000};

bool measure_far_end(const struct call *shape, const struct sim_trial *trial,
                     struct far_reads *seen, const char **stopped, char *error, size_t error_size)
{
    const size_t value = operation_bin_bytes((enum operation)shape->operation);
    struct call call = *shape;
    sim_set_full_memory(1);
    void *d_values = target_allocate(shape->length * value), *d_result = target_allocate(value);
    call.values = (uintptr_t)d_values;
    call.result = (uintptr_t)d_result;
    const struct far_input input = {call.values, call.length, value};
    struct far_watch *watch = far_watch_begin(&input, &limits, trial, !stopped, seen);
    call_make(&call);
    const bool finished = target_finish(error, error_size);
    far_watch_end(watch, stopped);
    target_free(d_values);
    target_free(d_result);
    sim_set_full_memory(0);
    return finished;
}
