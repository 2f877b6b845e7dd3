/* suite.h - a chapter's suite, which is a program of Criterion's. */
#ifndef SUITE_H
#define SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct suite_test {
    char *name; /* "chapter05/counts_in_copies" */
    enum { PASSED, FAILED } state;
    const char *message;     /* of the assertion that failed */
    FILE *printed, *entries; /* while they are read */
    const char *output,
        *log; /* what the kernel printed, and the assertion; the entries: verdict_log.h */
};

struct suite_run {
    char *program;
    char *kernel;     /* the folder of the kernel that it judges, which it is told; NULL: its own */
    const char *kept; /* FOLDER/test, or the program: with what the names of its files begin */
    unsigned int jobs;        /* tests that run at a time */
    struct suite_test *tests; /* in the order of their names */
    size_t count;
};

/* Runs the tests. Returns the first that failed; NULL when all passed, or none has run. A test behind one that has
 * failed ends early. What the program itself says is in KEPT.err, Criterion's report in KEPT.tap. */
struct suite_test *suite_run_tests(struct suite_run *suite);

/* Leaves KEPT.out and KEPT.log: what the tests printed and told, in their order, up to
 * `last`, the first that failed, or all for NULL. */
void suite_gather(const struct suite_run *suite, const struct suite_test *last);

#endif
