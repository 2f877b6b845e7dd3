/* model.h - where bins are updated: chosen on the host from the operation, the lengths and the device alone, so that a
 * call never waits. What depends on the elements a sample decides, on the device. */
#ifndef LADDER_MODEL_H
#define LADDER_MODEL_H

#include "plan.h"

/* What the model and the host must know of an operation. */
struct ladder_facts {
    const char *name;
    const struct ladder_kernels *kernels;
    size_t bin_bytes, word_bytes; /* of a bin in memory, and of its word in shared memory */
    size_t alignment;             /* of the bins */
    bool has_values, is_counted, is_maximum, is_sum;
    double pass, buckets, sector, sector_beyond, many_bins;
    unsigned int few;
};

#pragma GCC visibility push(hidden) /* known within the library alone */

/* The facts of an operation; NULL if there is no such one. */
const struct ladder_facts *ladder_facts_of(ladder_operation operation);

/* The plan for so many elements and bins, 1 or more of each. Asks no device. */
void ladder_choose(const ladder_device *device, ladder_operation operation, size_t length,
                   size_t num_bins, struct ladder_plan *plan);

#pragma GCC visibility pop

#endif
