/* one_device.c - run.h of a contract whose kernels run on one device. */
#include <stdlib.h>

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
    run->finished = measure_run(&placed.call, &run->cost, run->error, sizeof run->error);
    unsigned char *held = place_read(&placed);
    run_compare(run, held, place_before(&placed));
    free(held);
    place_free(&placed);
}

void run_end(void)
{
}
