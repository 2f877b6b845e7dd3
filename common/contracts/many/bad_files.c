/* bad_files.c - files that cannot be read: nobody waits for ever, and nobody gets a result. */
#include <string.h>

#include "verdict_log.h"
#include "grouped.h"
#include "many/harness.h"
#include "many_cases.h"

/* "a file that is not there" */
static const char *const names[BAD_FILES] = {
    [NO_FILE] = "a file that is not there",
    [A_FOLDER] = "a folder",
    [NOT_FOR_ONE_RANK] = "a file that one rank cannot read",
    [SHRINKS] = "a file that becomes shorter while it is read",
};

static void expect_refused(const struct many_case *asked, const struct many_seen *seen)
{
    const char *slash = strrchr(seen->path, '/'), *name = slash ? slash + 1 : seen->path;
    if (seen->results_differ || seen->result != 1)
        fail_as("result", "%s returned %s on %s: it has to return 1 on all ranks", many_function,
                seen->results_differ ? "not the same on all ranks"
                                     : grouped((unsigned)seen->result),
                asked->what);
    for (unsigned int bin = 0; bin < num_bins(); bin++)
        if (seen->bins[bin] != asked->held || seen->others_touched)
            fail_as("bins", "%s touched a bin on %s, which has no result", many_function,
                    asked->what);
    if (seen->message_lines != 1 || !strstr(seen->message, name))
        fail_as("result",
                "%s wrote %s lines to standard error on %s, the first \"%s\": rank 0 has to "
                "write one, with the name of the file, \"%s\"",
                many_function, grouped(seen->message_lines), asked->what, seen->message, name);
    if (asked->bad != NO_FILE) /* the first call makes what is kept */
        expect_holds_no_more(asked, seen);
}

/* Where the first rank has a slice that is the whole file, it may be counted before it shrinks. */
static bool was_read_before(const struct many_case *asked, const struct many_seen *seen)
{
    struct many_case good = *asked;
    good.bad = GOOD_FILE;
    return seen->result == 0 && !seen->results_differ && !seen->others_touched &&
           seen_bins_right(&good, seen, false);
}

static void judge_bad_file(const struct many_case *asked, const struct many_seen *seen,
                           void *unused)
{
    (void)unused;
    if (asked->bad == GOOD_FILE)
        expect_seen_right(asked, seen, NULL);
    else if (asked->bad != SHRINKS || !was_read_before(asked, seen))
        expect_refused(asked, seen);
}

void expect_refuses_bad_files(void)
{
    enum { UNITS = 3, LENGTH = 9001, HELD = 77 };
    struct inputs inputs = {.count = 0};
    for (int bad = GOOD_FILE + 1; bad < BAD_FILES && many_reads_files; bad++) {
        struct many_case *input =
            inputs_add(&inputs, names[bad], text_of(TEXT_UNIFORM, 1, LENGTH), UNITS);
        input->bad = (enum many_bad_file)bad;
        input->held = HELD;
        inputs_add(&inputs, "a good file after a bad one", text_of(TEXT_UNIFORM, 2, LENGTH), UNITS);
    }
    inputs_run(&inputs, judge_bad_file, NULL);
}
