/* text_watch.h - which way the bytes of a text go, seen from within the process whose kernels count it.
 *
 * Of what the simulator tells: copies of host code and of streams, launches, accesses of kernels. Of one
 * call at a time. */
#ifndef TEXT_WATCH_H
#define TEXT_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "many_run.h"
#include "measure.h"
#include "sim.h"

/* The text lies in host memory, or, when it is NULL, in a file: then text_watch_arrives tells what comes
 * from there. Of devices only the first `units` are watched. `idle`: until the end no kernel runs, and
 * nothing is copied. */
void text_watch_begin(const void *text, size_t length, unsigned int units, bool idle);
/* Bytes of the text from `offset` on were read into host memory. */
void text_watch_arrives(const void *memory, uint64_t offset, size_t bytes);
/* A collective was carried out: of NCCL the simulator tells it, of MPI its caller. */
void text_watch_reduces(const struct sim_collective_seen *collective, void *unused);
/* Fills in what was seen: the units, by their devices, reads, collectives, and `loaded`. */
void text_watch_end(struct many_seen *seen);

/* The same in a few numbers, for a row: of so many units, which copies and reductions of bins. */
struct together text_watch_together(const struct many_seen *seen, unsigned int units);

/* Counters of less than 64 bits that launches add to, one after the other. */

/* Forgets all. */
void narrow_sums_begin(void);
/* An access of launch number `launch`, from 1 on. Returns how many of its lanes add to a counter in
 * global memory of less than 8 bytes that an earlier launch has added to, and nothing has set since. */
uint64_t narrow_sums_note(const struct sim_event *event, uint64_t launch);
/* A range is copied to, or filled. */
void narrow_sums_set(uintptr_t begin, uint64_t bytes);

#endif
