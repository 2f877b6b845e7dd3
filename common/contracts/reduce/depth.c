/* depth.c - how many additions a value passes through, by how the kernel at hand shares the work. */
#include "depth.h"

#include "measure.h"
#include "placed.h"

double depth_of_kernel(const struct input *input)
{
    enum { WARP = 32 };
    struct measurement seen;
    char error[256];
    struct placed placed = place(input);
    place_output(&placed);
    place_limit_accesses(&placed.call);
    const bool ran = measure_run(&placed.call, &seen, error, sizeof error);
    place_free(&placed);
    if (!ran)
        return (double)input->length;
    return (double)(seen.most_by_thread + seen.threads_per_block + seen.threads / WARP +
                    DEPTH_OF_ANY);
}
