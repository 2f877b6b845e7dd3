/* suite.c - what the program of a suite's tests tells the verdict. */
#define _GNU_SOURCE
#include "suite.h"

#include <sys/stat.h>

#include "in_folder.h"

TestSuite(suite, .init = enter_folder);

/* Eight processes write at once. Catches entries that are written over by another process's: a verdict then counts
 * fewer inputs than the kernel was judged on. */
Test(suite, keeps_all_that_tests_tell_at_the_same_time)
{
    enum { PROCESSES = 8, EACH = 2000 };
    write_text("program", "#!/bin/sh\n"
                          "for last; do :; done\n"
                          "echo 'ok - a::b  (0.02s)' >\"${last#--tap=}\"\n"
                          "for process in 1 2 3 4 5 6 7 8; do\n"
                          "    { i=0; while [ $((i += 1)) -le 2000 ]; do echo \"$VERDICT_LOG a/b "
                          "input $i\"; done; } &\n"
                          "done\n"
                          "wait\n");
    cr_assert_eq(chmod("program", 0700), 0);
    struct suite_run run = {.program = "./program", .kept = "kept/test", .jobs = 1};
    cr_assert_null(suite_run_tests(&run));
    cr_assert_eq(run.count, 1);
    size_t lines = 0;
    for (const char *at = run.tests[0].log; (at = strstr(at, "input ")); at++)
        lines++;
    cr_expect_eq(lines, PROCESSES * EACH, "%zu", lines);
}
