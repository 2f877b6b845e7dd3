/* copied.h - what of a call's copies and collectives the simulated GPU tells. */
#ifndef COPIED_H
#define COPIED_H

#include "measure.h"

/* From here on copies from the host to a device, and collectives of NCCL, are added to cost->together. */
void copied_begin(struct measurement *cost);
/* No longer; the counters of this process are added, too. */
void copied_end(struct measurement *cost);

/* A reduction of so many bytes of each member. */
void copied_collective(struct together *together, uint64_t bytes);

#endif
