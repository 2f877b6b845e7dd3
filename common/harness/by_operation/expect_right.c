/* expect_right.c - runs the contract's function on an input, on several schedules, and fails the test
 * when it stops, or leaves a wrong output. */
#include "expect_right.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "at_hand.h"
#include "contract.h"
#include "evidence.h"
#include "facts.h"
#include "target.h"
#include "traffic.h"

enum { MESSAGE = 1400, CAUSE = 500 };

void expect_no_reports(const char *what)
{
    if (sim_error_count() == 0)
        return;
    facts_add("seed %llu", (unsigned long long)sim_seed());
    cr_assert_fail("the report above was made on %s: the kernel is wrong, whatever %s this time",
                   what, contract.words.output_is);
}

void expect_to_end(const struct placed *placed, const char *what)
{
    char error[256];
    const struct call *call = &placed->call;
    place_limit_accesses(call);
    at_hand_set(what);
    call_make(call);
    const bool finished = target_finish(error, sizeof error);
    at_hand_set(NULL);
    if (!finished) {
        const bool is_empty = call->length == 0 && sim_error_count() == 0;
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s%s%s", what, error, is_empty ? "\nlikeliest cause: " : "",
                       is_empty ? contract.words.when_empty : "");
    }
    expect_no_reports(what);
}

/* One run on an input that is placed. What it leaves is to be freed. */
static unsigned char *run_once(struct placed *placed)
{
    place_output(placed);
    expect_to_end(placed, placed->input->name);
    return place_read(placed);
}

/* Of the launch that reads the input; of the last one where nobody knows. */
static void learn_shape(struct difference *d, const struct placed *placed)
{
    struct measurement seen;
    char error[256];
    const struct sim_launch_shape shape = sim_last_launch();
    d->blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    d->threads_per_block = (uint64_t)shape.block[0] * shape.block[1] * shape.block[2];
    place_output_again(placed);
    if (!contract.sets || !measure_run(&placed->call, &seen, error, sizeof error) ||
        seen.blocks == 0)
        return;
    d->blocks = seen.blocks;
    d->threads_per_block = seen.threads_per_block;
}

/* Once more, on the next schedule, which tells a race from a slip; then fails the test. */
static void explain_and_fail(struct difference *d, const struct placed *placed)
{
    char message[MESSAGE], cause[CAUSE] = "";
    const uint64_t schedule = sim_seed();
    d->before = place_before(placed);
    sim_set_seed(schedule + 1);
    place_output_again(placed);
    expect_to_end(placed, d->input->name);
    d->again = place_read(placed);
    learn_shape(d, placed);
    d->cause = cause;
    d->size = sizeof cause;
    contract.find_cause(d);
    contract.explain(d, schedule, message, sizeof message);
    facts_add("failed %s", contract.words.output);
    cr_assert_fail("%s", message);
}

static void expect_output(const struct placed *placed, const struct oracle *oracle,
                          unsigned char *held)
{
    struct difference difference = {.input = placed->input, .oracle = oracle, .held = held};
    if (!contract.compare(&difference))
        explain_and_fail(&difference, placed);
    free(held);
}

/* What lanes have asked of memory so far. */
static uint64_t accesses(void)
{
    const struct sim_counters now = sim_counters();
    return lanes_of(&now);
}

/* A grid with many threads costs much on every input, however short: it has one schedule each, and
 * not always the same; and so has what takes long for its bins, or because its threads wait. */
static uint64_t schedules_of(const struct input *input, uint64_t made, uint64_t most)
{
    enum { MANY = 40 * 1000 };
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    const uint64_t threads = blocks * shape.block[0] * shape.block[1] * shape.block[2];
    return threads == 0 || threads > contract.large || input->num_bins > contract.many_bins ||
                   made > MANY
               ? 1
               : most;
}

static uint64_t run_schedules(const struct input *input, uint64_t most)
{
    static uint64_t inputs;
    const uint64_t seed = sim_seed();
    uint64_t first = seed, schedules = 1;
    struct oracle *oracle = contract.expect(input);
    struct placed placed = place(input);
    first += inputs++ % SCHEDULES;
    for (uint64_t schedule = first; schedule < first + schedules; schedule++) {
        const uint64_t before = accesses();
        sim_set_seed(schedule);
        unsigned char *held = run_once(&placed);
        schedules = schedules_of(input, accesses() - before, most);
        expect_output(&placed, oracle, held);
    }
    sim_set_seed(seed);
    place_free(&placed);
    contract.forget(oracle);
    return schedules;
}

static void tell_input(const struct input *input, uint64_t schedules)
{
    facts_add("schedules %d", (int)schedules);
    facts_add("input %s", input->name);
}

void expect_right_on(const struct input *input)
{
    const uint64_t most = operation_turn() == 0 ? SCHEDULES : contract.later_schedules;
    tell_input(input, run_schedules(input, most));
}

void expect_right_once_on(const struct input *input)
{
    tell_input(input, run_schedules(input, 1));
}

void expect_right_untold_on(const struct input *input)
{
    run_schedules(input, 1);
}

void run_now(const struct input *input, unsigned char held[16])
{
    enum { MOST = 16 };
    struct placed placed = place(input);
    unsigned char *output = run_once(&placed);
    const size_t bytes = place_output_bytes(&placed);
    memcpy(held, output, bytes < MOST ? bytes : MOST);
    free(output);
    place_free(&placed);
}

struct measurement measure(const struct input *input)
{
    struct measurement result;
    char error[256];
#ifndef SIMULATED_GPU
    facts_add("unjudged");
    cr_skip_test("only the simulated GPU counts accesses");
#endif
    struct oracle *oracle = contract.expect(input);
    struct placed placed = place(input);
    place_output(&placed);
    place_limit_accesses(&placed.call);
    at_hand_set(input->name);
    const bool finished = measure_run(&placed.call, &result, error, sizeof error);
    at_hand_set(NULL);
    if (!finished) {
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s", input->name, error);
    }
    expect_no_reports(input->name);
    expect_output(&placed, oracle, place_read(&placed));
    /* What is right is nothing that the kernel's process could know. */
    result.counted = contract.counted ? contract.counted(oracle) : input->length;
    expect_done_by_kernels(input, &result);
    expect_same_on_a_part(input, &result);
    place_free(&placed);
    contract.forget(oracle);
    return result;
}
