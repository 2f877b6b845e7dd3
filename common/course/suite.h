/* suite.h - a chapter's suite, and the names in an object. */
#ifndef SUITE_H
#define SUITE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Runs the tests of a suite, each in a process of its own.
 *
 * Several run at a time; the outcome is that of one after the other, in the order of their names,
 * up to the first that fails. */

struct suite_test {
    char *name;         /* "chapter05/counts_in_copies" */
    const char *output; /* a file: what it printed */
    int stdout_file;    /* without a name: verdict_log.h */
    const char *nonce;  /* with which each entry begins */
    char *log;          /* once it has ended: the entries, a line each */
    enum { WAITS, RUNS, PASSED, FAILED, STOPPED } state;
    pid_t pid;
    double begun, seconds; /* it took so long now, or the last time; 0 when that is not known */
};

struct suite_run {
    char *program;    /* answers --names, and runs the test that --filter names */
    char *kernel;     /* the folder of the kernel that it judges, which it is told; NULL: its own */
    const char *kept; /* FOLDER/test, or the program: with what the names of its files begin */
    unsigned int jobs; /* tests that run at a time */
    struct suite_test *tests;
    size_t count;
};

/* Asks the program for its tests. None when it ended before it could answer. */
void suite_list(struct suite_run *suite);

/* Runs the tests. Returns the first that failed, with all before it passed, and stops the rest
 * as soon as it is known; NULL when all passed. What they print is kept in the folder
 * KEPT.tests, with how long each took: the longest begin first the next time. */
struct suite_test *suite_run_tests(struct suite_run *suite);

/* Leaves KEPT.out and KEPT.log: what the tests printed and told, in their order, up to
 * `last`, the first that failed, or all for NULL. */
void suite_gather(const struct suite_run *suite, const struct suite_test *last);

/* The names that a student's object defines and uses. */

/* An object leaves alone what is the judge's when it defines no function that the program around
 * it uses, and calls none that looks behind the judge's back. Returns NULL then, or for one that
 * is not there; else which name it is, and where. With `threads` it may begin host threads and map
 * files. */
const char *wrong_names(const char *object, bool threads);

#endif
