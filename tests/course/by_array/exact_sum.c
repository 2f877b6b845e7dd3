/* exact_sum.c - tests of the sum that does not round. */
#include "exact_sum.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "random_numbers.h"

static double sum_of(const double *numbers, size_t count)
{
    struct exact_sum sum = {.pending = 0};
    for (size_t i = 0; i < count; i++)
        exact_sum_add(&sum, numbers[i]);
    return exact_sum_value(&sum);
}

#define SUM_OF(...)                                                                                \
    sum_of((const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))

Test(exact_sum, of_nothing_is_0)
{
    const struct exact_sum sum = {.pending = 0};
    cr_assert(exact_sum_value(&sum) == 0);
    cr_assert(SUM_OF(0, -0.0) == 0);
}

Test(exact_sum, of_one_number_is_that_number)
{
    const double numbers[] = {1,
                              -1,
                              0.1,
                              -1e300,
                              DBL_MAX,
                              DBL_MIN,
                              -DBL_MAX,
                              0x1p-1074,
                              -0x1.8p-1060,
                              0x1.fffffffffffffp31,
                              3e9,
                              0x1p32,
                              0x1p-1022,
                              -0x1.23456789abcdep-300};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cr_assert(sum_of(&numbers[i], 1) == numbers[i], "%a became %a", numbers[i],
                  sum_of(&numbers[i], 1));
}

/* Where a double would have lost the small one. */
Test(exact_sum, keeps_small_numbers_beside_large_ones)
{
    cr_assert(SUM_OF(1e300, 1, -1e300) == 1);
    cr_assert(SUM_OF(1, 1e300, 0x1p-1074, -1e300, -1) == 0x1p-1074);
    cr_assert(SUM_OF(DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -3) == -3);
    cr_assert(SUM_OF(0x1p64, -1, -0x1p64) == -1);
}

Test(exact_sum, rounds_once_to_the_nearest)
{
    cr_assert(SUM_OF(1, 0x1p-53) == 1); /* half way: to the even one */
    cr_assert(SUM_OF(1, 0x1p-53, 0x1p-1000) == 1 + 0x1p-52);
    cr_assert(SUM_OF(-1, -0x1p-53, -0x1p-1000) == -1 - 0x1p-52);
    cr_assert(SUM_OF(1 + 0x1p-52, 0x1p-53) == 1 + 0x1p-51);
    cr_assert(SUM_OF(1, 0x1p-53, -0x1p-1000) == 1);
}

Test(exact_sum, larger_than_all_doubles_is_infinite)
{
    cr_assert(isinf(SUM_OF(DBL_MAX, DBL_MAX)));
    cr_assert(SUM_OF(-DBL_MAX, -DBL_MAX) == -INFINITY);
}

/* Integers tell: of both signs, so that carries and borrows go all the way up and down. */
Test(exact_sum, is_that_of_integers)
{
    struct exact_sum sum = {.pending = 0};
    uint64_t state = 1;
    int64_t right = 0;
    for (int i = 0; i < 100000; i++) {
        const int64_t number = (int64_t)(next_random(&state) >> 16) - ((int64_t)1 << 47);
        const int shift = (int)random_below(&state, 2) * 5;
        right += number >> shift;
        exact_sum_add(&sum, (double)(number >> shift));
    }
    cr_assert(exact_sum_value(&sum) == (double)right);
}

/* Each number and its negative, in another order, at all sizes. */
Test(exact_sum, that_cancels_is_0)
{
    struct exact_sum sum = {.pending = 0};
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = -1074; i < 1024; i++)
            exact_sum_add(&sum, sign * ldexp(1, sign < 0 ? -51 - i : i));
    cr_assert(exact_sum_value(&sum) == 0);
}
