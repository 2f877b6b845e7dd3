/* copied.h - what of a call's copies and collectives the simulated GPU tells. */
#ifndef COPIED_H
#define COPIED_H

#include "counted_call.h"

/* From here on copies from the host to a device, and collectives of NCCL, are added to `call`. */
void copied_begin(struct counted_call *call);
/* No longer; the counters and reports of this process are added, too. */
void copied_end(struct counted_call *call);

/* A reduction of so many bytes of each member. */
void copied_collective(struct counted_call *call, uint64_t bytes);

#endif
