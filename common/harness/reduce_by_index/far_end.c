/* far_end.c - whether an index wraps: the far end of 4,294,967,295 elements. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"
#include "harness.h"
#include "longest.h"
#include "oracle.h"
#include "placed.h"
#include "target.h"
#include "traffic.h"

enum { BINS_OF_IT = 31, SHORT = 8191 };

/* Elements that nobody has written have key 0, all of them. Where that makes threads wait, for a lock
 * or to compare and swap, a trial may make few accesses, and finds out less. */
static uint64_t budget;

static bool look(const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                 char *error, size_t error_size)
{
    const struct call call = {
        .operation = operation_now(), .length = UINT32_MAX, .num_bins = BINS_OF_IT};
    sim_set_budget(budget);
    return measure_far_end(&call, trial, seen, stopped, error, error_size);
}

static bool is_right(const struct placed *placed, const struct input *input)
{
    size_t first;
    struct oracle oracle = oracle_of(input);
    unsigned char *bins = place_read_bins(placed);
    const bool right = oracle_wrong(&oracle, bins, &first) == 0;
    free(bins);
    oracle_free(&oracle);
    return right;
}

/* A short input: with `trial` NULL to learn of the kernel, else whether that goes well. */
static bool run_short(const struct sim_trial *trial, struct measurement *seen)
{
    enum { ENOUGH = 8 * 1000 * 1000 };
    char error[256];
    struct input input = input_of(KEYS_UNIFORM, 1, SHORT, BINS_OF_IT);
    struct placed placed = place(&input);
    place_bins(&placed, &input);
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

static char reader[64]; /* the kernel that reads the elements */

static bool works_in(unsigned int blocks)
{
    struct measurement seen;
    return run_short(&(struct sim_trial){.kernel = reader, .blocks = blocks}, &seen);
}

static void expect_none(const char *units)
{
    (void)units;
    expect_no_reports("the far end of 4,294,967,295 elements");
}

/* By what a kernel takes for equal keys. */
static uint64_t budget_for_equal_keys(void)
{
    enum { EQUAL = 509, FEW = 8, MUCH = 12 * 1000 * 1000, LITTLE = 300 * 1000 };
    struct measurement seen;
    char error[256];
    struct input input = input_of(KEYS_SINGLE, 1, EQUAL, BINS_OF_IT);
    struct placed placed = place(&input);
    place_bins(&placed, &input);
    place_limit_accesses(&placed.call);
    const bool ran = measure_run(&placed.call, &seen, error, sizeof error);
    place_free(&placed);
    input_free(&input);
    return ran && lanes_of(&seen.counters) < FEW * EQUAL ? MUCH : LITTLE;
}

/* A kernel that is wrong on a short input is told so by other tests. */
static void expect_far_end_read(void)
{
    char before[40];
    struct measurement own;
    if (!run_short(NULL, &own))
        return;
    budget = budget_for_equal_keys();
    snprintf(before, sizeof before, "%s: ", operation_name(operation_now()));
    snprintf(reader, sizeof reader, "%s", own.reader);
    longest_judge(&(struct longest){.before = before,
                                    .units = "elements",
                                    .input = "elements",
                                    .own = {reader, own.blocks, own.threads_per_block},
                                    .look = look,
                                    .works_in = works_in,
                                    .expect_no_reports = expect_none});
}

void expect_no_wrapped_index(void)
{
#ifndef SIMULATED_GPU
    cr_skip_test(
        "on a GPU it would take 34 GB of elements; the simulated one has them for nothing");
#endif
    operation_choose(0); /* an index does not depend on the operation */
    expect_far_end_read();
}
