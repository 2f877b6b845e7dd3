/* supervised.h - work in a process of its own that may crash, or never end, and goes on after that. */
#ifndef SUPERVISED_H
#define SUPERVISED_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* What worker and supervisor both see. */
struct progress {
    volatile size_t next;                   /* the number of the step at hand */
    volatile time_t begun;                  /* when it began */
    volatile bool anything_wrong, complete; /* complete: all steps are done */
    volatile double kept[2];                /* what steps leave for the ones after them */
    volatile size_t right, judged;          /* the same, of results */
    volatile size_t in_row;                 /* steps that a row of them has: for `lost` */
    char name[64];                          /* of the step, for a message */
};

/* Says that step `number` begins; without a name what comes before it, and nothing goes on without. */
void begin_step(struct progress *progress, size_t number, const char *name);

enum { MOST_LOST = 100 };

/* Has `work` done by a child. When it dies, or has been at one step for `patience` seconds, `lost` is
 * called with that step in `progress`, and another child begins with the next one: at most MOST_LOST
 * times. Returns false when a step was lost, or when `work` set anything_wrong. */
bool supervised(void (*work)(struct progress *progress, void *what),
                void (*lost)(struct progress *progress, const char *why, void *what), void *what,
                int patience);

#endif
