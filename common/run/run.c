/* run.c - runs a kernel on one device, what became of that, and how long it would take on an H200: see run.h. */
#include "run.h"

#include <stdio.h>

#include "contract.h"
#include "operations.h"
#include "placed.h"

void run_compare(struct run *run, const void *held, const void *before)
{
    char cause[500] = "";
    if (!run->finished)
        return;
    struct oracle *oracle = run->input.contract->oracle(&run->input);
    struct difference d = {.input = &run->input,
                           .oracle = oracle,
                           .held = held,
                           .before = before,
                           .blocks = run->cost.blocks,
                           .threads_per_block = run->cost.threads_per_block,
                           .cause = cause,
                           .size = sizeof cause};
    run->right = contract_compare(&d);
    if (sim_error_count() > 0)
        snprintf(cause, sizeof cause, "what the report above tells");
    else if (!run->right)
        first_cause(&d);
    if (!run->right)
        contract_explain(&d, run->why, sizeof run->why);
    contract_forget(oracle);
}

/* The card's time of a launch that does nothing: the median of docs/results/h200/launches.csv. */
static const double launch_ns = 1616;

double clocked_ms(uint64_t launches, uint64_t picoseconds)
{
    static const double ns_per_ms = 1e6, picoseconds_per_ns = 1e3;
    return ((double)launches * launch_ns + (double)picoseconds / picoseconds_per_ns) / ns_per_ms;
}

/* A contract of several devices or ranks has its own three functions in place of these. */
__attribute__((weak)) bool run_begin(char **arguments)
{
    (void)arguments;
    operation_choose(0);
    return true;
}

__attribute__((weak)) void run_kernel(struct run *run)
{
    struct placed placed = place(&run->input);
    place_output(&placed);
    placed.job.budget =
        UINT64_MAX; /* a run takes as long as the simulator lets it, a verdict less */
    run->finished = place_measure(&placed, &run->cost);
    snprintf(run->error, sizeof run->error, "%s", placed.last.error);
    run_compare(run, placed.output, placed.before);
    place_free(&placed);
}

__attribute__((weak)) void run_end(void)
{
}
