/* special_elements.c - elements, and bins before them, that break an operation. */
#include <stdio.h>
#include <string.h>

#include "reduce_by_index/harness.h"
#include "random_numbers.h"
#include "special_floats.h"

enum { BINS_OF_THESE = 29, LENGTH = 521, A_FEW_MULTIPROCESSORS = 3 };

static size_t histograms; /* 1 for a batch of one */

static struct input begin_special_elements(const char *what)
{
    struct input input = input_within(KEYS_UNIFORM, 11, LENGTH, BINS_OF_THESE);
    input.batch = histograms;
    snprintf(input.name, sizeof input.name, "%s, %s", operation_name(operation_chosen()), what);
    return input;
}

static void judge_special_elements(struct input input)
{
    judge_and_free(input, USUAL_SCHEDULES, true);
}

static void hold_elements(struct input *input, size_t bin, const void *content)
{
    const size_t bytes = operation_bin_bytes(operation_chosen());
    memcpy(input->bins + bin * bytes, content, bytes);
}

/* Bins just below the cap, and at it, to which 0, 1, 2, ... elements come. */
static void reach_cap(void)
{
    const uint32_t most = (1u << 24) - 1;
    struct input input = begin_special_elements("bins that reach 16,777,215, and some that do not");
    size_t next = 0;
    for (size_t bin = 0; bin < BINS_OF_THESE; bin++) {
        for (size_t came = 0; came < bin && next < LENGTH; came++)
            element_set(&input, next++, (uint32_t)bin, 1, 0);
        hold_elements(&input, bin, &(uint32_t){most - (uint32_t)(bin * 7 % 19)});
    }
    input.length = next;
    judge_special_elements(input);
}

static void reach_2_to_32(void)
{
    struct input input =
        begin_special_elements("bins that go beyond 4,294,967,295, and around 2^64");
    for (size_t i = 0; i < LENGTH; i++)
        element_set(&input, i, (uint32_t)(i * i % BINS_OF_THESE), UINT32_MAX - (uint32_t)(i % 3),
                    0);
    hold_elements(&input, 0, &(uint64_t){UINT64_MAX - 5});
    hold_elements(&input, 1, &(uint64_t){UINT32_MAX});
    judge_special_elements(input);
}

/* Each bin has its own ties: of zeros, of the largest value, of the largest index, and what the bin
 * held before may win. */
static void tie(void)
{
    const uint32_t last = (1u << 26) - 1, largest = 65535;
    struct input input =
        begin_special_elements("ties, zeros, value 65,535, index 0 and 67,108,863");
    for (size_t i = 0; i < LENGTH; i++) {
        const uint32_t key = (uint32_t)(i * 40503 % BINS_OF_THESE);
        const uint32_t value = key % 4 == 0 ? 0 : key % 4 == 1 ? largest : 1000 * (uint32_t)(i % 3);
        element_set(&input, i, key, value, i % 5 == 0 ? last : (uint32_t)(i * 7919) & last);
    }
    element_set(&input, 3, 1, largest, 0);
    hold_elements(&input, 5, (const uint32_t[]){largest, 0});
    hold_elements(&input, 9, (const uint32_t[]){largest, last});
    hold_elements(&input, 4, (const uint32_t[]){0, 0});
    hold_elements(&input, 8, (const uint32_t[]){0, UINT32_MAX});
    judge_special_elements(input);
}

/* Bins whose elements are all zeros of the largest index, and bins with one element: what is neutral
 * must lose even to these. */
static void lose_to_zeros(void)
{
    struct input input = begin_special_elements("nothing but zeros of index 67,108,863");
    for (size_t i = 0; i < BINS_OF_THESE * sizeof(uint64_t); i += sizeof(uint64_t))
        hold_elements(&input, i / sizeof(uint64_t), (const uint32_t[]){0, UINT32_MAX});
    for (size_t i = 0; i < LENGTH; i++)
        element_set(&input, i, (uint32_t)(i % (BINS_OF_THESE - 1)), 0, (1u << 26) - 1);
    judge_special_elements(input);
}

/* Every bin has another mixture: a NaN among numbers, one infinity, both, -0 alone, numbers only. */
static void mix_in_elements(void)
{
    struct input input = begin_special_elements("NaN, -0 and infinities");
    for (size_t i = 0; i < LENGTH; i++) {
        const uint32_t key = (uint32_t)(i % BINS_OF_THESE), turn = (uint32_t)(i / BINS_OF_THESE);
        uint32_t value = operation_value(
            operation_chosen(), input.elements + i * operation_element_bytes(operation_chosen()));
        if (key % 6 == 1 && turn == 7)
            value = NOT_A_NUMBER | (turn & 1 ? SIGN : 0);
        else if (key % 6 == 2 && turn == 5)
            value = INFINITE;
        else if (key % 6 == 3 && turn == 9)
            value = INFINITE | SIGN;
        else if (key % 6 == 4 && turn < 2)
            value = INFINITE | (turn ? SIGN : 0);
        else if (key % 6 == 5)
            value = SIGN; /* -0 */
        element_set(&input, i, key, value, 0);
    }
    judge_special_elements(input);
}

/* Random digits, and sizes between 2^-9 and 2^8: each order of adding rounds otherwise. */
static void round_off(void)
{
    struct input input = begin_special_elements("floats of all sizes from 2^-9 to 2^8");
    uint64_t state = 3;
    for (size_t i = 0; i < LENGTH; i++) {
        const uint32_t exponent = 118 + random_below(&state, 17);
        const uint32_t digits = random_below(&state, 1u << 23), sign = random_below(&state, 2)
                                                                       << 31;
        element_set(&input, i, input_key(&input, i), sign | exponent << 23 | digits, 0);
    }
    judge_special_elements(input);
}

/* Of each bin the floats differ in size as much as they can, or lie around 2^32 from one another, or are the
 * smallest there are: subnormal ones, and those next to them. */
static void differ_in_size(void)
{
    enum { SMALLEST = 3, WIDE = 201, AROUND = 4 };
    struct input input =
        begin_special_elements("subnormal floats, and floats from 2^-100 to 2^100");
    uint64_t state = 7;
    for (size_t i = 0; i < LENGTH; i++) {
        const uint32_t key = input_key(&input, i);
        const uint32_t digits = random_below(&state, 1u << 23), sign = random_below(&state, 2)
                                                                       << 31;
        const uint32_t exponent = key % 3 == 0   ? random_below(&state, SMALLEST)
                                  : key % 3 == 1 ? 27 + random_below(&state, WIDE)
                                  : i % 2        ? 127
                                                 : 127 - 30 - random_below(&state, AROUND);
        element_set(&input, i, key, sign | exponent << 23 | digits, 0);
    }
    judge_and_free(input, 1, false);
}

static void expect_right_on_values_elements(size_t batch)
{
    histograms = batch;
    switch (operation_chosen()) {
    case SATURATE:
        reach_cap();
        break;
    case WIDE_SUM:
        reach_2_to_32();
        break;
    case ARGMAX:
        tie();
        lose_to_zeros();
        break;
    case FLOAT_SUM:
    case VECTOR_SUM:
    case MINMAX:
        mix_in_elements();
        round_off();
        if (operation_chosen() == FLOAT_SUM)
            differ_in_size();
        break;
    default:
        break;
    }
}

void expect_elements_right_on_special_values_in(size_t batch)
{
    for_each_operation(expect_right_on_values_elements, batch, A_FEW_MULTIPROCESSORS);
}

void expect_elements_right_on_special_values(void)
{
    expect_elements_right_on_special_values_in(0);
}
