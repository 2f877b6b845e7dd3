/* text_watch.h - which way the bytes of a text go, seen from within the process whose kernels count it.
 *
 * The simulator tells of copies by host code and in streams, of launches and of accesses by kernels. One call is
 * watched at a time. */
#ifndef TEXT_WATCH_H
#define TEXT_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "many_run.h"
#include "measure.h"
#include "sim.h"

/* Begins to watch. The text lies in host memory, or, when it is NULL, in a file: then text_watch_arrives tells what
 * comes from there. Only the first `units` devices are watched. With `idle` no kernel runs until the end, and nothing
 * is copied. */
void text_watch_begin(const void *text, size_t length, unsigned int units, bool idle);
/* To be called when bytes of the text, from `offset` on, were read into host memory. */
void text_watch_arrives(const void *memory, uint64_t offset, size_t bytes);
/* To be called when a collective was carried out: by the simulator for NCCL, by the caller for MPI. */
void text_watch_reduces(const struct sim_collective_seen *collective, void *unused);
/* Fills in what was seen: the units, by their devices, reads, collectives, and `loaded`. */
void text_watch_end(struct many_seen *seen);

/* The same in a few numbers, for a row: how many units there are, what they copied, and which reductions of bins they
 * made. */
struct together text_watch_together(const struct many_seen *seen, unsigned int units);

/* These follow counters of less than 64 bits that launches add to, one after the other. */

/* Forgets all counters. */
void narrow_sums_begin(void);
/* Notes an access of launch number `launch`, from 1 on. Returns how many of its lanes add to a counter of less than 8
 * bytes in global memory that an earlier launch has added to, and nothing has set since. */
uint64_t narrow_sums_note(const struct sim_event *event, uint64_t launch);
/* To be called when a range is copied to, or filled. */
void narrow_sums_set(uintptr_t begin, uint64_t bytes);

#endif
