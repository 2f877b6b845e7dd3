/* inputs.c - tests of how keys crowd. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <math.h>

#include "by_operation.h"

static size_t elements_with(const struct input *input, uint32_t from, uint32_t to)
{
    size_t count = 0;
    for (size_t i = 0; i < input->length; i++)
        count += input_key(input, i) >= from && input_key(input, i) < to;
    return count;
}

enum { LENGTH = 64000, BINS_OF_INPUT = 1000 };

Test(input, has_about_one_key_in_64_that_has_no_bin)
{
    for (int operation = 0; operation <= MINMAX; operation++) {
        choose((enum operation)operation);
        struct input input = input_of(KEYS_UNIFORM, 1, LENGTH, BINS_OF_INPUT);
        struct input within = input_within(KEYS_UNIFORM, 1, LENGTH, BINS_OF_INPUT);
        const size_t beyond = LENGTH - elements_with(&input, 0, BINS_OF_INPUT);
        const uint32_t largest = operation_largest_key((enum operation)operation);
        cr_assert(beyond > 900 && beyond < 1100, "%zu", beyond);
        cr_assert(elements_with(&input, BINS_OF_INPUT, BINS_OF_INPUT + 1) > 200);
        cr_assert(elements_with(&input, BINS_OF_INPUT + 1, BINS_OF_INPUT + 2) > 200);
        cr_assert(elements_with(&input, largest - 1, largest) + 200 <
                  LENGTH - elements_with(&input, 0, largest));
        cr_assert(elements_with(&within, 0, BINS_OF_INPUT) == LENGTH);
        input_free(&input);
        input_free(&within);
    }
}

Test(input, crowds_as_its_kind_says)
{
    choose(COUNT);
    struct input input = input_within(KEYS_UNIFORM, 1, LENGTH, BINS_OF_INPUT);
    for (uint32_t key = 0; key < BINS_OF_INPUT; key++)
        cr_assert(elements_with(&input, key, key + 1) > 20); /* of 64 */
    input_free(&input);
    input = input_of(KEYS_SINGLE, 1, LENGTH, BINS_OF_INPUT);
    cr_assert(elements_with(&input, 500, 501) == LENGTH);
    input_free(&input);
    input = input_within(KEYS_NINETY, 1, LENGTH, BINS_OF_INPUT);
    cr_assert(fabs((double)elements_with(&input, 500, 501) / LENGTH - 0.9001) < 0.01);
    input_free(&input);
    input = input_within(KEYS_STRIDE_63, 1, LENGTH, BINS_OF_INPUT);
    for (size_t i = 0; i < LENGTH; i++)
        cr_assert(input_key(&input, i) % 63 == 0);
    cr_assert(elements_with(&input, 945, 946) > 3000); /* 64,000 / 16 */
    input_free(&input);
    input = input_within(KEYS_SORTED, 1, LENGTH, BINS_OF_INPUT);
    for (size_t i = 1; i < LENGTH; i++)
        cr_assert(input_key(&input, i - 1) <= input_key(&input, i));
    input_free(&input);
}

/* The key of rank r has a share of 1 / r: the first about 1 / H(1000) = 0.134, the second half. */
Test(input, of_zipf_has_shares_that_fall_with_the_rank)
{
    choose(COUNT);
    struct input input = input_within(KEYS_ZIPF, 1, LENGTH, BINS_OF_INPUT);
    size_t first = 0, second = 0, met = 0;
    for (uint32_t key = 0; key < BINS_OF_INPUT; key++) {
        const size_t count = elements_with(&input, key, key + 1);
        met += count > 0;
        if (count > first) {
            second = first;
            first = count;
        } else if (count > second)
            second = count;
    }
    cr_assert(fabs((double)first / LENGTH - 0.1336) < 0.006, "%zu", first);
    cr_assert(fabs((double)second / LENGTH - 0.0668) < 0.004, "%zu", second);
    cr_assert(met > 950);
    input_free(&input);
}

/* The same elements on every machine. */
Test(input, is_the_same_everywhere)
{
    uint64_t sum = 0;
    for (int operation = 0; operation <= MINMAX; operation++)
        for (int kind = 0; kind < KEYS_KINDS; kind++) {
            choose((enum operation)operation);
            struct input input = input_of((enum keys)kind, 3, 1000, 505);
            const size_t bytes = 1000 * operation_element_bytes(operation_now());
            for (size_t i = 0; i < bytes; i++)
                sum = sum * 1099511628211u + input.elements[i];
            input_free(&input);
        }
    cr_assert(sum == 0x4e73cc0d710504f2u, "0x%llx", (unsigned long long)sum);
}
