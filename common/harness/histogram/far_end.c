/* far_end.c - whether an index of histogram() wraps: the far end of the longest text. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "harness.h"
#include "longest.h"
#include "target.h"

static bool look(const struct sim_trial *trial, struct far_reads *seen, const char **stopped,
                 char *error, size_t error_size)
{
    struct measurement result;
    const bool fine = measure_far_end(trial, &result, stopped, error, error_size);
    *seen = (struct far_reads){.length = result.length,
                               .blocks = result.blocks,
                               .threads_per_block = result.threads_per_block,
                               .threads = result.threads,
                               .units = result.reading.bytes,
                               .longest = result.reading.longest,
                               .laps = result.reading.laps,
                               .end = result.reading.end,
                               .last_load = result.reading.last_load};
    return fine;
}

/* The short text, and the kernel that reads it. */
static struct text short_text;
static struct measurement own;

static bool works_in(unsigned int blocks)
{
    enum { ENOUGH = 8 * 1000 * 1000 };
    struct measurement seen;
    unsigned int counted[NUM_BINS], expected[NUM_BINS];
    char error[256];
    sim_set_budget(ENOUGH);
    sim_try(&(struct sim_trial){.kernel = own.reader, .blocks = blocks});
    bool ran = measure_run(&short_text, 0, &seen, counted, error, sizeof error);
    const char *stopped = sim_trial_stopped();
    sim_try(NULL);
    verify_count(short_text.bytes, short_text.length, expected);
    return ran && !stopped && memcmp(counted, expected, sizeof counted) == 0;
}

static void expect_none(const char *units)
{
    (void)units;
    expect_no_reports("the far end of 4,294,967,295 characters");
}

/* The kernel is not told apart from others by a text that it counts wrong: other tests do that. */
static bool learn(void)
{
    unsigned int bins[NUM_BINS];
    char error[256];
    return measure_run(&short_text, 0, &own, bins, error, sizeof error);
}

void expect_no_wrapped_index(void)
{
    if (NUM_BINS != 5)
        cr_skip_test("an index does not depend on the number of bins: judged with 5");
    if (!target_is_device())
        cr_skip_test("plain C has no grid of which the last block could run alone");
    short_text = text_of(TEXT_UNIFORM, 1, 16381);
    if (learn())
        longest_judge(&(struct longest){.before = "",
                                        .units = "characters",
                                        .input = "text",
                                        .own = {own.reader, own.blocks, own.threads_per_block},
                                        .look = look,
                                        .works_in = works_in,
                                        .expect_no_reports = expect_none});
    text_free(&short_text);
}
