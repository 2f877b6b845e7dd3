/* printed.h - what ranks print, passed on in measure. */
#ifndef PRINTED_H
#define PRINTED_H

#include <sys/types.h>

#include "many_run.h"

enum { PRINTED_LINES = 20 }; /* shown, at most */

struct printed {
    const char *folder; /* of the job */
    unsigned int ranks;
    off_t said[MOST_UNITS], printed[MOST_UNITS]; /* so far */
    unsigned int lines;                          /* shown */
    char line[PRINTED_LINES][512];               /* of this round, and whose they are */
    unsigned int line_of[PRINTED_LINES], said_count;
};

void printed_begin(struct printed *printed, const char *folder, unsigned int ranks);
/* Passes on to standard error what has come since the last time: of all ranks the first lines, without those
 * that another rank has said; the reports of the simulator of the first rank that has some. */
void printed_show(struct printed *printed);
/* Nobody need see it. */
void printed_skip(struct printed *printed);

#endif
