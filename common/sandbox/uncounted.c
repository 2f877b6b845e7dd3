/* uncounted.c - what measure.h promises, on a real GPU: it counts no accesses, and measure() skips the
 * test before it asks for any. The model it can ask: the kernel is in this program. */
#include <stdio.h>

#include "far_reads.h"
#include "measure.h"
#include "spoil.h"

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    *result = (struct measurement){.length = call->length, .num_bins = call->num_bins};
    snprintf(error, error_size, "a GPU counts no accesses");
    return false;
}

void spoil_run(const struct call *call, enum spoil what, struct spoiled *spoiled)
{
    (void)call, (void)what;
    *spoiled = (struct spoiled){.finished = 0};
}

bool measure_far_end(const struct call *call, const struct far_limits *limits,
                     const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                     char *error, size_t error_size)
{
    (void)call, (void)limits, (void)trial, (void)stopped;
    *seen = (struct far_reads){.length = 0};
    snprintf(error, error_size, "a GPU counts no accesses");
    return false;
}

void model_ask(struct model *model)
{
    if (kernel_half.model)
        kernel_half.model(model);
}
