/* placed.h - an input in the memory of the target, and what a call leaves in its result. */
#ifndef PLACED_H
#define PLACED_H

#include "measure.h"
#include "values.h"

enum { MOST_BYTES = 16 }; /* of a value */

struct placed {
    struct call call;
    unsigned char *space;             /* with values before the first that would be seen */
    unsigned char before[MOST_BYTES]; /* what the result held before the call */
};

/* The values end where the allocation does. */
struct placed place(const struct input *input);
/* The result holds something that nobody wants, each time something else. */
void place_result(struct placed *placed);
/* The same as before, once more. */
void place_result_again(const struct placed *placed);
/* What it holds now. */
void place_read_result(const struct placed *placed, unsigned char held[MOST_BYTES]);
void place_free(struct placed *placed);

/* Makes the call and waits for its end. A kernel that does not come to one, or of which a check
 * reports anything, fails the test; `what` describes the input. */
void place_run(const struct placed *placed, const char *what);
/* How many accesses lanes may make on this input before they are stopped. */
void place_limit_accesses(const struct call *call);

#endif
