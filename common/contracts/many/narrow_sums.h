/* narrow_sums.h - counters of less than 64 bits that launches add to, one after the other. */
#ifndef NARROW_SUMS_H
#define NARROW_SUMS_H

#include <stdint.h>

#include "sim.h"

/* Forgets all. */
void narrow_sums_begin(void);
/* An access of launch number `launch`, from 1 on. Returns how many of its lanes add to a counter in
 * global memory of less than 8 bytes that an earlier launch has added to, and nothing has set since. */
uint64_t narrow_sums_note(const struct sim_event *event, uint64_t launch);
/* A range is copied to, or filled. */
void narrow_sums_set(uintptr_t begin, uint64_t bytes);

#endif
