/* verdict_result.h - a verdict as a result for other programs: see results.h. */
#ifndef VERDICT_RESULT_H
#define VERDICT_RESULT_H

#include "chapter.h"
#include "suite.h"

struct verdict_result {
    /* "solved", "another" (right, by another technique), "wrong", "empty" (all gaps are), or "unjudged", where
     * nothing is known of the kernel */
    const char *outcome;
    const char *sentence; /* what the verdict says first */
    const char *source;
    unsigned int bins;
    unsigned int inputs, fewest, most; /* schedules of an input */
    const char *technique;             /* what the counter says of it; or "" */
    const char *seed;                  /* of the schedule that went wrong; or "" */
    const struct gaps *gaps;
    const struct suite_run *suite;
};

/* Writes the result, in the shape that is asked for; without that nothing happens. */
void verdict_result_write(const struct verdict_result *verdict);

#endif
