/* litmus.cu - the litmus programs of tests/litmus on the simulated GPU: each wrong form is reported
 * with every seed, each right one is clean by the letter of PTX, too. */
#include <criterion/criterion.h>

#include "../litmus/flag_between_blocks.cu"
#include "../litmus/last_block.cu"
#include "../litmus/lock.cu"
#include "../litmus/message_passing.cu"
#include "../litmus/store_buffering.cu"
#include "capture.h"
#include "sim.h"

enum { PAIRS = 2, TRIALS = PAIRS * THREADS * ROUNDS, SEEDS = 10 };

static int *zeros(size_t count)
{
    int *words;
    cr_assert_eq(cudaMalloc(&words, count * sizeof(int)), cudaSuccess);
    cudaMemset(words, 0, count * sizeof(int));
    return words;
}

/* What the checks say of a run with this seed; the errors that they count are left in *errors. */
static const char *run(const struct litmus *litmus, const char *checks, unsigned long long seed,
                       unsigned long long *errors)
{
    static struct capture capture;
    sim_set_checks(checks);
    sim_set_seed(seed);
    capture_start(&capture);
    const struct words words = {zeros(TRIALS), zeros(TRIALS), zeros(TRIALS), zeros(TRIALS),
                                zeros(PAIRS * THREADS)};
    litmus->kernel<<<2 * PAIRS, THREADS>>>(words);
    cudaDeviceSynchronize();
    cudaDeviceReset();
    *errors = sim_error_count();
    sim_reset_errors();
    return capture_end(&capture);
}

static void expect_reported(const struct litmus *litmus, const char *expected)
{
    for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
        unsigned long long errors;
        const char *text = run(litmus, "all", seed, &errors);
        cr_expect(errors != 0, "%s, %s: nothing is said with seed %llu", litmus->program,
                  litmus->form, seed);
        cr_expect(strstr(text, expected) != NULL, "%s, %s: no \"%s\" with seed %llu in:\n%s",
                  litmus->program, litmus->form, expected, seed, text);
    }
}

static void expect_clean(const struct litmus *litmus)
{
    for (unsigned long long seed = 1; seed <= SEEDS; seed++)
        for (int strict = 0; strict < 2; strict++) {
            unsigned long long errors;
            const char *text = run(litmus, strict ? "all,strict" : "all", seed, &errors);
            cr_expect(errors == 0, "%s, %s, seed %llu, strict %d:\n%s", litmus->program,
                      litmus->form, seed, strict, text);
        }
}

Test(litmus, wrong_forms_are_reported)
{
    expect_reported(&message_passing[0], "put __threadfence() between the write");
    expect_reported(&store_buffering[0], "Race reported");
    expect_reported(&last_block[0], "put __threadfence() between the write");
    expect_reported(&lock[0], "put __threadfence() before it is freed");
    expect_reported(&flag_between_blocks[0], "of block scope, and these are two blocks");
}

Test(litmus, right_forms_are_clean_by_the_letter)
{
    expect_clean(&message_passing[1]);
    expect_clean(&store_buffering[2]);
    expect_clean(&last_block[1]);
    expect_clean(&lock[1]);
    expect_clean(&flag_between_blocks[1]);
}

/* Relaxed accesses are no race, and what no order of the steps gives does not happen here: that only a
 * card shows (docs/memory_model.md). */
Test(litmus, store_buffering_without_a_race_is_not_seen)
{
    expect_clean(&store_buffering[1]);
}
