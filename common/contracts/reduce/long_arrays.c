/* long_arrays.c - an array that is longer than a fixed number of launches takes.
 *
 * A grid that is small goes through all of it. One that has a thread for each value is so large that
 * only the last block of each launch runs, twice: what the result holds then has no meaning, but it
 * has to be another one when the last value is. That says enough of a kernel that is launched on the
 * results of its blocks; of others, say with a ticket that only the last of all blocks gets, nothing
 * is known then, and nothing held against them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "contract.h"
#include "verdict_log.h"
#include "reduce/harness.h"
#include "settings.h"

enum { CUBE = 256 * 256 * 256, A_FEW_MULTIPROCESSORS = 1, A_FEW = 16 /* values of a thread */ };

/* An array of zeros but for these values, and the result on it. */
struct long_array {
    uint64_t length;
    bool is_trial; /* only the last block of a large grid runs */
    size_t count;
    uint64_t place[SPOTS];
    unsigned char value[SPOTS][SPOT_BYTES], result[SPOT_BYTES];
};

/* Sets the next value that is not neutral. */
static void add_value(struct long_array *array, uint64_t place, double number)
{
    struct input one = input_for(&reduce_contract);
    one.values = array->value[array->count];
    one.length = 1;
    value_set_number(&one, 0, number, 1);
    array->place[array->count++] = place;
}

/* Runs the kernel without most checks. In a trial nobody writes the zeros: it reads so little that what nobody has
 * written is 0 anyhow. */
static struct outcome run_on_long_array(struct long_array *array, const char *what)
{
    enum { ENOUGH = 1000 * 1000 * 1000 };
    static const unsigned char zeros[SPOT_BYTES];
    const struct call call = call_of(&reduce_contract, operation_chosen(), array->length, 1, 0);
    const struct sim_trial last_block = {.last = 1};
    struct job job = job_of(&reduce_contract, &call);
    job_tries(&job, &last_block, ENOUGH, array->is_trial ? "memcheck" : "none");
    job.is_trial = array->is_trial;
    job.watch = array->is_trial ? WATCH_FAR_END : WATCH_NOTHING;
    job.limits = (struct far_limits){UINT64_MAX, UINT64_MAX, UINT64_MAX};
    job.content = array->is_trial ? UNWRITTEN : REPEATED;
    job.input_bytes = array->is_trial ? 0 : call.unit_bytes;
    job.output_bytes = call.bin_bytes;
    for (size_t i = 0; i < array->count; i++) {
        struct spot *spot = &job.spots[job.spot_count++];
        *spot = (struct spot){.at = array->place[i] * call.unit_bytes, .size = call.unit_bytes};
        memcpy(spot->bytes, array->value[i], call.unit_bytes);
    }
    memset(array->result, 0x5a, sizeof array->result);
    const struct outcome outcome = job_run(&job, what, zeros, array->result);
    if (!outcome.finished && !array->is_trial)
        fail_as("stopped", "stopped on %s: %s", what, outcome.error);
    return outcome;
}

/* What these values come to without those whose bit of `left_out` is set. */
static struct oracle oracle_without(const struct long_array *array, unsigned int left_out)
{
    struct input few = input_of_values(VALUES_SPIKE, 1, array->count);
    const size_t bytes = operation_bin_bytes(operation_chosen());
    for (uint64_t i = 0; i < array->count; i++)
        if (left_out >> i & 1)
            value_set_number(&few, i, 0, 1);
        else
            memcpy(few.values + i * bytes, array->value[i], bytes);
    const struct oracle oracle = result_of(&few);
    input_free(&few);
    return oracle;
}

static void fail_on_long_array(const struct long_array *array, const unsigned char *held,
                               const char *what)
{
    char should[80], holds[80], cause[160] = "values beyond 16,777,215 are missing, or came twice";
    const struct oracle oracle = oracle_without(array, 0);
    for (unsigned int left_out = 1; left_out < 1u << array->count; left_out++) {
        const struct oracle other = oracle_without(array, left_out);
        if (result_agrees(&other, held, 0))
            snprintf(cause, sizeof cause,
                     "the value at index %s never comes to the result: a number of launches, or of "
                     "blocks, that does not depend on the length",
                     grouped(array->place[__builtin_ctz(left_out)]));
    }
    result_say_expected(&oracle, should, sizeof should);
    result_say_held(&oracle, held, holds, sizeof holds);
    fail_as("result", "wrong on %s: should be %s, is %s; likeliest cause: %s", what, should, holds,
            cause);
}

/* Judges all blocks of a grid whose threads have many values each. */
static void expect_right_on_all_of_it(void)
{
    char what[160];
    struct long_array array = {.length = CUBE + 1};
    snprintf(what, sizeof what, "%s, 16,777,217 values, all but 3 of them 0",
             operation_name(operation_chosen()));
    add_value(&array, 1, 100);
    add_value(&array, CUBE - 1, 20);
    add_value(&array, CUBE, 3000);
    run_on_long_array(&array, what);
    const struct oracle oracle = oracle_without(&array, 0);
    if (!result_agrees(&oracle, array.result, 0))
        fail_on_long_array(&array, array.result, what);
    verdict_log_add("input %s", what);
}

/* Whether the last of so many values changes the result, of which only the last block is seen. Everything else in it
 * comes from memory that nobody has written, so that only large numbers are above it. */
static bool last_value_counts(uint64_t length, struct far_reads *seen)
{
    unsigned char results[2][SPOT_BYTES];
    for (int i = 0; i < 2; i++) {
        struct long_array array = {.length = length, .is_trial = true};
        add_value(&array, length - 1,
                  operation_chosen() == MAX ? (double)UINT32_MAX - i : 1000.0 * (i + 1));
        *seen = run_on_long_array(&array, "the end of a long array").far;
        memcpy(results[i], array.result, sizeof results[i]);
    }
    return memcmp(results[0], results[1], operation_bin_bytes(operation_chosen())) != 0;
}

/* Fails where as many launches are made as reduce `length` values to one, which leave the next value out. Where
 * threads have several values each the last one may be another block's, so that all blocks have to run. */
static void expect_no_end_after(uint64_t length)
{
    struct far_reads seen, shorter;
    if (length >= UINT32_MAX)
        return;
    if (last_value_counts(length + 1, &seen)) {
        verdict_log_add("input %s, the end of %s values", operation_name(operation_chosen()),
                        grouped(length + 1));
        return;
    }
    if (!last_value_counts(length, &shorter))
        return;
    if (seen.largest_threads <= length) {
        if (length == CUBE)
            expect_right_on_all_of_it();
        return;
    }
    fail_as("result",
            "wrong on %s, %s values: the last one changes nothing, and of %s it does; "
            "likeliest cause: a fixed number of launches, which reduce %s values to one and "
            "drop a tail: launch on until one block is left",
            operation_name(operation_chosen()), grouped(length + 1), grouped(length),
            grouped(length));
}

/* Whether the kernel has few threads for 128 K values. On a GPU all of a long array is reduced, whatever the grid. */
static bool has_few_threads(void)
{
#ifndef SIMULATED_GPU
    return true;
#else
    enum { LENGTH = 1 << 17 };
    struct long_array array = {.length = LENGTH, .is_trial = true};
    return run_on_long_array(&array, "128 K values").far.largest_threads * A_FEW < LENGTH;
#endif
}

void expect_right_on_long_arrays(void)
{
    struct far_reads seen;
    operation_choose(0);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
    if (has_few_threads()) {
        expect_right_on_all_of_it();
        return;
    }
    last_value_counts(CUBE, &seen);
    if (seen.largest_threads * A_FEW < CUBE) {
        expect_right_on_all_of_it();
        return;
    }
    const uint64_t t = seen.largest_block;
    expect_no_end_after(CUBE);
    if (t != 256)
        expect_no_end_after(t * t * t);
    expect_no_end_after(t * t);
}
