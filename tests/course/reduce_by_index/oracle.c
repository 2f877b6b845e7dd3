/* oracle.c - tests of what bins should hold, and how far a float may be off. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "input_of_operation.h"
#include "oracle.h"

static void expect_bin(const struct input *input, size_t bin, const void *right, bool agrees)
{
    struct oracle *oracle = elements_oracle(input);
    cr_assert(elements_may_hold(oracle, bin, right) == agrees, "%s, bin %zu", input->name, bin);
    contract_forget(oracle);
}

Test(operations, are_those_that_the_environment_names)
{
    setenv("OPERATIONS", " argmax  count argmax ", 1);
    cr_assert(operations_asked() == 2);
    operation_choose(0);
    cr_assert(operation_chosen() == ARGMAX && operation_turn(operation_chosen()) == 0);
    operation_choose(1);
    cr_assert(operation_chosen() == COUNT && operation_turn(operation_chosen()) == 1);
}

Test(operations, that_are_none_end_the_program, .exit_code = 2)
{
    setenv("OPERATIONS", "count argmin", 1);
    operations_asked();
}

Test(oracle, counts_keys_that_have_a_bin)
{
    struct input input = empty(COUNT, 10, 3);
    const uint32_t keys[] = {0, 2, 2, 3, 4, UINT32_MAX};
    for (size_t i = 0; i < 6; i++)
        add(&input, keys[i], 0, 0);
    memcpy(input.bins + 4, &(uint32_t){UINT32_MAX}, 4);
    expect_bin(&input, 0, &(uint32_t){1}, true);
    expect_bin(&input, 1, &(uint32_t){UINT32_MAX}, true);
    expect_bin(&input, 2, &(uint32_t){2}, true);
    expect_bin(&input, 2, &(uint32_t){1}, false);
    input_free(&input);
}

Test(oracle, stops_at_the_cap)
{
    struct input input = empty(SATURATE, 10, 2);
    memcpy(input.bins, (const uint32_t[]){(1u << 24) - 2, (1u << 24) - 1}, 8);
    add(&input, 0, 0, 0);
    add(&input, 1, 0, 0);
    expect_bin(&input, 0, &(uint32_t){(1u << 24) - 1}, true);
    expect_bin(&input, 1, &(uint32_t){(1u << 24) - 1}, true);
    expect_bin(&input, 1, &(uint32_t){1u << 24}, false);
    input_free(&input);
}

Test(oracle, adds_64_bits)
{
    struct input input = empty(WIDE_SUM, 10, 2);
    memcpy(input.bins, &(uint64_t){UINT64_MAX}, 8);
    add(&input, 0, UINT32_MAX, 0);
    add(&input, 1, UINT32_MAX, 0);
    add(&input, 1, UINT32_MAX, 0);
    expect_bin(&input, 0, &(uint64_t){UINT32_MAX - 1u}, true);
    expect_bin(&input, 1, &(uint64_t){2 * (uint64_t)UINT32_MAX}, true);
    input_free(&input);
}

Test(oracle, gives_ties_to_the_smaller_index)
{
    struct input input = empty(ARGMAX, 10, 3);
    const uint32_t last = (1u << 26) - 1;
    add(&input, 0, 7, 5);
    add(&input, 0, 7, 3);
    add(&input, 0, 7, 9);
    add(&input, 0, 6, 0);
    add(&input, 1, 0, last);
    add(&input, (1u << 22) - 1, 65535, 0);
    expect_bin(&input, 0, (const uint32_t[]){7, 3}, true);
    expect_bin(&input, 0, (const uint32_t[]){7, 5}, false);
    expect_bin(&input, 1, (const uint32_t[]){0, last}, true);
    expect_bin(&input, 2, (const uint32_t[]){0, UINT32_MAX}, true);
    input_free(&input);
}

Test(oracle, finds_both_ends_but_no_nan)
{
    struct input input = empty(MINMAX, 10, 3);
    add(&input, 0, bits_of(-1.5f), 0);
    add(&input, 0, bits_of(NAN), 0);
    add(&input, 0, bits_of(INFINITY), 0);
    add(&input, 1, bits_of(-0.0f), 0);
    add(&input, 2, bits_of(NAN), 0);
    expect_bin(&input, 0, (const double[]){-1.5, INFINITY}, true);
    expect_bin(&input, 1, (const double[]){0.0, 0.0}, true);
    expect_bin(&input, 1, (const double[]){-0.0, 0.0}, false);
    expect_bin(&input, 2, (const double[]){INFINITY, -INFINITY}, true);
    input_free(&input);
}

/* 1,000 thirds: each order of adding rounds otherwise, and none by more than the bound. */
Test(oracle, allows_what_rounding_explains_and_no_more)
{
    enum { MANY = 1000 };
    struct input input = empty(FLOAT_SUM, MANY, 1);
    float forth = 0, pairs[MANY];
    for (int i = 0; i < MANY; i++) {
        pairs[i] = 1.0f / 3 + (float)i / 7;
        forth += pairs[i];
        add(&input, 0, bits_of(pairs[i]), 0);
    }
    for (int step = 1; step < MANY; step *= 2)
        for (int i = 0; i + step < MANY; i += 2 * step)
            pairs[i] += pairs[i + step];
    struct oracle *oracle = elements_oracle(&input);
    const double bound = elements_bound(oracle, 0, 0), sum = oracle->sums[0].sum;
    const double u = ldexp(1, -24), gamma = MANY * u / (1 - MANY * u);
    cr_assert(forth != pairs[0]);
    cr_assert(bound >= gamma * sum && bound < 1.0001 * gamma * sum);
    cr_assert(elements_may_hold(oracle, 0, (const unsigned char *)&forth));
    cr_assert(elements_may_hold(oracle, 0, (const unsigned char *)pairs));
    cr_assert(!elements_may_hold(oracle, 0,
                                 (const unsigned char *)&(float){(float)(sum + 1.01 * bound)}));
    cr_assert(!elements_may_hold(oracle, 0,
                                 (const unsigned char *)&(float){(float)(sum - 1.01 * bound)}));
    contract_forget(oracle);
    input_free(&input);
}

/* Multiples of 1/64 whose sum needs no more than 24 bits: then not one of 5,000 may be missing. */
Test(oracle, allows_no_rounding_where_there_is_none)
{
    struct input input = empty(FLOAT_SUM, 5000, 1);
    for (int i = 0; i < 5000; i++)
        add(&input, 0, bits_of((float)(i % 256) / 64), 0);
    struct oracle *oracle = elements_oracle(&input);
    const float sum = (float)oracle->sums[0].sum;
    cr_assert(elements_bound(oracle, 0, 0) == 0);
    cr_assert(elements_may_hold(oracle, 0, (const unsigned char *)&sum));
    cr_assert(!elements_may_hold(oracle, 0, (const unsigned char *)&(float){sum + 1.0f / 64}));
    contract_forget(oracle);
    input_free(&input);
}

Test(oracle, tells_kinds_of_floats)
{
    struct input input = empty(FLOAT_SUM, 20, 5);
    add(&input, 0, bits_of(NAN), 0);
    add(&input, 0, bits_of(1), 0);
    add(&input, 1, bits_of(INFINITY), 0);
    add(&input, 1, bits_of(-INFINITY), 0);
    add(&input, 2, bits_of(-INFINITY), 0);
    add(&input, 2, bits_of(FLT_MAX), 0);
    add(&input, 3, bits_of(-0.0f), 0);
    add(&input, 4, bits_of(FLT_MAX), 0);
    add(&input, 4, bits_of(FLT_MAX), 0);
    add(&input, 4, bits_of(-FLT_MAX), 0);
    for (size_t bin = 0; bin < 2; bin++) {
        expect_bin(&input, bin, &(float){NAN}, true);
        expect_bin(&input, bin, &(float){-NAN}, true);
        expect_bin(&input, bin, &(float){1}, false);
    }
    expect_bin(&input, 2, &(float){-INFINITY}, true);
    expect_bin(&input, 2, &(float){INFINITY}, false);
    expect_bin(&input, 2, &(float){NAN}, false);
    expect_bin(&input, 3, &(float){0.0f}, true);
    expect_bin(&input, 3, &(float){-0.0f}, true);
    expect_bin(&input, 4, &(float){FLT_MAX}, true);
    expect_bin(&input, 4, &(float){INFINITY}, true); /* in another order */
    input_free(&input);
}

Test(oracle, adds_the_powers_of_a_vector)
{
    struct input input = empty(VECTOR_SUM, 10, 2);
    add(&input, 0, bits_of(2), 0);
    add(&input, 0, bits_of(-1), 0);
    expect_bin(&input, 0, (const float[]){2, 1, 5, 7, 17, 31, 65, 127}, true);
    expect_bin(&input, 0, (const float[]){2, 1, 5, 7, 17, 31, 65, 128}, false);
    expect_bin(&input, 0, (const float[]){1, 1, 5, 7, 17, 31, 65, 127}, false);
    expect_bin(&input, 1, (const float[8]){0}, true);
    input_free(&input);
}

Test(oracle, knows_the_rows_of_a_batch)
{
    choose(COUNT);
    struct input input = input_batched(KEYS_UNIFORM, 1, 3, 4, 5);
    memset(input.bins, 0, 3 * 5 * 4);
    for (size_t i = 0; i < 12; i++)
        element_set(&input, i, i % 4 == 3 ? 5 : 2, 0, 0);
    for (size_t bin = 0; bin < 15; bin++)
        expect_bin(&input, bin, &(uint32_t){bin % 5 == 2 ? 3 : 0}, true);
    input_free(&input);
}
