/* junit.h - verdicts as JUnit's XML, for programs that show tests: FORMAT=junit. */
#ifndef JUNIT_H
#define JUNIT_H

#include <stddef.h>

struct junit_case {
    const char *name;
    double seconds;
    enum { JUNIT_PASSED, JUNIT_FAILURE, JUNIT_ERROR, JUNIT_SKIPPED } outcome;
    const char *message; /* why it has not passed */
    const char *output;  /* what shows it; or "" */
};

/* A suite as one line: an element testsuite with a testcase for each. `name` is the chapter's, "05_name", and
 * `file` the kernel's, or NULL. */
char *junit_suite(const char *name, const char *file, const struct junit_case *cases, size_t count);

#endif
