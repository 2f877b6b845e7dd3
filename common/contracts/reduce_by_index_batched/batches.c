/* batches.c - batches that break kernels. */
#include "reduce_by_index/harness.h"

#include "contract.h"
#include "placed.h"
#include "random_numbers.h"
#include "settings.h"
#include "verdict_log.h"

enum { A_FEW_MULTIPROCESSORS = 3, MORE_THAN_FIT = 58113 };

struct batch {
    enum keys kind;
    size_t batch, length, num_bins;
};

static void expect_right_batch(const struct batch *batch, bool once)
{
    judge_and_free(
        input_batched(batch->kind, batch->length, batch->batch, batch->length, batch->num_bins),
        once ? 1 : USUAL_SCHEDULES, true);
}

/* Judges more bins than a team has threads, in several parts. */
static void expect_right_on_parts(void)
{
    judge_and_free(input_batched(KEYS_UNIFORM, 1, 1, 9001, 1031), 1, false);
}

static void expect_right_on_sizes(void)
{
    const struct batch ordinary[] = {{KEYS_UNIFORM, 37, 251, 31}, {KEYS_UNIFORM, 1, 8191, 505}};
    const struct batch others[] = {
        {KEYS_UNIFORM, 3, 16381, 31}, {KEYS_NINETY, 101, 33, 5},     {KEYS_ZIPF, 7, 1021, 505},
        {KEYS_SINGLE, 9, 67, 31},     {KEYS_UNIFORM, 1021, 1, 1},    {KEYS_SORTED, 2, 4099, 505},
        {KEYS_UNIFORM, 257, 31, 3},   {KEYS_UNIFORM, 256, 32, 4},    {KEYS_UNIFORM, 255, 33, 5},
        {KEYS_UNIFORM, 1, 1, 1},      {KEYS_STRIDE_63, 5, 509, 1021}};
    for (size_t i = 0; i < sizeof ordinary / sizeof *ordinary; i++)
        expect_right_batch(&ordinary[i], false);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_right_batch(&others[i], true);
}

/* Judges batches with nothing to do, and large ones on few blocks. */
static void expect_right_on_extremes(void)
{
    const struct batch extremes[] = {{KEYS_UNIFORM, 5, 0, 31},
                                     {KEYS_UNIFORM, 5, 100, 0},
                                     {KEYS_UNIFORM, 3, 999, 12281},
                                     {KEYS_UNIFORM, 2, 1999, MORE_THAN_FIT}};
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++)
        expect_right_batch(&extremes[i], true);
    set_multiprocessors(132);
    expect_right_batch(&(struct batch){KEYS_UNIFORM, 11, 1021, 101}, true);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
}

static void expect_right_when_misaligned_batches(void)
{
    for (size_t misalignment = 1; misalignment < 8; misalignment += 2) {
        struct input input = input_batched(KEYS_UNIFORM, misalignment, 13, 77, 31);
        input_say_more(&input, ", %zu element%s after a multiple of 256 bytes", misalignment,
                       misalignment == 1 ? "" : "s");
        input.misalignment = misalignment;
        judge_and_free(input, 1, true);
    }
}

static void expect_right_on_all_batches(size_t unused)
{
    (void)unused;
    expect_right_on_sizes();
    expect_right_on_parts();
    expect_right_when_misaligned_batches();
    expect_right_on_extremes();
}

void expect_right_on_batches(void)
{
    for_each_operation(expect_right_on_all_batches, 0, A_FEW_MULTIPROCESSORS);
    expect_elements_right_on_special_values_in(1);
}

void expect_launch_on_many_batches(void)
{
    enum { BATCH = 17000000, LENGTH = 2, EACH = 2, LITTLE = 100 * 1000 };
    const char *what = "17,000,000 histograms of 2 elements each";
    operation_choose(0);
    const struct call call =
        call_of(&reduce_by_index_contract, operation_chosen(), BATCH * LENGTH, BATCH * EACH, BATCH);
    struct job job = job_of(&reduce_by_index_contract, &call);
    job.content = UNWRITTEN;
    job_tries(&job, &(struct sim_trial){.last = 1}, LITTLE, "memcheck");
    const struct outcome outcome = job_run(&job, what, NULL, NULL);
    if (outcome.launch_failed)
        fail_as("stopped", "stopped on %s: %s", what, outcome.error);
}

static struct input draw_any_batch(uint64_t *state, size_t unused)
{
    (void)unused;
    const size_t batch = 1 + random_below(state, 1u << random_below(state, 8));
    const size_t length = 1 + random_below(state, (1 << 13) / (uint32_t)batch);
    const size_t bins = bins_asked(1 + random_below(state, 2u << random_below(state, 9)));
    const enum keys kind = (enum keys)random_below(state, KEYS_DRAWN);
    return input_batched(kind, next_random(state), batch, length, bins);
}

void expect_right_on_drawn_batches(void)
{
    judge_drawn(draw_any_batch, 0, 3);
}
