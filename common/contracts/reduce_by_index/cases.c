/* cases.c - the inputs that break kernels: lengths, numbers of bins, keys, alignments; and elements that break an
 * operation. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "oracle.h"
#include "random_numbers.h"
#include "reduce_by_index/harness.h"
#include "settings.h"
#include "words_in_bytes.h"

enum { A_FEW_MULTIPROCESSORS = 3, SOME_BINS = 505 };

static void expect_right_elements(enum keys kind, size_t length, size_t num_bins)
{
    judge_and_free(input_of_keys(kind, 1 + length, length, num_bins), USUAL_SCHEDULES, true);
}

/* Judges an input once, with words that tell it from others. */
static void expect_right_once_elements(enum keys kind, size_t length, size_t num_bins,
                                       const char *more)
{
    struct input input = input_of_keys(kind, 1 + length, length, num_bins);
    input_say_more(&input, "%s", more);
    judge_and_free(input, 1, true);
}

/* The first inputs are of ordinary size, where what is wrong is explained best. Their lengths are primes, so that no
 * block and no vector divides them; on one multiprocessor each thread has several elements. Where keys crowd there are
 * few elements, since with a lock each waits for all others. */
static void expect_right_on_each_elements(size_t bins)
{
    set_multiprocessors(1);
    expect_right_elements(KEYS_UNIFORM, operation_turn(operation_chosen()) == 0 ? 8191 : 4093,
                          bins);
    expect_right_once_elements(KEYS_STRIDE_63,
                               operation_turn(operation_chosen()) == 0 ? 2039 : 1019, bins, "");
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
    expect_right_elements(KEYS_ZIPF, 509, 31);
    expect_right_elements(KEYS_SINGLE, 257, 31);
    expect_right_elements(KEYS_NINETY, 257, bins);
    expect_right_once_elements(KEYS_SORTED, 2053, bins, "");
}

/* How many threads a block of the kernel at hand has, or the largest. */
static size_t threads_of_block(void)
{
    enum { MOST = 1024 };
    const struct sim_launch_shape shape = last_outcome(operation_chosen())->shape;
    const size_t block = (size_t)shape.block[0] * shape.block[1] * shape.block[2];
    return block > 0 && block <= MOST ? block : MOST;
}

/* Judges all multiprocessors that there are; and many bins with far fewer elements. Each operation has the numbers of
 * bins around what a block's shared memory holds, and its share of the others, since they take long. */
static void expect_right_on_bins(size_t most_bins)
{
    const size_t many[] = {1572863, 196607, 49145, 12281};
    const size_t held = bins_of_a_block();
    const size_t asked = bins_asked(0);
    set_multiprocessors(132);
    expect_right_once_elements(KEYS_UNIFORM, 3001, SOME_BINS, ", 132 multiprocessors");
    set_multiprocessors(1);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        if (many[i] <= most_bins && i % operations_asked() == operation_turn(operation_chosen()))
            expect_right_once_elements(i % 2 ? KEYS_ZIPF : KEYS_UNIFORM, 2999, many[i], "");
    if (held + 1 <= most_bins) {
        expect_right_once_elements(KEYS_UNIFORM, 1999, held, "");
        expect_right_once_elements(KEYS_UNIFORM, 1999, held + 1, "");
    }
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
    if (asked == 0)
        return;
    expect_right_once_elements(asked > 31 ? KEYS_ZIPF : KEYS_UNIFORM, 1021, asked, "");
    expect_right_once_elements(KEYS_STRIDE_63, 101, asked, "");
}

static void expect_right_untold(enum keys kind, size_t length, size_t num_bins)
{
    struct input input = input_of_keys(kind, 1 + length, length, num_bins);
    input_say_more(&input, ", 1 multiprocessor");
    judge_and_free(input, 1, false);
}

/* Judges more bins than a block has threads, and more than a grid has on one multiprocessor, most with an element, so
 * that the loops over the bins have a second round. The first operation has more elements than a number of 16 bits
 * counts. */
static void expect_right_on_rounds(size_t most_bins)
{
    enum { MORE_THAN_16_BITS = 66601 };
    const size_t bins = 2111;
    if (bins > most_bins)
        return;
    set_multiprocessors(1);
    expect_right_untold(KEYS_UNIFORM,
                        operation_turn(operation_chosen()) == 0 ? MORE_THAN_16_BITS : bins + 57,
                        bins);
    expect_right_untold(KEYS_UNIFORM, 1019,
                        64); /* the number of bins has one bit more than the last one */
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
}

/* Judges equal keys, more in a block than 16 bits count, where they make nobody wait. */
static void expect_right_on_many_equal(void)
{
    enum { MANY = 140001, MUCH = 1000 * 1000 };
    if (operation_turn(operation_chosen()) > 0 || keys_far_budget() < MUCH)
        return;
    set_multiprocessors(1);
    expect_right_untold(KEYS_SINGLE, MANY, 31);
    set_multiprocessors(A_FEW_MULTIPROCESSORS);
}

static void expect_right_on_all_elements(size_t most_bins)
{
    expect_right_on_each_elements(most_bins < SOME_BINS ? most_bins : SOME_BINS);
    expect_right_around_lengths(&reduce_by_index_contract, threads_of_block(), 0);
    expect_right_once_elements(KEYS_UNIFORM, 131, 1, "");
    expect_right_once_elements(KEYS_UNIFORM, 999, 0, "");
    expect_right_on_rounds(most_bins);
    expect_right_on_many_equal();
    expect_right_at_misalignments(&reduce_by_index_contract);
}

void expect_elements_right_on_edge_cases(size_t most_bins)
{
    for_each_operation(expect_right_on_all_elements, most_bins, A_FEW_MULTIPROCESSORS);
}

void expect_right_on_many_bins(size_t most_bins)
{
    for_each_operation(expect_right_on_bins, most_bins, A_FEW_MULTIPROCESSORS);
}

/* Draws the number of bins, in all orders of magnitude up to 20,000. */
static size_t draw_bins(uint64_t *state, size_t most_bins)
{
    enum { MOST = 20000 };
    const uint32_t most = most_bins < MOST ? (uint32_t)most_bins : MOST;
    const uint32_t bins = 16u << random_below(state, 11);
    return bins_asked(1 + random_below(state, bins < most ? bins : most));
}

/* Where keys crowd there are few elements, and so in few bins: with a lock each waits for all others. */
static struct input draw_input_elements(uint64_t *state, size_t most_bins)
{
    enum { FEW = 512, IN_A_BIN = 32 };
    const enum keys kind = (enum keys)random_below(state, KEYS_DRAWN);
    const bool crowd = kind == KEYS_SINGLE || kind == KEYS_NINETY || kind == KEYS_ZIPF;
    const size_t drawn = 1 + random_below(state, 1u << (4 + random_below(state, crowd ? 6 : 9)));
    const uint64_t seed = next_random(state);
    const size_t bins = draw_bins(state, most_bins), fit = FEW + IN_A_BIN * bins;
    struct input input = input_of_keys(kind, seed, drawn < fit ? drawn : fit, bins);
    input.misalignment = random_below(state, 8);
    return input;
}

void expect_elements_right_on_drawn_inputs(size_t most_bins)
{
    judge_drawn(draw_input_elements, most_bins, 3);
}

/* The second call finds what the first one left. What is right is known of each alone. */
void expect_adds_on(struct input input)
{
    expect_right_once_on(&input); /* what is wrong with one call is not explained by two */
    struct placed placed = place(&input);
    place_output(&placed);
    expect_to_end(&placed, input.name);
    free(input.bins);
    input.bins = place_read(&placed);
    place_free(&placed);
    input_say_more(&input, ", a second call");
    judge_and_free(input, 1, true);
}

static void expect_adds(size_t unused)
{
    (void)unused;
    expect_adds_on(input_of_keys(KEYS_UNIFORM, 3, 1021, 101));
}

void expect_elements_added_to_bins(void)
{
    for_each_operation(expect_adds, 0, A_FEW_MULTIPROCESSORS);
}

void call_with_too_many_elements_in(size_t batch)
{
    operation_choose((size_t)(run_draw() % operations_asked()));
    struct input input = input_batched(KEYS_UNIFORM, 1, batch, 1, 31);
    call_with_too_many_on(&input);
}

/* The rest are elements, and bins before them, that break an operation. */
enum { BINS_OF_THESE = 29, LENGTH = 521 };

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

/* 0, 1, 2, ... elements come to bins just below the cap, and at it. */
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

/* All elements of a bin are zeros of the largest index, and some bins have one element. What is neutral must lose even
 * to these. */
static void lose_to_zeros(void)
{
    struct input input = begin_special_elements("nothing but zeros of index 67,108,863");
    for (size_t i = 0; i < BINS_OF_THESE * sizeof(uint64_t); i += sizeof(uint64_t))
        hold_elements(&input, i / sizeof(uint64_t), (const uint32_t[]){0, UINT32_MAX});
    for (size_t i = 0; i < LENGTH; i++)
        element_set(&input, i, (uint32_t)(i % (BINS_OF_THESE - 1)), 0, (1u << 26) - 1);
    judge_special_elements(input);
}

/* Every bin has another mixture: a NaN among numbers, one infinity, both infinities, -0 alone, numbers only. */
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

/* Floats have random digits, and sizes between 2^-9 and 2^8, so that each order of adding rounds in another way. */
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

/* The floats of a bin differ in size as much as they can, or by a factor of about 2^32, or are the smallest there are:
 * subnormal ones, and those next to them. */
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

static void expect_special_elements(size_t batch)
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
    for_each_operation(expect_special_elements, batch, A_FEW_MULTIPROCESSORS);
}

void expect_elements_right_on_special_values(void)
{
    expect_elements_right_on_special_values_in(0);
}
