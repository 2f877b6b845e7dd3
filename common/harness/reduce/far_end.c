/* far_end.c - whether an index wraps: the far end of 4,294,967,295 values. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"
#include "harness.h"
#include "longest.h"
#include "placed.h"
#include "target.h"

enum { SHORT = 8191 };

static bool look(const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                 char *error, size_t error_size)
{
    enum { MUCH = 100 * 1000 * 1000 };
    const struct call call = {.operation = operation_now(), .length = UINT32_MAX};
    sim_set_budget(MUCH);
    return measure_far_end(&call, trial, seen, stopped, error, error_size);
}

static bool is_right(const struct placed *placed, const struct input *input)
{
    unsigned char held[MOST_BYTES];
    const struct oracle oracle = oracle_of(input);
    place_read_result(placed, held);
    return oracle_agrees(&oracle, held, oracle_bound(&oracle, SHORT));
}

/* A short input: with `trial` NULL to learn of the kernel, else whether that goes well. */
static bool run_short(const struct sim_trial *trial, struct measurement *seen)
{
    enum { ENOUGH = 8 * 1000 * 1000 };
    char error[256];
    struct input input = input_of(VALUES_SMALL, 1, SHORT);
    struct placed placed = place(&input);
    place_result(&placed);
    place_limit_accesses(&placed.call);
    if (trial)
        sim_set_budget(ENOUGH);
    sim_try(trial);
    const bool ran = measure_run(&placed.call, seen, error, sizeof error);
    const bool stopped = trial && sim_trial_stopped();
    sim_try(NULL);
    const bool right = ran && !stopped && is_right(&placed, &input);
    place_free(&placed);
    input_free(&input);
    return right;
}

static char reader[64]; /* the kernel that reads the values */

static bool works_in(unsigned int blocks)
{
    struct measurement seen;
    return run_short(&(struct sim_trial){.kernel = reader, .blocks = blocks}, &seen);
}

static void expect_none(const char *units)
{
    (void)units;
    expect_no_reports("the far end of 4,294,967,295 values");
}

/* A kernel that is wrong on a short input is told so by other tests. */
void expect_no_wrapped_index(void)
{
#ifndef SIMULATED_GPU
    cr_skip_test("on a GPU it would take 17 GB of values; the simulated one has them for nothing");
#endif
    char before[40];
    struct measurement own;
    operation_choose(0); /* an index does not depend on the operation */
    if (!run_short(NULL, &own))
        return;
    snprintf(before, sizeof before, "%s: ", operation_name(operation_now()));
    snprintf(reader, sizeof reader, "%s", own.reader);
    longest_judge(&(struct longest){.before = before,
                                    .units = "values",
                                    .input = "array",
                                    .own = {reader, own.blocks, own.threads_per_block},
                                    .look = look,
                                    .works_in = works_in,
                                    .expect_no_reports = expect_none});
}

uint64_t launches_on_the_longest_array(void)
{
#ifndef SIMULATED_GPU
    cr_skip_test("on a GPU it would take 17 GB of values; the simulated one has them for nothing");
#endif
    struct far_reads seen;
    const char *stopped;
    char error[256];
    if (!look(&(struct sim_trial){.last = 1}, &seen, &stopped, error, sizeof error)) {
        facts_add("failed far-end");
        cr_assert_fail("%s: stopped on 4,294,967,295 values: %s", operation_name(operation_now()),
                       error);
    }
    return seen.launches;
}
