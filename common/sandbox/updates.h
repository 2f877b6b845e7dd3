/* updates.h - how bins are updated where no atomic function can: attempts and locks.
 *
 * What tells the two apart are the values. A word that a thread sets by an atomic, and sets back to what
 * it was, is a lock, held in between; all other compare-and-swaps are attempts to update something. */
#ifndef UPDATES_H
#define UPDATES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

struct updates {
    uint64_t attempts; /* lanes' compare-and-swaps on words that are no locks */
    uint64_t others;   /* lanes' adds, and atomics on bits, on words that are no locks */
    uint64_t locks;    /* times that one was held, from acquire to release by the same thread */
    uint64_t words;    /* that are locks */
    uint64_t held;     /* locks that are held in the end */
};

/* From here on whoever observes accesses and steps passes all of them on, until the end. `are_all`:
 * adds, and atomics on bits, are followed as well. */
void updates_begin(bool are_all);
void updates_note(const struct sim_event *event);
void updates_note_step(const struct sim_step *step);
struct updates updates_end(void);

#endif
