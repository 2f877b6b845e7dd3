/* values.c - tests of the arrays that kernels are judged on. */
#define _GNU_SOURCE
#include <math.h>

#include "of_values.h"
#include "result.h"

static uint32_t word_of(const struct input *input, size_t i)
{
    uint32_t word;
    memcpy(&word, input->values + i * operation_bin_bytes(operation_chosen()), sizeof word);
    return word;
}

static const enum operation all[] = {SUM, MAX, FLOAT_SUM, DOT};

Test(values, are_the_same_for_one_seed_and_others_for_another)
{
    for (size_t k = 0; k < 4; k++) {
        choose(all[k]);
        struct input one = input_of_values(VALUES_SMALL, 5, 1000),
                     two = input_of_values(VALUES_SMALL, 5, 1000);
        struct input other = input_of_values(VALUES_SMALL, 6, 1000);
        const size_t bytes = 1000 * operation_bin_bytes(all[k]);
        cr_assert(memcmp(one.values, two.values, bytes) == 0);
        cr_assert(memcmp(one.values, other.values, bytes) != 0);
        input_free(&one), input_free(&two), input_free(&other);
    }
}

/* So that each lost value is seen, however long the array is. */
Test(values, that_are_small_have_an_exact_sum)
{
    const size_t lengths[] = {1, 1000, 1 << 16, 1 << 20};
    for (size_t k = 2; k < 4; k++)
        for (size_t i = 0; i < 4; i++) {
            choose(all[k]);
            struct input input = input_of_values(VALUES_SMALL, 5, lengths[i]);
            const struct oracle oracle = result_of(&input);
            cr_assert(float_sum_is_exact(&oracle.floats), "%s", input.name);
            input_free(&input);
        }
}

Test(values, that_cancel_leave_the_last)
{
    for (size_t k = 0; k < 4; k++) {
        if (all[k] == MAX)
            continue;
        choose(all[k]);
        struct input even = input_of_values(VALUES_ALTERNATING, 3, 100);
        struct input odd = input_of_values(VALUES_ALTERNATING, 3, 101);
        const struct oracle of_even = result_of(&even), of_odd = result_of(&odd);
        const struct oracle last = result_of_part(&odd, 100, 101);
        cr_assert(of_even.number == 0 && of_even.floats.sum == 0);
        cr_assert(of_odd.number == last.number && of_odd.floats.sum == last.floats.sum);
        cr_assert(all[k] == SUM ? last.number != 0 : last.floats.sum != 0);
        input_free(&even), input_free(&odd);
    }
}

Test(values, with_a_spike_are_neutral_but_for_one)
{
    for (size_t k = 0; k < 4; k++) {
        unsigned char neutral[16];
        size_t others = 0;
        choose(all[k]);
        const size_t bytes = operation_bin_bytes(all[k]);
        struct input input = input_of_values(VALUES_SPIKE, 9, 777);
        operation_neutral(all[k], neutral);
        for (size_t i = 0; i < input.length; i++)
            others += memcmp(input.values + i * bytes, neutral, bytes) != 0;
        cr_assert(others == 1, "%s: %zu", input.name, others);
        input_free(&input);
    }
}

Test(values, that_are_largest_wrap_a_sum)
{
    choose(SUM);
    struct input input = input_of_values(VALUES_LARGEST, 1, 100);
    for (size_t i = 0; i < 100; i++)
        cr_assert(word_of(&input, i) >= UINT32_MAX - 3);
    input_free(&input);
}

Test(values, are_set_as_numbers_or_as_bits)
{
    choose(SUM);
    struct input input = input_of_values(VALUES_ONES, 1, 2);
    value_set_number(&input, 1, 4294967295.0, 1);
    cr_assert(word_of(&input, 0) == 1 && word_of(&input, 1) == UINT32_MAX);
    input_free(&input);
    choose(DOT);
    input = input_of_values(VALUES_ONES, 1, 2);
    value_set_number(&input, 0, 2.5, 4);
    value_set(&input, 1, 0x7f800000, bits_of(-1));
    cr_assert(result_number(DOT, input.values) == 10);
    cr_assert(result_number(DOT, input.values + 8) == (double)-INFINITY);
    input_free(&input);
}

Test(values, are_named)
{
    choose(FLOAT_SUM);
    struct input input = input_of_values(VALUES_SMALL, 1, 20000);
    cr_assert_str_eq(input.name, "float_sum, 20,000 small values");
    input_free(&input);
    input = input_of_values(VALUES_ONES, 1, 1);
    cr_assert_str_eq(input.name, "float_sum, 1 value of 1");
    input_free(&input);
}
