/* run_tests.c - main() of a suite where Criterion is not installed: each test runs in a process of its own, one after the
 * other, in the order of their names. Of Criterion's arguments it takes --filter PATTERN and --tap=FILE, and writes the
 * same lines there. */
#define _GNU_SOURCE
#include "criterion/criterion.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

const struct criterion_test *criterion_current_test;
const struct criterion_suite *criterion_current_suite;
static struct criterion_test *tests; /* in their order */
static FILE *report;

static int compare(const struct criterion_test *a, const struct criterion_test *b)
{
    const int suites = strcmp(a->suite.name, b->suite.name);
    return suites != 0 ? suites : strcmp(a->name, b->name);
}

void fallback_add(struct criterion_test *test)
{
    struct criterion_test **place = &tests;
    while (*place && compare(*place, test) < 0)
        place = &(*place)->next;
    test->next = *place;
    *place = test;
}

static void tell(const char *begin, const char *more)
{
    fprintf(report, "%s - %s::%s %s\n", begin, criterion_current_suite->name,
            criterion_current_test->name, more);
}

enum { HAS_FAILED = 77, IS_SKIPPED }; /* statuses of tests that have said so themselves */

void fallback_fail(const char *format, ...)
{
    char message[4096], *rest = message;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tell("not ok", "");
    for (char *line; (line = strsep(&rest, "\n"));)
        fprintf(report, "      %s%s\n", line == message ? "Assertion failed: " : "", line);
    fflush(NULL);
    _exit(HAS_FAILED);
}

void fallback_skip(const char *format, ...)
{
    (void)format;
    tell("ok", "# SKIP");
    fflush(NULL);
    _exit(IS_SKIPPED);
}

/* Returns whether it passed. When this program is ended, the test is, too. */
static int run(const struct criterion_test *test)
{
    int status = 0;
    criterion_current_test = test;
    criterion_current_suite = &test->suite;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        test->run();
        exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        abort();
    const int exited = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
              passed = exited == test->exit_code;
    if (exited == HAS_FAILED || exited == IS_SKIPPED)
        return exited == IS_SKIPPED;
    tell(passed ? "ok" : "not ok", "");
    return passed;
}

int main(int count, char **arguments)
{
    const char *pattern = "*";
    char name[512];
    int failed = 0;
    report = stdout;
    for (int i = 1; i < count; i++) {
        if (strncmp(arguments[i], "--tap=", 6) == 0)
            report = fopen(arguments[i] + 6, "w");
        if (strcmp(arguments[i], "--filter") == 0 && i + 1 < count)
            pattern = arguments[i + 1];
    }
    for (const struct criterion_test *test = report ? tests : NULL; test; test = test->next) {
        snprintf(name, sizeof name, "%s/%s", test->suite.name, test->name);
        failed += fnmatch(pattern, name, 0) == 0 && !run(test);
    }
    return !report || failed > 0;
}
