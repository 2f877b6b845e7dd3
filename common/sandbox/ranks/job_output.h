/* job_output.h - what ranks print, passed on in measure. */
#ifndef JOB_OUTPUT_H
#define JOB_OUTPUT_H

#include <sys/types.h>

#include "many_run.h"

enum { PRINTED_LINES = 20 }; /* shown, at most */

struct job_output {
    const char *folder; /* of the job */
    unsigned int ranks;
    off_t said[MOST_UNITS], printed[MOST_UNITS]; /* so far */
    unsigned int lines;                          /* shown */
    char line[PRINTED_LINES][512];               /* of this round, and whose they are */
    unsigned int line_of[PRINTED_LINES], said_count;
};

void job_output_begin(struct job_output *printed, const char *folder, unsigned int ranks);
/* Passes on to standard error what has come since the last time: of all ranks the first lines, without those
 * that another rank has said; the reports of the simulator of the first rank that has some. */
void job_output_show(struct job_output *printed);
/* Nobody need see it. */
void job_output_skip(struct job_output *printed);

#endif
