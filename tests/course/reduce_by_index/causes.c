/* causes.c - tests of the likeliest cause of a wrong bin. Others are proved by planted mistakes: tests/advice. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "input_of_operation.h"
#include "oracle.h"

/* What is said of bins that `spoil` has made of right ones. */
static void expect_cause(struct input *input, unsigned char *held, const unsigned char *again,
                         const char *expected)
{
    char cause[400] = "";
    struct oracle *oracle = elements_oracle(input);
    struct difference d = {.input = input,
                           .oracle = oracle,
                           .held = held,
                           .again = again,
                           .blocks = 4,
                           .threads_per_block = 64,
                           .cause = cause,
                           .size = sizeof cause};
    cr_assert(!contract_compare(&d));
    first_cause(&d);
    cr_assert(strstr(cause, expected), "'%s' is not in '%s'", expected, cause);
    contract_forget(oracle);
}

static unsigned char *right_bins(const struct input *input)
{
    struct oracle *oracle = elements_oracle(input);
    const size_t bytes = input->num_bins * operation_bin_bytes(operation_chosen());
    unsigned char *bins = malloc(bytes);
    memcpy(bins, oracle->bins, bytes);
    contract_forget(oracle);
    return bins;
}

Test(causes, nothing_done_and_what_a_bin_held_lost)
{
    choose(COUNT);
    struct input input = input_of_keys(KEYS_UNIFORM, 1, 1000, 31);
    unsigned char *bins = right_bins(&input);
    expect_cause(&input, input.bins, NULL, "hold what they held before");
    for (size_t bin = 0; bin < 31; bin++) {
        uint32_t current, before;
        memcpy(&current, bins + 4 * bin, 4);
        memcpy(&before, input.bins + 4 * bin, 4);
        current -= before;
        memcpy(bins + 4 * bin, &current, 4);
    }
    expect_cause(&input, bins, NULL, "do not set them");
    free(bins);
    input_free(&input);
}

/* The bins that a hypothesis about 4 blocks of 64 threads gives. */
static void expect_cause_if(struct input *input, struct hypothesis hypothesis, const char *expected)
{
    hypothesis.length = input->length;
    hypothesis.blocks = 4;
    hypothesis.threads = 64;
    struct oracle *other = elements_if(input, &hypothesis);
    expect_cause(input, other->bins, NULL, expected);
    contract_forget(other);
}

Test(causes, elements_that_came_to_another_bin_or_to_none)
{
    choose(WIDE_SUM);
    struct input input = input_of_keys(KEYS_UNIFORM, 1, 1000, 70000);
    expect_cause_if(&input, (struct hypothesis){.rule = BEYOND_IN_LAST}, "came to the last bin");
    expect_cause_if(&input, (struct hypothesis){.rule = BEYOND_IN_REST}, "bin key % num_bins");
    expect_cause_if(&input, (struct hypothesis){.part = FIRST_UNITS, .number = 999},
                    "one element is missing, the last one");
    expect_cause_if(&input, (struct hypothesis){.part = BUT_BLOCK, .number = 3},
                    "exactly what block 3");
    expect_cause_if(&input, (struct hypothesis){.part = BUT_SECTION, .number = 3},
                    "exactly what block 3");
    input_free(&input);
}

Test(causes, a_pass_that_is_missing)
{
    choose(COUNT);
    struct input input = input_within(KEYS_UNIFORM, 1, 5000, 1000);
    unsigned char *bins = right_bins(&input);
    memcpy(bins + 4 * 600, input.bins + 4 * 600, 4 * 400);
    expect_cause(&input, bins, NULL, "a pass, a bucket");
    free(bins);
    input_free(&input);
}

Test(causes, everything_twice_and_copies_that_nobody_zeroed)
{
    choose(COUNT);
    struct input input = empty(COUNT, 1000, 31);
    input.length = 1000;
    unsigned char *bins = right_bins(&input);
    for (size_t bin = 0; bin < 31; bin++) {
        uint32_t current;
        memcpy(&current, bins + 4 * bin, 4);
        memcpy(bins + 4 * bin, &(uint32_t){2 * current}, 4);
    }
    expect_cause(&input, bins, NULL, "exactly 2 times");
    memcpy(bins, &(uint32_t){1u << 20}, 4);
    expect_cause(&input, bins, NULL, "and there are 1,000 elements");
    free(bins);
    input_free(&input);
}

Test(causes, ties_and_caps)
{
    struct input input = empty(ARGMAX, 10, 2);
    add(&input, 0, 7, 5);
    add(&input, 0, 7, 3);
    uint32_t best[4] = {7, 5, 0, UINT32_MAX};
    expect_cause(&input, (unsigned char *)best, NULL, "another index won");
    input_free(&input);
    input = empty(SATURATE, 10, 1);
    memcpy(input.bins, &(uint32_t){(1u << 24) - 1}, 4);
    add(&input, 0, 0, 0);
    expect_cause(&input, (unsigned char *)&(uint32_t){1u << 24}, NULL, "above 16,777,215");
    input_free(&input);
}
