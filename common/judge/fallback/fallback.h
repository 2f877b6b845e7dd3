/* fallback.h - what the tests and their main() know of each other, on a machine without Criterion. */
#ifndef FALLBACK_H
#define FALLBACK_H

#include "criterion/criterion.h"

/* How a test ended, as it says itself. */
enum fallback_end { NOTHING_SAID, FAILED, SKIPPED };

extern struct fallback {
    struct fallback_test *tests; /* in the order of their suites, and then of their names */
    const struct fallback_test *current;
    enum fallback_end *end; /* in memory that the processes of the tests share */
} fallback;

#endif
