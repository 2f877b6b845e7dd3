/* sample.h - what some blocks of a grid do on a long input, whose content is that of a short one, over and
 * over. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdint.h>

#include "call_arrays.h"
#include "measure.h"

enum { SAMPLE_BLOCKS = 64 };

struct sample {
    struct call call;    /* but for its addresses */
    struct call content; /* whose input lies in the target's memory */
    uint64_t skip;       /* blocks at the end of a large grid that do not run; of those before them
                            SAMPLE_BLOCKS do */
    uint64_t budget;     /* accesses of lanes, in one launch */
};

/* Makes the call as a trial (struct sim_trial), without the checks of what is in memory. Of `result` it sets what
 * the launches that read the input did: the traffic of lanes in each memory; bytes_read; the blocks that ran
 * (reading_blocks) and their threads. `blocks` are those of the largest grid, whatever it read. A launch
 * that fails, or comes to no end, counts as far as it came. */
void sample_run(const struct sample *sample, struct measurement *result);

#endif
