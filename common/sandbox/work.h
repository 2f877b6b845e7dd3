/* work.h - how much work a call with an operation may take, and so how often one is repeated. */
#ifndef WORK_H
#define WORK_H

#include "call_arrays.h"

/* What lanes have asked of memory so far. */
uint64_t work_accesses(void);
/* Schedules for an input, of at most `most`, after a call with so many accesses. A grid with more
 * threads than `large` costs much on every input, however short: it has one schedule each, and not always
 * the same; and so has what takes long for its bins, if these are more than `many`, or because its
 * threads wait. */
uint64_t work_schedules(const struct input *input, uint64_t accesses, uint64_t most, uint64_t large,
                        size_t many);
/* Accesses after which a call is stopped. */
uint64_t work_limit(const struct call *call);

#endif
