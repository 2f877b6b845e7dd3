/* expect_right.c - runs reduce_by_index() on an input, on several schedules, and fails the test when
 * it stops, or leaves a bin wrong. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "at_hand.h"
#include "causes.h"
#include "evidence.h"
#include "facts.h"
#include "harness.h"
#include "oracle.h"
#include "placed.h"
#include "target.h"
#include "traffic.h"

enum { MESSAGE = 1400, CAUSE = 400, LISTED = 4, A_BIN = 128 };

/* One run on an input that is placed. The bins it leaves are to be freed. */
static unsigned char *run_once(const struct placed *placed, const struct input *input)
{
    place_bins(placed, input);
    place_run(placed, input->name);
    return place_read_bins(placed);
}

/* "bin 3", or "histogram 7, bin 3" of a batch. */
static const char *name_of_bin(const struct input *input, size_t bin)
{
    static char name[80];
    const size_t bins = input->batch > 0 ? input->num_bins / input->batch : bin + 1;
    if (input->batch > 0)
        snprintf(name, sizeof name, "histogram %s, bin %s", grouped(bin / bins),
                 grouped(bin % bins));
    else
        snprintf(name, sizeof name, "bin %s", grouped(bin));
    return name;
}

/* "\n  bin 3: should hold 12, holds 11" */
static void list_bins(const struct difference *d, char *message, size_t size)
{
    const size_t bytes = operation_bin_bytes(d->oracle->operation);
    size_t listed = 0;
    for (size_t bin = d->first; bin < d->oracle->num_bins && listed < LISTED; bin++) {
        char should[A_BIN], holds[A_BIN];
        const unsigned char *held = d->held + bin * bytes;
        if (oracle_agrees(d->oracle, bin, held))
            continue;
        oracle_say_expected(d->oracle, bin, held, should, sizeof should);
        oracle_say_held(d->oracle, bin, held, holds, sizeof holds);
        const size_t used = strlen(message);
        snprintf(message + used, size - used, "\n  %s: should hold %s, holds %s",
                 name_of_bin(d->input, bin), should, holds);
        listed++;
    }
    if (d->wrong > LISTED)
        strncat(message, "\n  and so on", size - strlen(message) - 1);
}

/* Once more, on the next schedule, which tells a race from a slip; then fails the test. */
static void explain_and_fail(struct difference *d, const struct placed *placed)
{
    char message[MESSAGE], cause[CAUSE] = "";
    const uint64_t schedule = sim_seed();
    const struct sim_launch_shape shape = sim_last_launch();
    sim_set_seed(schedule + 1);
    d->again = run_once(placed, d->input);
    d->blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    d->threads_per_block = (uint64_t)shape.block[0] * shape.block[1] * shape.block[2];
    d->cause = cause;
    d->size = sizeof cause;
    find_cause(d);
    snprintf(message, sizeof message, "wrong on %s: %s of %s bins; likeliest cause: %s",
             d->input->name, grouped(d->wrong), grouped(d->oracle->num_bins), cause);
    list_bins(d, message, sizeof message);
    facts_add("failed bins");
    if (memcmp(d->again, d->held, d->oracle->num_bins * operation_bin_bytes(operation_now())) != 0)
        cr_assert_fail("%s\n  (SEED=%llu gives this schedule)", message,
                       (unsigned long long)schedule);
    cr_assert_fail("%s", message);
}

static void expect_bins(const struct placed *placed, const struct input *input,
                        const struct oracle *oracle, unsigned char *held)
{
    struct difference difference = {.input = input, .oracle = oracle, .held = held};
    difference.wrong = oracle_wrong(oracle, held, &difference.first);
    if (difference.wrong > 0)
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
    enum { LARGE = 1 << 17, MANY_BINS = 10000, MANY = 40 * 1000 };
    const struct sim_launch_shape shape = sim_last_launch();
    const uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    const uint64_t threads = blocks * shape.block[0] * shape.block[1] * shape.block[2];
    return threads == 0 || threads > LARGE || input->num_bins > MANY_BINS || made > MANY ? 1 : most;
}

static uint64_t run_schedules(const struct input *input, uint64_t most)
{
    static uint64_t inputs;
    const uint64_t seed = sim_seed();
    uint64_t first = seed, schedules = 1;
    struct oracle oracle = oracle_of(input);
    struct placed placed = place(input);
    first += inputs++ % SCHEDULES;
    for (uint64_t schedule = first; schedule < first + schedules; schedule++) {
        const uint64_t before = accesses();
        sim_set_seed(schedule);
        expect_bins(&placed, input, &oracle, run_once(&placed, input));
        schedules = schedules_of(input, accesses() - before, most);
    }
    sim_set_seed(seed);
    place_free(&placed);
    oracle_free(&oracle);
    return schedules;
}

static void tell_input(const struct input *input, uint64_t schedules)
{
    facts_add("schedules %d", (int)schedules);
    facts_add("input %s", input->name);
}

void expect_right_on(const struct input *input)
{
    tell_input(input, run_schedules(input, operation_turn() == 0 ? SCHEDULES : SCHEDULES / 2));
}

void expect_right_once_on(const struct input *input)
{
    tell_input(input, run_schedules(input, 1));
}

void expect_right_untold_on(const struct input *input)
{
    run_schedules(input, 1);
}

struct measurement measure(const struct input *input)
{
    struct measurement result;
    char error[256];
#ifndef SIMULATED_GPU
    facts_add("unjudged");
    cr_skip_test("only the simulated GPU counts accesses");
#endif
    struct oracle oracle = oracle_of(input);
    struct placed placed = place(input);
    place_bins(&placed, input);
    place_limit_accesses(&placed.call);
    at_hand_set(input->name);
    const bool finished = measure_run(&placed.call, &result, error, sizeof error);
    at_hand_set(NULL);
    if (!finished) {
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s", input->name, error);
    }
    expect_no_reports(input->name);
    expect_bins(&placed, input, &oracle, place_read_bins(&placed));
    result.counted = 0; /* what is right is nothing that the kernel's process could know */
    for (size_t bin = 0; bin < input->num_bins; bin++)
        result.counted += oracle.came[bin];
    expect_done_by_kernels(input, &result);
    expect_same_on_a_part(input, &result);
    place_free(&placed);
    oracle_free(&oracle);
    return result;
}
