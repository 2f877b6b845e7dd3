/* one_device.c - run.h of a contract whose kernels run on one device. */
#include <stdio.h>

#include "operations.h"
#include "placed.h"
#include "run.h"

bool run_begin(char **arguments)
{
    (void)arguments;
    operation_choose(0);
    return true;
}

void run_kernel(struct run *run)
{
    struct placed placed = place(&run->input);
    place_output(&placed);
    placed.job.budget =
        UINT64_MAX; /* a run takes as long as the simulator lets it, a verdict less */
    run->finished = place_measure(&placed, &run->cost);
    snprintf(run->error, sizeof run->error, "%s", placed.last.error);
    run_compare(run, placed.output, placed.before);
    place_free(&placed);
}

void run_end(void)
{
}
