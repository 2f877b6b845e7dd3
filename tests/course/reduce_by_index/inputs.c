/* inputs.c - tests of how keys crowd. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <math.h>

#include "input_of_operation.h"

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
        struct input input = input_of_keys(KEYS_UNIFORM, 1, LENGTH, BINS_OF_INPUT);
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
    input = input_of_keys(KEYS_SINGLE, 1, LENGTH, BINS_OF_INPUT);
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

/* Of the keys' rows, or of their columns: mean and deviation, and the share within one deviation. */
struct spread {
    double mean, deviation, near;
};

static struct spread spread_of_wafer(const struct input *input, bool of_rows)
{
    const uint32_t columns = 256;
    double sum = 0, squares = 0;
    size_t near = 0;
    for (size_t i = 0; i < input->length; i++) {
        const uint32_t key = input_key(input, i), place = of_rows ? key / columns : key % columns;
        sum += place;
        squares += (double)place * place;
    }
    const double n = (double)input->length, mean = sum / n;
    const double deviation = sqrt(squares / n - mean * mean);
    for (size_t i = 0; i < input->length; i++) {
        const uint32_t key = input_key(input, i), place = of_rows ? key / columns : key % columns;
        near += fabs(place - mean) < deviation;
    }
    return (struct spread){mean, deviation, (double)near / n};
}

/* The published input has 1,035,840 keys in 4,096 rows of 256, and 52,529 bins from the first that is used to the
 * last. Bounds are five standard errors; within one deviation are 68.3% of a normal distribution, 57.7% of a
 * uniform one, and the steps of whole numbers add or take a column at each end. */
Test(input, of_a_wafer_has_rows_and_columns_of_normal_distributions)
{
    enum { ALL = 1035840, WAFER = 4096 * 256 };
    choose(COUNT);
    struct input input = input_within(KEYS_WAFER, 1, ALL, WAFER);
    uint32_t first = WAFER, last = 0;
    for (size_t i = 0; i < ALL; i++) {
        const uint32_t key = input_key(&input, i);
        first = key < first ? key : first;
        last = key > last ? key : last;
    }
    const size_t between = last - first + 1;
    cr_assert(last < WAFER);
    cr_assert(fabs((double)between / 52529 - 1) < 0.05, "%zu bins", between);
    const struct spread row = spread_of_wafer(&input, true);
    const struct spread column = spread_of_wafer(&input, false);
    cr_assert(fabs(row.mean - 1919) < 0.12, "%g", row.mean);
    cr_assert(fabs(row.deviation - 24) < 0.09, "%g", row.deviation);
    cr_assert(fabs(row.near - 0.683) < 0.02, "%g", row.near);
    cr_assert(fabs(column.mean - 128) < 0.14, "%g", column.mean);
    cr_assert(fabs(column.deviation - 28.5) < 0.1, "%g", column.deviation);
    cr_assert(fabs(column.near - 0.683) < 0.02, "%g", column.near);
    input_free(&input);
}

/* Any other number of bins: as far along. */
Test(input, of_a_wafer_fits_any_number_of_bins)
{
    choose(COUNT);
    const size_t bins[] = {1, 31, 505, 1572863};
    for (size_t k = 0; k < sizeof bins / sizeof *bins; k++) {
        struct input input = input_within(KEYS_WAFER, 1, 2000, bins[k]);
        for (size_t i = 0; i < input.length; i++)
            cr_assert(fabs(input_key(&input, i) / (double)bins[k] - 1919 / 4096.0) <
                      0.04 + 1 / (double)bins[k]);
        input_free(&input);
    }
}

/* The same elements on every machine. */
Test(input, is_the_same_everywhere)
{
    uint64_t sum = 0;
    for (int operation = 0; operation <= MINMAX; operation++)
        for (int kind = 0; kind < KEYS_KINDS; kind++) {
            choose((enum operation)operation);
            struct input input = input_of_keys((enum keys)kind, 3, 1000, 505);
            const size_t bytes = 1000 * operation_element_bytes(operation_chosen());
            for (size_t i = 0; i < bytes; i++)
                sum = sum * 1099511628211u + input.elements[i];
            input_free(&input);
        }
    cr_assert(sum == 0xa99fa87273be5208u, "0x%llx", (unsigned long long)sum);
}
