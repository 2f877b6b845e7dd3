/* expect_right.c - runs reduce() on an input, on several schedules, and fails the test when it stops,
 * or leaves a wrong result. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "at_hand.h"
#include "causes.h"
#include "depth.h"
#include "evidence.h"
#include "facts.h"
#include "harness.h"
#include "placed.h"
#include "target.h"
#include "traffic.h"

enum { MESSAGE = 1400, CAUSE = 500, A_VALUE = 80 };

/* One run on an input that is placed, and what it leaves. */
static void run_once(struct placed *placed, const struct input *input,
                     unsigned char held[MOST_BYTES])
{
    place_result(placed);
    place_run(placed, input->name);
    place_read_result(placed, held);
}

/* Of the launch that reads the values; of the last one where nobody knows. */
static void learn_shape(struct difference *d, struct placed *placed)
{
    struct measurement seen;
    char error[256];
    const struct sim_launch_shape shape = sim_last_launch();
    d->blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    d->threads_per_block = (uint64_t)shape.block[0] * shape.block[1] * shape.block[2];
    place_result(placed);
    if (!measure_run(&placed->call, &seen, error, sizeof error) || seen.blocks == 0)
        return;
    d->blocks = seen.blocks;
    d->threads_per_block = seen.threads_per_block;
}

/* Once more, on the next schedule, which tells a race from a slip; then fails the test. */
static void explain_and_fail(struct difference *d, struct placed *placed)
{
    char message[MESSAGE], cause[CAUSE] = "", should[A_VALUE], holds[A_VALUE], give[A_VALUE] = "";
    unsigned char again[MOST_BYTES];
    const uint64_t schedule = sim_seed();
    memcpy(d->before, placed->before, sizeof d->before);
    sim_set_seed(schedule + 1);
    place_result_again(placed);
    place_run(placed, d->input->name);
    place_read_result(placed, again);
    d->again = again;
    learn_shape(d, placed);
    d->cause = cause;
    d->size = sizeof cause;
    find_cause(d);
    oracle_say_expected(d->oracle, should, sizeof should);
    oracle_say_held(d->oracle, d->held, holds, sizeof holds);
    if (d->bound > 0 && isfinite(d->bound))
        snprintf(give, sizeof give, ", give or take %.3g", d->bound);
    snprintf(message, sizeof message, "wrong on %s: should be %s%s, is %s; likeliest cause: %s",
             d->input->name, should, give, holds, cause);
    facts_add("failed result");
    if (memcmp(again, d->held, operation_bin_bytes(operation_now())) != 0 &&
        !oracle_agrees(d->oracle, again, d->bound))
        cr_assert_fail("%s\n  (SEED=%llu gives this schedule)", message,
                       (unsigned long long)schedule);
    cr_assert_fail("%s", message);
}

/* The shape of a kernel is asked for only where rounding may explain what is off. */
static double bound_of(const struct oracle *oracle, const struct input *input,
                       const unsigned char *held)
{
    const double strict = oracle_bound(oracle, DEPTH_OF_ANY);
    if (oracle_agrees(oracle, held, strict))
        return strict;
    if (!oracle_agrees(oracle, held, oracle_bound(oracle, (double)oracle->length)))
        return strict;
    return oracle_bound(oracle, depth_of_kernel(input));
}

static void expect_result(struct placed *placed, const struct input *input,
                          const struct oracle *oracle, const unsigned char *held)
{
    struct difference difference = {.input = input, .oracle = oracle, .held = held};
    difference.bound = bound_of(oracle, input, held);
    if (!oracle_agrees(oracle, held, difference.bound))
        explain_and_fail(&difference, placed);
}

/* What lanes have asked of memory so far. */
static uint64_t accesses(void)
{
    const struct sim_counters now = sim_counters();
    return lanes_of(&now);
}

/* A grid with many threads costs much on every input, however short: it has one schedule each, and
 * not always the same; and so has what takes long because its threads wait. */
static uint64_t schedules_of(uint64_t made, uint64_t most)
{
    enum { LARGE = 1 << 16, MANY = 40 * 1000 };
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    const uint64_t threads = blocks * shape.block[0] * shape.block[1] * shape.block[2];
    return threads == 0 || threads > LARGE || made > MANY ? 1 : most;
}

static uint64_t run_schedules(const struct input *input, uint64_t most)
{
    static uint64_t inputs;
    const uint64_t seed = sim_seed();
    uint64_t first = seed, schedules = 1;
    const struct oracle oracle = oracle_of(input);
    struct placed placed = place(input);
    first += inputs++ % SCHEDULES;
    for (uint64_t schedule = first; schedule < first + schedules; schedule++) {
        unsigned char held[MOST_BYTES];
        const uint64_t before = accesses();
        sim_set_seed(schedule);
        run_once(&placed, input, held);
        schedules = schedules_of(accesses() - before, most);
        expect_result(&placed, input, &oracle, held);
    }
    sim_set_seed(seed);
    place_free(&placed);
    return schedules;
}

static void tell_input(const struct input *input, uint64_t schedules)
{
    facts_add("schedules %d", (int)schedules);
    facts_add("input %s", input->name);
}

void expect_right_on(const struct input *input)
{
    tell_input(input, run_schedules(input, SCHEDULES));
}

void expect_right_once_on(const struct input *input)
{
    tell_input(input, run_schedules(input, 1));
}

void expect_right_untold_on(const struct input *input)
{
    run_schedules(input, 1);
}

void reduce_now(const struct input *input, unsigned char held[16])
{
    struct placed placed = place(input);
    run_once(&placed, input, held);
    place_free(&placed);
}

struct measurement measure(const struct input *input)
{
    struct measurement result;
    char error[256];
    unsigned char held[MOST_BYTES];
#ifndef SIMULATED_GPU
    facts_add("unjudged");
    cr_skip_test("only the simulated GPU counts accesses");
#endif
    const struct oracle oracle = oracle_of(input);
    struct placed placed = place(input);
    place_result(&placed);
    place_limit_accesses(&placed.call);
    at_hand_set(input->name);
    const bool finished = measure_run(&placed.call, &result, error, sizeof error);
    at_hand_set(NULL);
    if (!finished) {
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s", input->name, error);
    }
    expect_no_reports(input->name);
    place_read_result(&placed, held);
    expect_result(&placed, input, &oracle, held);
    expect_done_by_kernels(input, &result);
    expect_same_on_a_part(input, &result);
    place_free(&placed);
    return result;
}
