/* result.c - tests of what a result should be, and how far a float may be off. */
#define _GNU_SOURCE
#include <float.h>
#include <math.h>

#include "of_values.h"
#include "result.h"

static void expect_sum(const struct input *input, const struct result *result, bool agrees)
{
    const struct oracle oracle = result_of(input);
    const double bound = result_bound(&oracle, (double)input->length);
    cr_assert(result_agrees(&oracle, result->bytes, bound) == agrees, "%s: %g, give or take %g",
              input->name, oracle.floats.sum, bound);
}

static struct input of_floats(const float *numbers, size_t count)
{
    struct input input = input_of_values(VALUES_ONES, 1, count);
    for (size_t i = 0; i < count; i++)
        value_set(&input, i, bits_of(numbers[i]), bits_of(1));
    return input;
}

static void expect_float(const float *numbers, size_t count, float held, bool agrees)
{
    choose(FLOAT_SUM);
    struct input input = of_floats(numbers, count);
    expect_sum(&input, &(struct result[]){floats(held, 0)}[0], agrees);
    input_free(&input);
    choose(DOT);
    input = of_floats(numbers, count);
    expect_sum(&input, &(struct result[]){floats(2 * held, 0.5f)}[0], agrees);
    input_free(&input);
}

#define EXPECT(held, agrees, ...)                                                                  \
    expect_float((const float[]){__VA_ARGS__}, sizeof(float[]){__VA_ARGS__} / sizeof(float), held, \
                 agrees)

Test(oracle, adds_integers_modulo_2_to_32)
{
    choose(SUM);
    struct input input = input_of_values(VALUES_ONES, 1, 3);
    value_set(&input, 0, UINT32_MAX, 0);
    value_set(&input, 1, UINT32_MAX, 0);
    cr_assert(result_of(&input).number == UINT32_MAX);
    cr_assert(result_of_part(&input, 1, 3).number == 0);
    cr_assert(result_of_part(&input, 2, 2).number == 0);
    input_free(&input);
}

Test(oracle, takes_the_largest_of_unsigned_integers)
{
    choose(MAX);
    struct input input = input_of_values(VALUES_ONES, 1, 4);
    value_set(&input, 2, 1u << 31, 0);
    cr_assert(result_of(&input).number == 1u << 31);
    cr_assert(result_of_part(&input, 3, 4).number == 1);
    cr_assert(result_of_part(&input, 0, 0).number == 0);
    input_free(&input);
}

Test(oracle, of_whole_numbers_takes_no_other_than_the_sum)
{
    EXPECT(6, true, 1, 2, 3);
    EXPECT(6.0000005f, false, 1, 2, 3);
    EXPECT(0, true, 5, -5);
    EXPECT(-0.0f, true, 5, -5);
    EXPECT(0, true, -0.0f);
}

Test(oracle, of_others_takes_what_an_order_may_round_to)
{
    EXPECT(1, true, 1, 0x1p-24f, 0x1p-24f);
    EXPECT(1 + 0x1p-23f, true, 1, 0x1p-24f, 0x1p-24f);
    EXPECT(1 + 0x1p-21f, false, 1, 0x1p-24f, 0x1p-24f);
}

Test(oracle, loses_no_nan_and_no_infinity)
{
    EXPECT(NAN, true, 1, NAN, 2);
    EXPECT(3, false, 1, NAN, 2);
    EXPECT(NAN, true, INFINITY, -INFINITY);
    EXPECT(INFINITY, false, INFINITY, -INFINITY);
    EXPECT(-INFINITY, true, 1, -INFINITY);
    EXPECT(INFINITY, false, 1, -INFINITY);
    EXPECT(NAN, false, 1, 2);
}

/* Some orders overflow on the way. */
Test(oracle, takes_anything_where_a_float_may_overflow)
{
    EXPECT(INFINITY, true, FLT_MAX, FLT_MAX, -FLT_MAX);
    EXPECT(FLT_MAX, true, FLT_MAX, FLT_MAX, -FLT_MAX);
    EXPECT(NAN, true, FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX);
}

/* PTX ISA, red: subnormal numbers are flushed to 0 of the same sign. */
Test(oracle, takes_denormals_for_0)
{
    EXPECT(0, true, 0x1p-127f, 0x1p-140f);
    EXPECT(0x1.002p-127f, true, 0x1p-127f, 0x1p-140f);
    EXPECT(0x1p-120f, false, 0x1p-127f, 0x1p-140f);
}

Test(oracle, of_dot_takes_the_product_of_the_result)
{
    choose(DOT);
    struct input input = input_of_values(VALUES_ONES, 1, 2);
    value_set(&input, 0, bits_of(3), bits_of(-5));
    value_set(&input, 1, bits_of(0.5f), bits_of(8));
    expect_sum(&input, &(struct result[]){floats(-11, 1)}[0], true);
    expect_sum(&input, &(struct result[]){floats(22, -0.5f)}[0], true);
    expect_sum(&input, &(struct result[]){floats(-11, 0)}[0], false);
    value_set(&input, 1, bits_of(INFINITY), bits_of(0));
    expect_sum(&input, &(struct result[]){floats(NAN, 1)}[0], true);
    expect_sum(&input, &(struct result[]){floats(-15, 1)}[0], false);
    input_free(&input);
}

/* h of a tree of additions, in which the one value has h and the other one: Higham, section 4.2. */
Test(oracle, bounds_a_float_by_the_depth_of_a_tree)
{
    choose(FLOAT_SUM);
    struct input input = input_of_values(VALUES_ANY, 1, 1000);
    const struct oracle oracle = result_of(&input);
    const double u = ldexp(1, -24), flushed = 3 * 1000 * ldexp(1, -126);
    cr_assert(!float_sum_is_exact(&oracle.floats) &&
              oracle.floats.magnitude > fabs(oracle.floats.sum));
    const double bound = 10 * u / (1 - 10 * u) * oracle.floats.magnitude + flushed;
    cr_assert(fabs(result_bound(&oracle, 10) - bound) <= bound / 1e6);
    cr_assert(result_bound(&oracle, 999) == result_bound(&oracle, 5000));
    cr_assert(result_bound(&oracle, 998) < result_bound(&oracle, 999));
    input_free(&input);
}

/* A float to which they come one by one is off by more than the tree of any kernel that shares them. */
Test(oracle, tells_a_float_that_stops_counting)
{
    enum { LENGTH = 1 << 14, DEPTH = 64 + 1024 + LENGTH / 32 };
    choose(FLOAT_SUM);
    struct input input = input_of_values(VALUES_LARGEST, 1, LENGTH);
    const struct oracle oracle = result_of(&input);
    float one_by_one = 0, pairs[LENGTH];
    memcpy(pairs, input.values, sizeof pairs);
    for (size_t i = 0; i < LENGTH; i++)
        one_by_one += pairs[i];
    for (size_t half = LENGTH / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            pairs[i] += pairs[i + half];
    const struct result in_pairs = floats(pairs[0], 0), in_row = floats(one_by_one, 0);
    cr_assert(result_agrees(&oracle, in_pairs.bytes, result_bound(&oracle, 14)));
    cr_assert(!result_agrees(&oracle, in_row.bytes, result_bound(&oracle, DEPTH)));
    cr_assert(result_agrees(&oracle, in_row.bytes, result_bound(&oracle, LENGTH)));
    input_free(&input);
}

Test(oracle, says_numbers_as_people_write_them)
{
    char text[80];
    const struct result result = floats(1.5f, -2);
    choose(DOT);
    struct input input = input_of_values(VALUES_ONES, 1, 3);
    struct oracle oracle = result_of(&input);
    result_say_held(&oracle, result.bytes, text, sizeof text);
    cr_assert_str_eq(text, "(1.5, -2)");
    input_free(&input);
    choose(SUM);
    input = input_of_values(VALUES_ONES, 1, 1234);
    oracle = result_of(&input);
    result_say_expected(&oracle, text, sizeof text);
    cr_assert_str_eq(text, "1,234");
    input_free(&input);
}
