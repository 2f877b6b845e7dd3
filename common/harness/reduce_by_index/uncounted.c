/* uncounted.c - what measure.h promises, on a real GPU; of sim.h see no_simulator.c.
 *
 * A GPU counts no accesses and has no schedule to choose. So the suites run here for their results
 * alone; expect_right.c skips what needs a count. */
#include "measure.h"
#include "reduce_by_index.h"
#include "target.h"

bool measure_run(const struct call *call, struct measurement *result, char *error,
                 size_t error_size)
{
    *result = (struct measurement){.length = call->length, .num_bins = call->num_bins};
    reduce_by_index((const element_t *)(uintptr_t)call->elements, call->length,
                    (bin_t *)(uintptr_t)call->bins, call->num_bins);
    return target_finish(error, error_size);
}
