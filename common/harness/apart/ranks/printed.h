/* printed.h - what ranks print, passed on in measure. */
#ifndef PRINTED_H
#define PRINTED_H

#include <sys/types.h>

#include "many_run.h"

struct printed {
    const char *folder; /* of the job */
    unsigned int ranks;
    off_t said[MOST_UNITS], printed[MOST_UNITS]; /* so far */
    unsigned int lines;                          /* shown */
};

void printed_begin(struct printed *printed, const char *folder, unsigned int ranks);
/* Passes on to standard error what has come since the last time: of all ranks the first lines, the reports of
 * the simulator of the first rank that has some. */
void printed_show(struct printed *printed);
/* Nobody need see it. */
void printed_skip(struct printed *printed);

#endif
