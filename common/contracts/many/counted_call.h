/* counted_call.h - one call of a function of many.h, counted where it runs.
 *
 * by_devices.c and by_ranks.c implement this, for histogram_many() and histogram_file(): a program is
 * linked with one of the two. */
#ifndef COUNTED_CALL_H
#define COUNTED_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "binning.h"
#include "sim.h"
#include "text.h"

/* What all devices, or all ranks, did together. */
struct counted_call {
    unsigned int units;                /* devices, or ranks with a device each */
    unsigned long long bins[NUM_BINS]; /* of rank 0 */
    char error[256];                   /* why there are none, "" when there are */
    struct sim_counters counters;
    uint64_t copied_bytes;      /* from the host to a device */
    uint64_t most_copied_bytes; /* of these, those to one device */
    uint64_t collectives;       /* reductions of bins, of NCCL and of MPI */
    uint64_t collective_bytes;  /* that each member brings to the largest of them */
    uint64_t reports;           /* of the simulated GPU */
};

/* To be called first in main: has as many devices, or ranks, as SIM_DEVICES says, 4 where it says
 * nothing. Returns whether this process is the one that has the result, as one of them has. */
bool counted_begin(char **arguments);

/* Calls it on a text, which is in `file`, too; all ranks do. */
void counted_run(const struct text *text, const char *file, struct counted_call *call);

/* Before main returns. */
void counted_end(void);

#endif
