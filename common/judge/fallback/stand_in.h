/* stand_in.h - what the tests and their main() know of each other, on a machine without Criterion. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include "criterion/criterion.h"

/* How a test ended, as it says itself. */
enum stand_in_end { NOTHING_SAID, FAILED, SKIPPED };

extern struct stand_in {
    struct stand_in_test *tests; /* in the order of their suites, and then of their names */
    const struct stand_in_test *current;
    enum stand_in_end *end; /* in memory that the processes of the tests share */
} stand_in;

#endif
