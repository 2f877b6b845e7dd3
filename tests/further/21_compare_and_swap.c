/* 21_compare_and_swap.c - the exercise of chapter 21: a compare-and-swap only where it would change
 * something.
 *
 * Operations: count saturate float_sum wide_sum argmax */
#include "reduce_by_index/harness.h"

#include <string.h>

enum { LENGTH = 1 << 15, MANY = 505, FEW = 31 };

static uint64_t tries_in(const struct measurement *cost)
{
    return cost->bins.cas.lanes + cost->elsewhere.cas.lanes + cost->shared.cas.lanes;
}

/* Whether a bin of the operation comes to an end, where nothing changes it any more. */
static bool has_an_end(void)
{
    return operation_chosen() == SATURATE || operation_chosen() == ARGMAX;
}

/* Fills all bins of an input with what no element changes: the cap, or the largest value with the
 * smallest index. */
static void fill_to_the_end(struct input *input)
{
    const uint32_t cap = (1u << 24) - 1, best[] = {UINT16_MAX, 0};
    const void *end = operation_chosen() == SATURATE ? (const void *)&cap : best;
    const size_t bytes = operation_bin_bytes(operation_chosen());
    for (size_t j = 0; j < input->num_bins; j++)
        memcpy(input->bins + j * bytes, end, bytes);
}

/* No bin can change, so no bin is swapped. Catches a compare-and-swap for each element or each bin
 * of a block that is committed. */
Test(further21, leaves_full_bins_alone)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (!has_an_end())
            continue;
        struct input input = input_of_keys(KEYS_ZIPF, 1, LENGTH / 2, MANY);
        fill_to_the_end(&input);
        struct measurement cost = measure_input(&input);
        expect_exactly(cost.bins.cas.lanes, "compare-and-swaps on bins that are full", 0,
                       "%s: nothing that an element brings changes such a bin; tries",
                       operation_name(operation_chosen()));
        input_free(&input);
    }
}

/* All elements are the same one. Whoever comes after the first finds it there already; too early are
 * at most the threads that have read the bin before: each of them fails once, for its first element.
 * Then each block may swap each of its bins once into the bins. Catches tries that can only lose. */
Test(further21, tries_only_when_it_would_win)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != ARGMAX)
            continue;
        struct input input = input_within(KEYS_SINGLE, 1, LENGTH, FEW);
        for (size_t at = 0; at < LENGTH; at++)
            element_set(&input, at, FEW / 2, 1000, 7);
        set_multiprocessors(1);
        struct measurement cost = measure_input(&input);
        expect_at_most(tries_in(&cost), "compare-and-swaps", cost.threads + cost.blocks * FEW,
                       "each thread may be too late once, and each block commits its bins once, so "
                       "of %s equal elements at most threads + blocks x bins = %s + %s x %s try",
                       grouped(LENGTH), grouped(cost.threads), grouped(cost.blocks), grouped(FEW));
        input_free(&input);
    }
}

/* What changes its bin needs its try as before. Catches elements that are left out, or combined by
 * another atomic. */
Test(further21, still_tries_once_for_each_element_that_changes_its_bin)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        if (operation_chosen() != COUNT && operation_chosen() != SATURATE)
            continue;
        struct input input = input_of_keys(KEYS_UNIFORM, 1, LENGTH / 2, MANY);
        struct measurement cost = measure_input(&input);
        expect_at_least(tries_in(&cost), "compare-and-swaps", cost.counted,
                        "%s: each of %s elements changes its bin, and needs one that succeeds",
                        operation_name(operation_chosen()), grouped(cost.counted));
        if (i == 0)
            technique_is(
                "%s compare-and-swaps for %s elements where each changes its bin, and none "
                "on a bin that is full",
                grouped(tries_in(&cost)), grouped(cost.counted));
        input_free(&input);
    }
}
