/* ending.h - how ranks ended that should not have. */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>
#include <stddef.h>

#include "control.h"

/* mpirun has ended with a status of waitpid, while its ranks worked on `what`, and the system was short of memory
 * or not: a sentence about the rank that ended first, and how. */
void ending_describe(const struct control *control, const char *folder, const char *what,
                     int status, bool short_of_memory, char *text, size_t size);

/* All reports of the simulator become facts (facts.h), for the ranks cannot tell of them any more. */
void ending_tell_caught(const struct control *control, const char *folder);

#endif
