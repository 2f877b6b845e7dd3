/* expect_right.c - runs the contract's function on an input, on several schedules, and fails the test
 * when it stops, or leaves a wrong output. */
#include "expect_right.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "measure.h"
#include "evidence.h"
#include "verdict_log.h"
#include "grouped.h"
#include "settings.h"

enum { MESSAGE = 1400, CAUSE = 500, MORE = 700 };

void fail_reported(const struct contract *contract, const char *what, uint64_t seed)
{
    verdict_log_add("seed %llu", (unsigned long long)seed);
    fail_test("the report above was made on %s: the kernel is wrong, whatever %s this time", what,
              contract->words.output_is);
}

static void expect_reported_nothing(const struct contract *contract, const struct outcome *outcome,
                                    const char *what)
{
    if (outcome->errors > 0)
        fail_reported(contract, what, schedule_now());
}

static void expect_end_of(const struct contract *contract, const struct call *call,
                          const struct outcome *outcome, const char *what)
{
    if (outcome->is_device && !outcome->launch_failed && outcome->errors == 0)
        expect_kernels_called(contract, what, call, outcome->launches, &outcome->copies);
    if (!outcome->finished) {
        const bool is_empty = call->length == 0 && outcome->errors == 0;
        fail_as("stopped", "stopped on %s: %s%s%s", what, outcome->error,
                is_empty ? "\nlikeliest cause: " : "", is_empty ? contract->words.when_empty : "");
    }
    expect_reported_nothing(contract, outcome, what);
}

void expect_to_end(struct placed *placed, const char *what)
{
    place_run(placed, what);
    expect_end_of(placed->input->contract, &placed->job.call, &placed->last, what);
}

/* Makes one run on an input that is placed, and returns what it leaves, to be freed. */
static unsigned char *run_once(struct placed *placed)
{
    place_output(placed);
    expect_to_end(placed, placed->input->name);
    return place_read(placed);
}

/* Learns the shape of the launch that reads the input, or of the last one where nobody knows which that is. `seen`
 * gets what a call did, where the contract wants to know. */
static void learn_shape(struct difference *d, struct placed *placed, struct measurement *seen)
{
    const struct sim_launch_shape shape = placed->last.shape;
    d->blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    d->threads_per_block = (uint64_t)shape.block[0] * shape.block[1] * shape.block[2];
    place_output_again(placed);
    if (!placed->input->contract->looks_again || !placed->last.is_device ||
        !place_measure(placed, seen))
        return;
    d->seen = seen;
    if (seen->blocks == 0)
        return;
    d->blocks = seen->blocks;
    d->threads_per_block = seen->threads_per_block;
}

void fail_output(const struct difference *d, const char *more)
{
    char message[MESSAGE];
    contract_explain(d, message, sizeof message);
    fail_as(d->input->contract->words.output, "%s%s", message, more);
}

/* Says what else there is to say where another run leaves another output. A card has no schedules, and looks for no
 * race, so a cause that speaks of them is put in other words there. */
static void say_that_runs_differ(char cause[CAUSE], uint64_t schedule, char *more, size_t size)
{
    verdict_log_add("differs");
#ifdef SIMULATED_GPU
    (void)cause;
    snprintf(more, size, "\n  (SEED=%llu gives this schedule)", (unsigned long long)schedule);
#else
    (void)schedule;
    if (strncmp(cause, "another schedule", strlen("another schedule")) == 0)
        snprintf(cause, CAUSE,
                 "another call on this input leaves another output: who comes first decides");
    snprintf(more, size,
             "\n  (is it a race? The simulated GPU looks for one: make test without gpu)");
#endif
}

/* Makes one more call, on a schedule, and returns what it leaves. */
static unsigned char *call_again(struct placed *placed, uint64_t schedule)
{
    set_schedule(schedule);
    place_output_again(placed);
    expect_to_end(placed, placed->input->name);
    return place_read(placed);
}

/* A schedule decides all that a call does. Returns whether one more call on the same schedule leaves another output. */
static bool calls_differ(const struct difference *d, struct placed *placed, uint64_t schedule)
{
#ifdef SIMULATED_GPU
    unsigned char *once_more = call_again(placed, schedule);
    const bool differ = memcmp(once_more, d->held, place_output_bytes(placed)) != 0;
    free(once_more);
    return differ;
#else
    (void)d, (void)placed, (void)schedule;
    return false;
#endif
}

/* Whether the call leaves a wrong output; then the line says which. */
static bool is_wrong_on(const struct input *input, char *line, size_t size)
{
    enum { A_NAME = 120 };
    char name[A_NAME], first[FIRST_OUTPUT];
    struct oracle *oracle = input->contract->oracle(input);
    struct placed placed = place(input);
    place_output(&placed);
    expect_to_end(&placed, input->name);
    unsigned char *held = place_read(&placed);
    struct difference d = {.input = input, .oracle = oracle, .held = held};
    const bool wrong = !contract_compare(&d) && d.wrong > 0;
    if (wrong) {
        contract_name(&d, name, sizeof name);
        say_first(&d, name, first);
        snprintf(line, size, "\n  the smallest input that is wrong, too: %s; %s", input->name,
                 first);
    }
    free(held);
    place_free(&placed);
    contract_forget(oracle);
    return wrong;
}

/* Calls the function on inputs of 1, 2, 3, 4, 6, 8 and more units, up to half of an input that is wrong, on the
 * schedule of now, since what a kernel does wrong is easier to see on one unit, or on two. A line tells of the first
 * that is wrong, too, what one output should be and what it is. It is "" where none is wrong, or the contract draws
 * none. */
static void smaller_input(const struct input *input, char *line, size_t size)
{
    bool found = !input->contract->draw;
    for (size_t length = 1; length <= input->length / 2 && !found; length += (length + 1) / 2) {
        struct input small = input->contract->draw(1, length);
        found = is_wrong_on(&small, line, size);
        input_free(&small);
    }
}

/* Calls once more on the next schedule, which tells a race from a slip; where that leaves another output, it calls
 * once more on the same schedule, which tells a race from what is kept from call to call. Then it fails the test. */
static void explain_and_fail(struct difference *d, struct placed *placed)
{
    char cause[CAUSE] = "", more[MORE] = "";
    struct measurement seen;
    const uint64_t schedule = schedule_now();
    d->before = placed->before;
    d->again = call_again(placed, schedule + 1);
    const bool differs = memcmp(d->again, d->held, place_output_bytes(placed)) != 0;
    const bool is_kept = differs && calls_differ(d, placed, schedule);
    set_schedule(schedule + 1);
    learn_shape(d, placed, &seen);
    d->cause = cause;
    d->size = sizeof cause;
    if (is_kept)
        because(d, "the same call leaves another output than before: something is kept from call "
                   "to call, in a static variable or a __device__ one, or in memory that no call "
                   "sets anew");
    else
        first_cause(d);
    if (differs && !is_kept)
        say_that_runs_differ(cause, schedule, more, sizeof more);
    if (d->is_unknown)
        smaller_input(d->input, more + strlen(more), sizeof more - strlen(more));
    fail_output(d, more);
}

static void expect_output(struct placed *placed, const struct oracle *oracle, unsigned char *held)
{
    static uint64_t right;
    struct difference difference = {
        .input = placed->input, .oracle = oracle, .held = held, .right_before = right};
    if (!contract_compare(&difference))
        explain_and_fail(&difference, placed);
    right++;
    free(held);
}

/* A large grid costs much on every input, however short, so it has one schedule each, and not always the same one.
 * So has what takes long for its many bins, or because its threads wait. */
static uint64_t usual_rule(const struct input *input, const struct outcome *outcome, uint64_t most)
{
    enum { LONG = 40 * 1000, LARGE = 1 << 17, MANY = 10000 };
    const struct sim_launch_shape shape = outcome->shape;
    const uint64_t work = lanes_of(&outcome->counters) - lanes_of(&outcome->counters_before);
    const uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    const uint64_t threads = blocks * shape.block[0] * shape.block[1] * shape.block[2];
    return threads == 0 || threads > LARGE || input->num_bins > MANY || work > LONG ? 1 : most;
}

/* By the usual rule each input begins with another schedule than the input before. */
static uint64_t run_schedules(schedules_rule *rule, const struct input *input, uint64_t most)
{
    static uint64_t inputs;
    const uint64_t seed = schedule_now();
    uint64_t first = seed, schedules = 1;
    struct outcome before = *last_outcome(input->operation);
    before.counters_before = before.counters;
    struct oracle *oracle = input->contract->oracle(input);
    struct placed placed = place(input);
    const bool has_one = rule == usual_rule || rule(input, &before, most) == 1;
    first += inputs++ * (has_one ? 1 : SCHEDULES) % SCHEDULES_IN_ALL;
    for (uint64_t schedule = first; schedule < first + schedules; schedule++) {
        set_schedule(schedule);
        unsigned char *held = run_once(&placed);
        schedules = rule(input, &placed.last, most);
        expect_output(&placed, oracle, held);
    }
    set_schedule(seed);
    place_free(&placed);
    contract_forget(oracle);
    return schedules;
}

static unsigned int usual_schedules(const struct input *input)
{
    return operation_turn(input->operation) == 0 ? SCHEDULES : input->contract->later_schedules;
}

void judge_input_by(schedules_rule *rule, const struct input *input, unsigned int most,
                    bool is_logged)
{
    const uint64_t schedules = run_schedules(rule, input, most);
    if (!is_logged)
        return;
    verdict_log_add("schedules %d", (int)schedules);
    verdict_log_add("input %s", input->name);
}

void judge_input(const struct input *input, unsigned int most, bool is_logged)
{
    judge_input_by(usual_rule, input, most > 0 ? most : usual_schedules(input), is_logged);
}

void run_unjudged(const struct input *input, unsigned char held[16])
{
    enum { MOST = 16 };
    struct placed placed = place(input);
    unsigned char *output = run_once(&placed);
    const size_t bytes = place_output_bytes(&placed);
    memcpy(held, output, bytes < MOST ? bytes : MOST);
    free(output);
    place_free(&placed);
}

/* A call that has kept memory is made again: what it needs each time has to come back. */
static void expect_given_back(struct placed *placed, const struct measurement *first)
{
    struct measurement second;
    if (first->left == 0)
        return;
    place_output_again(placed);
    if (!place_measure(placed, &second) || second.left == 0)
        return;
    fail_as("memory",
            "%s%s bytes of memory are gone after one more call on %s; a call that frees what "
            "it allocates with cudaFree leaves behind = 0",
            operation_prefix(placed->input->contract, placed->input->operation),
            grouped(second.left), placed->input->name);
}

struct measurement judge_cost(const struct input *input)
{
    struct measurement result;
#ifndef SIMULATED_GPU
    verdict_log_add("unjudged");
    cr_skip_test("only the simulated GPU counts accesses");
#endif
    struct oracle *oracle = input->contract->oracle(input);
    struct placed placed = place(input);
    place_output(&placed);
    if (!place_measure(&placed, &result))
        fail_as("stopped", "stopped on %s: %s", input->name, placed.last.error);
    expect_reported_nothing(input->contract, &placed.last, input->name);
    expect_output(&placed, oracle, place_read(&placed));
    /* The kernel's process does not know what is right. */
    result.counted = input->contract->counted ? input->contract->counted(oracle) : input->length;
    expect_done_by_kernels(input, &result);
    expect_given_back(&placed, &result);
    expect_same_on_a_part(input, &result);
    place_free(&placed);
    contract_forget(oracle);
    return result;
}
