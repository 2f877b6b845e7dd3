/* placed.h - an input in the memory of the target, and what a call leaves in its bins. */
#ifndef PLACED_H
#define PLACED_H

#include "elements.h"
#include "measure.h"

struct placed {
    struct call call;
    unsigned char *space; /* with elements before the first that would be counted */
};

struct placed place(const struct input *input);
/* What the bins hold before a call. */
void place_bins(const struct placed *placed, const struct input *input);
/* What they hold now, to be freed. */
unsigned char *place_read_bins(const struct placed *placed);
void place_free(struct placed *placed);

/* Makes the call and waits for its end. A kernel that does not come to one, or of which a check
 * reports anything, fails the test; `what` describes the input. */
void place_run(const struct placed *placed, const char *what);
/* How many accesses lanes may make on this input before they are stopped. */
void place_limit_accesses(const struct call *call);

#endif
