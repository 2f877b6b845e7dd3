/* stuck.h - whether ranks wait for what does not come. */
#ifndef STUCK_H
#define STUCK_H

#include "control.h"

struct stuck {
    uint64_t steps; /* of all ranks, when they were last seen to do something */
    double since;   /* seconds */
};

/* Looks at the ranks that work on a case, at a time in seconds. Returns what holds them, "did not return on
 * rank 0: ...", or NULL: they may go on. Where all that have not returned wait in MPI, that is certain after
 * a second and a half, otherwise after half a minute. */
const char *stuck_look(struct stuck *stuck, const struct control *control, unsigned int number,
                       double now);

#endif
