/* expect_right.c - runs histogram() on an input, at several schedules, and fails the test
 * when it stops or counts wrong. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "at_hand.h"
#include "evidence.h"
#include "facts.h"
#include "harness.h"
#include "limit.h"
#include "target.h"

enum { MESSAGE = 1024 };

/* Unless the user says else. */
static void limit(size_t length)
{
    enum { AT_LEAST = 8 * 1000 * 1000 };
    if (!getenv("SIM_BUDGET"))
        limit_accesses(AT_LEAST, length);
}

void expect_no_reports(const char *what)
{
    if (sim_error_count() == 0)
        return;
    facts_add("seed %llu", (unsigned long long)sim_seed());
    cr_assert_fail("the report above was made on %s: the kernel is wrong, whatever it counted "
                   "this time",
                   what);
}

/* One call of histogram() on the text that `d_text` holds. Fails the test when it
 * does not run to its end. */
static void count_once(const char *what, const unsigned char *d_text, size_t length,
                       unsigned int *d_bins, unsigned int *bins)
{
    char error[256];
    limit(length);
    target_fill(d_bins, 0, NUM_BINS * sizeof *d_bins);
    at_hand_set(what);
    histogram(d_text, length, d_bins);
    bool finished = target_finish(error, sizeof error);
    at_hand_set(NULL);
    if (!finished) {
        const char *hint = length == 0 && sim_error_count() == 0
                               ? "\nlikeliest cause: an empty text gives a grid of 0 blocks, which "
                                 "CUDA refuses; return before the launch"
                               : "";
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s%s", what, error, hint);
    }
    expect_no_reports(what);
    target_read(bins, d_bins, NUM_BINS * sizeof *bins);
}

/* Counts a wrong result once more, on the next schedule, which tells a race from a slip, and
 * watches what happens to the bins. Then fails the test with the likeliest cause. */
static void explain_and_fail(struct verify_result *result, size_t misalignment)
{
    char explanation[MESSAGE], error[256];
    unsigned int again[NUM_BINS];
    struct measurement seen;
    const struct text text = {.bytes = (unsigned char *)(uintptr_t)result->text,
                              .length = result->length};
    uint64_t schedule = sim_seed();
    sim_set_seed(schedule + 1);
    if (measure_run(&text, misalignment, &seen, again, error, sizeof error)) {
        result->again = again;
        result->launches = seen.launches;
        result->bin_updates = seen.bins.store.lanes + seen.bins.atomic.lanes;
#ifdef SIMULATED_GPU
        result->watched = target_is_device();
#endif
    }
    expect_no_reports(result->input);
    verify_is_right(result, explanation, sizeof explanation);
    facts_add("failed bins");
    if (result->again && memcmp(again, result->counted, sizeof again) != 0)
        cr_assert_fail("%s\n  (SEED=%llu gives this schedule)", explanation,
                       (unsigned long long)schedule);
    cr_assert_fail("%s", explanation);
}

/* About how often lanes have stopped so far, at an access, a barrier or a vote, or to begin: what
 * simulating them takes. */
static uint64_t stops(void)
{
    enum { WARP = 32, FEWEST_STOPS = 2 };
    const struct sim_counters now = sim_counters();
    const struct sim_launch_shape shape = sim_last_launch();
    uint64_t sum = FEWEST_STOPS * now.threads + WARP * now.votes;
    sum += now.barriers * shape.block[0] * shape.block[1] * shape.block[2];
    for (int kind = 0; kind < SIM_ACCESS_KINDS; kind++)
        sum += now.global[kind].lanes + now.shared[kind].lanes;
    return sum;
}

static uint64_t most_stops; /* of one run, but for those that a long text explains */

static void note_stops(uint64_t stopped, size_t length)
{
    enum { A_CHARACTER = 8 };
    if (stopped > A_CHARACTER * length && stopped > most_stops)
        most_stops = stopped;
}

size_t expect_right_step(size_t inputs, uint64_t enough)
{
    return 1 + (size_t)(most_stops * inputs / enough);
}

bool expect_right_takes_long(void)
{
    enum { LONG = 1000 * 1000 };
    return most_stops > LONG;
}

/* Schedules for one input, of `most`: a large grid costs the same on every text, however short,
 * so its inputs have one each, and not all the same one; and so have the later inputs of a test
 * that has run for long. */
static uint64_t schedules_of(const struct sim_launch_shape *shape, uint64_t most)
{
    enum { LARGE = 1 << 17, LONG = 12 * 1000 * 1000 };
    uint64_t blocks = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    uint64_t threads = blocks * shape->block[0] * shape->block[1] * shape->block[2];
    return threads == 0 || threads > LARGE || stops() > LONG || expect_right_takes_long() ? 1
                                                                                          : most;
}

/* Runs the schedules, or what has no kernel once. Returns how many there were. */
static uint64_t run_schedules(struct verify_result *result, const unsigned char *d_text,
                              size_t misalignment, unsigned int *d_bins, uint64_t most)
{
    unsigned int expected[NUM_BINS], counted[NUM_BINS];
    static uint64_t inputs;
    uint64_t seed = sim_seed(), first = seed, schedules = 1;
    verify_count(result->text, result->length, expected);
    const struct sim_launch_shape before = sim_last_launch();
    if (schedules_of(&before, most) == 1)
        first += inputs++ % SCHEDULES;
    for (uint64_t schedule = first; schedule < first + schedules; schedule++) {
        sim_set_seed(schedule);
        const uint64_t stopped = stops();
        count_once(result->input, d_text, result->length, d_bins, counted);
        note_stops(stops() - stopped, result->length);
        struct sim_launch_shape shape = sim_last_launch();
        schedules = schedules_of(&shape, most);
        if (memcmp(counted, expected, sizeof counted) == 0)
            continue;
        result->counted = counted;
        result->blocks = shape.grid[0] * shape.grid[1] * shape.grid[2];
        result->threads_per_block = shape.block[0] * shape.block[1] * shape.block[2];
        explain_and_fail(result, misalignment);
    }
    sim_set_seed(seed);
    return schedules;
}

static uint64_t run_input(const char *what, const unsigned char *text, size_t length,
                          size_t misalignment, uint64_t most)
{
    unsigned char *d_text = target_allocate(misalignment + length);
    unsigned int *d_bins = target_allocate(NUM_BINS * sizeof *d_bins);
    struct verify_result result = {.input = what, .text = text, .length = length};
    target_fill(d_text, 'a', misalignment);
    target_write(d_text + misalignment, text, length);
    uint64_t schedules = run_schedules(&result, d_text + misalignment, misalignment, d_bins, most);
    target_free(d_text);
    target_free(d_bins);
    return schedules;
}

static void tell_input(const char *what, uint64_t schedules)
{
    facts_add("schedules %d", (int)schedules);
    facts_add("input %s", what);
}

void expect_right_at(const char *what, const unsigned char *text, size_t length,
                     size_t misalignment)
{
    tell_input(what, run_input(what, text, length, misalignment, SCHEDULES));
}

void expect_right_once_at(const char *what, const unsigned char *text, size_t length,
                          size_t misalignment)
{
    tell_input(what, run_input(what, text, length, misalignment, 1));
}

void expect_right_untold_at(const char *what, const unsigned char *text, size_t length,
                            size_t misalignment)
{
    run_input(what, text, length, misalignment, 1);
}

void expect_right_on(const char *what, const unsigned char *text, size_t length)
{
    expect_right_at(what, text, length, 0);
}

static void tell_cost(const struct measurement *cost)
{
    facts_add("cost %zu %llu %llu %llu %llu", cost->length,
              (unsigned long long)cost->counters.global[SIM_LOAD].sectors,
              (unsigned long long)cost->shared.atomic.wavefronts,
              (unsigned long long)(cost->bins.atomic.lanes + cost->elsewhere.atomic.lanes),
              (unsigned long long)cost->shared.atomic.lanes);
}

struct measurement measure_at(const struct text *text, size_t misalignment)
{
    struct measurement result;
    unsigned int bins[NUM_BINS];
    char error[256];
#ifndef SIMULATED_GPU
    facts_add("unjudged");
    cr_skip_test("only the simulated GPU counts accesses");
#endif
    limit(text->length);
    at_hand_set(text->name);
    bool finished = measure_run(text, misalignment, &result, bins, error, sizeof error);
    at_hand_set(NULL);
    if (!finished) {
        facts_add("failed stopped");
        cr_assert_fail("stopped on %s: %s", text->name, error);
    }
    struct verify_result check = {.input = text->name,
                                  .text = text->bytes,
                                  .length = text->length,
                                  .counted = bins,
                                  .blocks = (unsigned int)result.blocks,
                                  .threads_per_block = (unsigned int)result.threads_per_block};
    unsigned int expected[NUM_BINS];
    verify_count(text->bytes, text->length, expected);
    expect_no_reports(text->name);
    if (memcmp(bins, expected, sizeof bins) == 0) {
        expect_each_counted_once(text->name, &result);
        expect_same_on_a_part(text, misalignment, &result);
        tell_cost(&result);
        return result;
    }
    explain_and_fail(&check, misalignment);
    return result;
}

struct measurement measure(const struct text *text)
{
    return measure_at(text, 0);
}
