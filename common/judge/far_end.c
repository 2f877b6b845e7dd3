/* far_end.c - whether an index wraps: the far end of 4,294,967,295 units. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract.h"
#include "expect_right.h"
#include "facts.h"
#include "longest.h"
#include "target.h"

static size_t num_bins; /* of the ordinary input, and of the longest */
static uint64_t budget;
static char reader[64]; /* the kernel that reads the input */
static char what[80];   /* the longest, in words */

static bool look(const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                 char *error, size_t error_size)
{
    const struct call call = call_of(UINT32_MAX, layout.one_each ? UINT32_MAX : num_bins, 0);
    sim_set_budget(budget);
    return measure_far_end(&call, &contract.far_limits, trial, seen, stopped, error, error_size);
}

static bool is_right(const struct placed *placed)
{
    struct oracle *oracle = contract.expect(placed->input);
    unsigned char *held = place_read(placed);
    struct difference d = {.input = placed->input, .oracle = oracle, .held = held};
    const bool right = contract.compare(&d);
    free(held);
    contract_forget(oracle);
    return right;
}

/* A short input: with `trial` NULL to learn of the kernel, else whether that goes well. */
static bool run_short(const struct sim_trial *trial, struct measurement *seen)
{
    enum { ENOUGH = 8 * 1000 * 1000 };
    char error[256];
    struct input input = contract.draw(1, contract.ordinary);
    struct placed placed = place(&input);
    num_bins = input.num_bins;
    place_output(&placed);
    place_limit_accesses(&placed.call);
    if (trial)
        sim_set_budget(ENOUGH);
    sim_try(trial);
    const bool ran = measure_run(&placed.call, seen, error, sizeof error);
    const bool stopped = trial && sim_trial_stopped();
    sim_try(NULL);
    const bool right = ran && !stopped && is_right(&placed);
    place_free(&placed);
    input_free(&input);
    return right;
}

static bool works_in(unsigned int blocks)
{
    struct measurement seen;
    return run_short(&(struct sim_trial){.kernel = reader, .blocks = blocks}, &seen);
}

static void expect_none(const char *units)
{
    snprintf(what, sizeof what, "the far end of 4,294,967,295 %s", units);
    expect_no_reports(what);
}

static void skip_on_a_gpu(void)
{
#ifndef SIMULATED_GPU
    cr_skip_test("on a GPU it would take %s; the simulated one has them for nothing",
                 contract.words.sizeof_longest);
#endif
}

/* A kernel that is wrong on a short input is told so by other tests. */
void judge_far_end(void)
{
    struct measurement own;
    skip_on_a_gpu();
    operation_choose(0); /* an index does not depend on the operation */
    if (!run_short(NULL, &own))
        return;
    budget = contract.far_budget ? contract.far_budget() : contract.far_most;
    snprintf(reader, sizeof reader, "%s", own.reader);
    longest_judge(&(struct longest){.before = operation_prefix(),
                                    .units = contract.words.units,
                                    .input = contract.words.input,
                                    .own = {reader, own.blocks, own.threads_per_block},
                                    .look = look,
                                    .works_in = works_in,
                                    .expect_no_reports = expect_none});
}

uint64_t launches_on_the_longest_input(void)
{
    struct far_reads seen;
    const char *stopped;
    char error[256];
    skip_on_a_gpu();
    num_bins = 1;
    budget = contract.far_budget ? contract.far_budget() : contract.far_most;
    if (!look(&(struct sim_trial){.last = 1}, &seen, &stopped, error, sizeof error)) {
        facts_add("failed far-end");
        cr_assert_fail("%sstopped on 4,294,967,295 %s: %s", operation_prefix(),
                       contract.words.units, error);
    }
    return seen.launches;
}

uint64_t blocks_on_long_input(size_t length, size_t bins)
{
    enum { LITTLE = 300 * 1000 };
    struct far_reads seen;
    const char *stopped;
    char error[256];
    const struct call call = call_of(length, bins, 0);
    skip_on_a_gpu();
    sim_set_budget(LITTLE);
    measure_far_end(&call, &contract.far_limits, &(struct sim_trial){.last = 1}, &seen, &stopped,
                    error, sizeof error);
    return seen.blocks;
}
