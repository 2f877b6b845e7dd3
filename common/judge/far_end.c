/* far_end.c - whether an index wraps: the far end of the longest input, 4,294,967,295 units.
 *
 * Of so many only a part can be read in a second, so only the last block of the grid runs, and what it
 * reads is judged. A small grid gives it too much. When the kernel is right on short inputs in another
 * grid than its own, it is judged in a larger one. What stays open is held against nobody. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "expect_right.h"
#include "verdict_log.h"
#include "grouped.h"
#include "settings.h"

enum {
    ENOUGH_BLOCKS = 1024,    /* with so many a block's share of the longest text is 4,194,304 */
    ENOUGH_THREADS = 1 << 20 /* with so many a thread's share is 4,096 */
};

enum finding { FINE, OPEN, WRAPPED, OUTSIDE };

/* What is known of the far end. */
struct far_end {
    const struct contract *contract;
    struct call call; /* on the longest input */
    struct far_plan plan;
    struct sim_trial trial;
    struct far_reads seen;
    const char *stopped; /* a check, or NULL */
    char error[ERROR_BYTES];
    char last_load[PLACE_BYTES]; /* where the input was read last */
    uint64_t errors;
    uint64_t rows; /* of the last launch's grid: its size in y and z */
    bool any;      /* a block reads some of the input */
    bool is_cut;   /* the blocks that do are too few for all of it */
};

/* Begins with an input of so many units; UINT32_MAX is the longest one. */
static struct far_end far_end_of(const struct contract *contract, size_t length, size_t num_bins,
                                 const struct sim_trial *trial)
{
    struct far_end far = {.contract = contract,
                          .call = call_of(contract, operation_chosen(), length, num_bins, 0),
                          .plan = {.limits = {.most = 40 * 1000 * 1000, .much = 20 * 1000 * 1000},
                                   .budget = 100 * 1000 * 1000,
                                   .threads = ENOUGH_THREADS},
                          .trial = *trial,
                          .any = true};
    if (contract->look_far)
        contract->look_far(&far.plan);
    return far;
}

static const char *longest_name(const struct contract *contract)
{
    static char name[80];
    snprintf(name, sizeof name, "the far end of 4,294,967,295 %s", contract->words.units);
    return name;
}

/* The name of the check that stopped a trial, which stays; NULL where none did. */
static const char *stopped_by(const struct outcome *outcome)
{
    static char name[sizeof outcome->stopped];
    snprintf(name, sizeof name, "%s", outcome->stopped);
    return name[0] ? name : NULL;
}

static bool run_trial(struct far_end *far, struct far_reads *seen, const char **stopped)
{
    struct job job = job_of(far->contract, &far->call);
    job.watch = WATCH_FAR_END;
    job.content = UNWRITTEN;
    job.limits = far->plan.limits;
    job.stops_at_first_read = !stopped;
    job_tries(&job, &far->trial, far->plan.budget,
              "memcheck,synccheck"); /* these checks alone, since nobody has written the input */
    const struct outcome outcome = job_run(&job, longest_name(far->contract), NULL, NULL);
    *seen = outcome.far;
    far->errors = outcome.errors;
    far->rows = (uint64_t)outcome.shape.grid[1] * outcome.shape.grid[2];
    snprintf(far->error, sizeof far->error, "%s", outcome.error);
    snprintf(far->last_load, sizeof far->last_load, "%s", outcome.last_load);
    if (stopped)
        *stopped = stopped_by(&outcome);
    return outcome.finished;
}

static const char *prefix_of(const struct far_end *far)
{
    return operation_prefix(far->contract, far->call.operation);
}

static void look(struct far_end *far)
{
    if (run_trial(far, &far->seen, &far->stopped))
        return;
    fail_as("far-end",
            "%sstopped on 4,294,967,295 %s: %s\nlikeliest cause: an index wrapped; use "
            "size_t for every position in the %s",
            prefix_of(far), far->contract->words.units, far->error, far->contract->words.input);
}

static bool reads_anything(struct far_end *far, uint64_t behind_it)
{
    struct far_reads seen;
    far->trial.skip = behind_it;
    run_trial(far, &seen, NULL);
    return seen.units > 0;
}

/* How many blocks at the end of the grid read nothing of the text. */
static uint64_t idle_blocks(struct far_end *far, uint64_t blocks)
{
    uint64_t idle = 1, most = blocks - 1;
    far->any = reads_anything(far, most);
    while (far->any && idle < most) {
        uint64_t middle = idle + (most - idle) / 2;
        if (reads_anything(far, middle))
            most = middle;
        else
            idle = middle + 1;
    }
    return idle;
}

/* Whether reading ends near 2^31, as with an index of type int. An end elsewhere may have other reasons. */
static bool ends_where_an_int_does(const struct far_reads *seen)
{
    return seen->end > (size_t)1 << 30 && seen->end <= (size_t)1 << 31;
}

/* Whether the block has read its share. Shares are equal, but for a character a thread that rounding up takes from the
 * last one. */
static bool has_read_its_share(const struct far_reads *seen)
{
    uint64_t share = seen->length / (seen->blocks ? seen->blocks : 1);
    uint64_t most =
        share > 3 ? share / 2 - 1 : 0; /* an int may be the reason that half a share is read */
    uint64_t rounding = seen->threads < most ? seen->threads : most;
    return seen->units >= share - rounding;
}

/* Whether a thread came back to the beginning more often than the contract allows, or was in the second half of the
 * text and has read more than a block should. */
static bool never_ends(const struct far_end *far)
{
    const struct far_reads *seen = &far->seen;
    const uint64_t share = seen->length / seen->blocks;
    const bool begins_again = seen->laps > 1 && seen->laps + 1 >= far->plan.limits.laps;
    return begins_again || (seen->end > seen->length / 2 && seen->longest > share + share / 4);
}

/* What the block that ran last has shown. */
static enum finding judge_block(const struct far_end *far)
{
    const struct far_reads *seen = &far->seen;
    if (far->stopped && seen->units > 0 && never_ends(far))
        return WRAPPED;
    if (far->stopped)
        return strcmp(far->stopped, "memcheck") == 0 ? OUTSIDE : OPEN;
    bool is_last = far->trial.skip == 0;
    if (seen->end == seen->length || (is_last && has_read_its_share(seen)))
        return FINE;
    return ends_where_an_int_does(seen) ? WRAPPED : OPEN;
}

/* Whether the blocks that read some of the input cannot have read half of it, since blocks behind them read nothing,
 * or there are none. The last block may have less than the others, so the one before it is asked as well. Another
 * launch may read the rest. */
static bool is_out_of_reach(struct far_end *far)
{
    const struct far_reads *last = &far->seen;
    const uint64_t reading = last->blocks - far->trial.skip;
    struct far_reads before = *last;
    if (reading < 2 || far->stopped || last->launches != 1)
        return false;
    far->trial.skip++;
    run_trial(far, &before, NULL);
    far->trial.skip--;
    const uint64_t most = before.units > last->units ? before.units : last->units;
    return most < last->length / 2 / reading;
}

static enum finding judge_grid(struct far_end *far)
{
    far->trial.last = 1;
    look(far);
    far->any = far->seen.units > 0;
    if (!far->any && !far->stopped && far->seen.blocks >= 2) {
        far->trial.skip = idle_blocks(far, far->seen.blocks);
        if (!far->any)
            return WRAPPED;
        look(far);
    }
    const enum finding finding = judge_block(far);
    far->is_cut = finding == OPEN && is_out_of_reach(far);
    return far->is_cut ? WRAPPED : finding;
}

/* Does the same once more aloud, so that the reader sees which line it is. */
static void tell_far(struct far_end *far)
{
    far->trial.aloud = 1;
    look(far);
    if (far->errors > 0)
        fail_reported(far->contract, longest_name(far->contract), schedule_now());
}

static void fail_at_far_end(struct far_end *far)
{
    const struct far_reads *seen = &far->seen;
    const char *blocks = grouped(seen->blocks), *before = prefix_of(far);
    const struct words *words = &far->contract->words;
    const char *units = words->units, *input = words->input;
    char wrapped[128];
    snprintf(wrapped, sizeof wrapped,
             "an index is an int, which wraps there; use size_t for every position in the %s",
             input);
    verdict_log_add("failed far-end");
    if (!far->any)
        fail_test("%sof 4,294,967,295 %s none is read, by no block of %s\nlikeliest "
                  "cause: the length or an index is an int; use size_t for every position in "
                  "the %s",
                  before, units, blocks, input);
    if (far->stopped && strcmp(far->stopped, "memcheck") != 0)
        fail_test("%sof 4,294,967,295 %s a thread reads %s, at %s\n"
                  "likeliest cause: an index has 32 bits and wraps, so that the loop never ends; "
                  "use size_t for every position in the %s",
                  before, units,
                  seen->laps > 0 ? "the first again when it has come to the last"
                                 : "far more than its share",
                  far->last_load, input);
    fail_test("%sof 4,294,967,295 %s those from %s on are not read; the last of %s blocks "
              "that reads any is number %s\nlikeliest cause: %s",
              before, units, grouped(seen->end), blocks, grouped(seen->blocks - far->trial.skip),
              far->is_cut ? "a bound on the number of blocks, which so long an input passes"
                          : wrapped);
}

static bool is_right(const struct placed *placed)
{
    struct oracle *oracle = placed->input->contract->oracle(placed->input);
    struct difference d = {.input = placed->input, .oracle = oracle, .held = placed->output};
    const bool right = contract_compare(&d);
    contract_forget(oracle);
    return right;
}

/* Runs the kernel on a short input: with `trial` NULL to learn of it, else to see whether the trial goes well. */
static bool run_short(const struct contract *contract, const struct sim_trial *trial,
                      struct measurement *seen)
{
    enum { ENOUGH = 8 * 1000 * 1000 };
    struct input input = contract->draw(1, contract->ordinary > 0 ? contract->ordinary : 8191);
    struct placed placed = place(&input);
    place_output(&placed);
    if (trial)
        job_tries(&placed.job, trial, ENOUGH, "");
    const bool ran = place_measure(&placed, seen);
    const bool right = ran && !placed.last.stopped[0] && is_right(&placed);
    place_free(&placed);
    input_free(&input);
    return right;
}

static bool works_in(const struct contract *contract, const char *kernel, uint64_t blocks)
{
    struct measurement seen;
    return run_short(contract,
                     &(struct sim_trial){.kernel = kernel, .blocks = (unsigned int)blocks}, &seen);
}

static void skip_on_a_gpu(const struct contract *contract)
{
#ifndef SIMULATED_GPU
    cr_skip_test("on a GPU it would take %.0f GB of %s; the simulated one has them for nothing",
                 UINT32_MAX / 1e9 *
                     (double)call_of(contract, operation_chosen(), 1, 1, 0).unit_bytes,
                 contract->words.units);
#else
    (void)contract;
#endif
}

/* How many rows the grid has on an input of so many units. To see the launch is enough. */
static uint64_t rows_on(const struct far_end *known, size_t length)
{
    struct far_end far = *known;
    far.call.length = length;
    far.plan.budget = 1000;
    far.trial = (struct sim_trial){.last = 1};
    struct far_reads seen;
    const char *stopped;
    run_trial(&far, &seen, &stopped);
    return far.rows;
}

/* Judges a grid that has several rows, in y or z, on long inputs alone: nothing else shows whether the number of a
 * thread in the second row is right. The input is twice as long as the shortest one that has two rows, and not a
 * multiple of anything. */
static void judge_second_row(const struct far_end *far)
{
    enum { MOST = 1 << 20 };
    size_t one = 0, two = MOST; /* lengths on which the grid has one row, and more */
    if (far->rows < 2 || rows_on(far, MOST) < 2)
        return;
    while (two - one > 1) {
        const size_t middle = one + (two - one) / 2;
        if (rows_on(far, middle) > 1)
            two = middle;
        else
            one = middle;
    }
    struct input input = far->contract->draw(1, 2 * two - two / 5 + 1);
    input_say_more(&input, ", on which the grid has several rows");
    judge_input(&input, 1, false);
    input_free(&input);
}

/* A kernel that is wrong on a short input is told so by other tests. */
void judge_far_end(const struct contract *contract)
{
    struct measurement own;
    skip_on_a_gpu(contract);
    operation_choose(0); /* an index does not depend on the operation */
    if (!run_short(contract, NULL, &own))
        return;
    struct far_end far =
        far_end_of(contract, UINT32_MAX, own.num_bins, &(struct sim_trial){.kernel = own.reader});
    enum finding finding = judge_grid(&far);
    judge_second_row(&far);
    const bool is_small = far.stopped && far.seen.blocks > 0 && far.seen.blocks < ENOUGH_BLOCKS;
    if (finding == OPEN && is_small && works_in(contract, own.reader, 3 * own.blocks)) {
        const unsigned int enough = far.plan.threads / (unsigned int)own.threads_per_block;
        far.trial = (struct sim_trial){.kernel = own.reader, .blocks = enough};
        finding = judge_grid(&far);
        if (finding == OUTSIDE) /* that grid is not its own: only an end at 2^31 says enough */
            finding = ends_where_an_int_does(&far.seen) ? WRAPPED : OPEN;
    }
    if (finding == OUTSIDE)
        tell_far(&far);
    if (finding == WRAPPED)
        fail_at_far_end(&far);
    if (finding == FINE)
        verdict_log_add("input %sthe far end of 4,294,967,295 %s", prefix_of(&far),
                        contract->words.units);
}

uint64_t launches_on_the_longest_input(const struct contract *contract)
{
    skip_on_a_gpu(contract);
    struct far_end far = far_end_of(contract, UINT32_MAX, 1, &(struct sim_trial){.last = 1});
    look(&far);
    return far.seen.launches;
}

uint64_t blocks_on_long_input(const struct contract *contract, size_t length, size_t bins)
{
    skip_on_a_gpu(contract);
    struct far_end far = far_end_of(contract, length, bins, &(struct sim_trial){.last = 1});
    far.plan.budget = 300 * 1000;
    run_trial(&far, &far.seen, &far.stopped);
    return far.seen.blocks;
}
