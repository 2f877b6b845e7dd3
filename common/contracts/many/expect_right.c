/* expect_right.c - calls the function on inputs, and fails the test when it stops or counts wrong. */
#include <stdio.h>
#include <string.h>

#include "causes.h"
#include "evidence.h"
#include "facts.h"
#include "grouped.h"
#include "harness.h"
#include "oracle.h"

enum { MESSAGE = 2048 };

static uint64_t reported; /* by the checks, in all calls of this test */

void expect_no_reports(const char *what)
{
    if (reported == 0)
        return;
    cr_assert_fail("the report above was made on %s: the function is wrong, whatever it counted "
                   "this time",
                   what);
}

/* It has come back as the contract says. */
static void expect_returned(const struct many_case *asked, const struct many_seen *seen)
{
    const char *units = many_units_of(asked->units);
    reported += seen->reports;
    if (seen->reports > 0)
        facts_add("seed %llu", (unsigned long long)asked->seed);
    expect_no_reports(asked->what);
    if (seen->error[0] || !seen->returned) {
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s on %u %s: %s", asked->what, asked->units, units,
                       seen->error[0] ? seen->error : "it did not return on all of them");
    }
    if (seen->results_differ || seen->result != 0) {
        facts_add("failed result");
        cr_assert_fail("%s returned %s on %s on %u %s: the file can be read, so it has to be 0 on "
                       "all",
                       many_function, seen->results_differ ? "not the same" : grouped(1),
                       asked->what, asked->units, units);
    }
    if (seen->device_after != seen->device_before) {
        facts_add("failed result");
        cr_assert_fail("device %u is current after %s on %s, and device %u was before: "
                       "cudaGetDevice and cudaSetDevice keep it",
                       seen->device_after, many_function, asked->what, seen->device_before);
    }
}

static void expect_bins(const struct many_case *asked, const struct many_seen *seen)
{
    char explanation[MESSAGE];
    if (!oracle_is_right(asked, seen, explanation, sizeof explanation)) {
        facts_add("failed bins");
        cr_assert_fail("%s", explanation);
    }
    if (seen->others_touched) {
        facts_add("failed bins");
        cr_assert_fail("bins of a rank but 0 were touched on %s on %u %s", asked->what,
                       asked->units, many_units_of(asked->units));
    }
}

void expect_seen_right(const struct many_case *asked, const struct many_seen *seen, void *told)
{
    expect_returned(asked, seen);
    if (!asked->text)
        return;
    expect_bins(asked, seen);
    expect_kernels_loaded(asked, seen);
    expect_nothing_kept(asked, seen);
    if (!told)
        return;
    facts_add("schedules 1");
    facts_add("input %s", asked->what);
}

void expect_many_right(const struct many_case *asked)
{
    struct many_seen seen = many_measure_case(asked);
    many_seen_free(&seen);
}

struct many_seen many_measure_case(const struct many_case *asked)
{
    struct many_seen seen;
    many_run(asked, &seen);
    expect_seen_right(asked, &seen, asked->text ? (void *)(uintptr_t)asked : NULL);
    return seen;
}

struct many_seen many_measure(const struct text *text, unsigned int units)
{
    return many_measure_case(&(struct many_case){.what = text->name,
                                                 .text = text->bytes,
                                                 .length = text->length,
                                                 .units = units,
                                                 .seed = 1});
}
